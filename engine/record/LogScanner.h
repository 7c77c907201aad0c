#pragma once

#include "engine/record/LogFilter.h"
#include "engine/record/LogPage.h"
#include "engine/record/LogPlace.h"

#include <deque>
#include <map>
#include <span>
#include <tuple>

namespace ringmaster {

/// Finds the lines of a run's log that a filter lets through, as they are shown (see
/// TerminalText), without making a line of each: most text is only searched. Pure; fed with chunks
/// in the order of arrival, of which it holds the lines that haven't ended, at most so much of
/// each:
class LogScanner
{
public:
    /// What is longer is searched in pieces that overlap.
    static constexpr size_t LongestPiece = 2U << 20U;
    static constexpr size_t Overlap = 64U << 10U;

    struct Found
    {
        LogPlace place{};
        std::string bytes{};     ///< As they stand in the file; empty unless the texts are wanted.
        std::uint64_t group = 0; ///< The cursor of the first line of those that stand together.
    };

    struct Options
    {
        LogFilter filter{};
        std::optional<Stream> stream{};
        size_t linesAround = 0; ///< Before and after each match, of the same worker and stream.
        bool wantsTexts = false;
    };

    explicit LogScanner(Options options) : m_options(std::move(options)) {}

    /// Found lines in the order in which their groups (lines that stand together) began.
    std::vector<Found> scan(std::span<const LogChunk> chunks);
    /// What has come by now of lines without an end. A line is found once, now or later.
    std::vector<Found> scanOpenLines();
    /// Nothing follows: lines that are open end here.
    std::vector<Found> finish();

    std::uint64_t matches() const { return m_matches; }

private:
    using Key = std::tuple<int, int, Stream>; ///< attempt, rank, stream

    struct File
    {
        LogPlace line{.number = 1};    ///< Of the next line, as far as it is known.
        std::string open{};            ///< What is kept of a line that hasn't ended.
        bool hasOpenLine = false;      ///< That line has begun.
        bool isFound = false;          ///< It has been put out.
        std::uint64_t end = 0;         ///< Of what came, in the file.
        std::uint64_t scannedOpen = 0; ///< The same when the open line was looked at last.
        size_t linesOwed = 0;          ///< After the last match.
        std::deque<Found> before{};    ///< The last lines, where some are wanted around a match.
        std::uint64_t lastPut = 0;     ///< A line's number.
        std::uint64_t group = 0;       ///< That it stands in.
    };

    /// A part of a file that is searched at once.
    struct Block;

    void scanFile(File& file, std::span<const LogChunk* const> chunks);
    void scanBlock(File& file, Block& block);
    void scanPlain(File& file, Block& block, size_t from, size_t until);
    void match(File& file, Block& block, size_t begin);
    void putOwed(File& file, Block& block, size_t until);
    void putBefore(File& file, size_t count);
    void putLine(File& file, Block& block, bool isMatch);
    void put(File& file, Found found);
    static void pass(File& file, Block& block, size_t until);
    Found foundAt(const File& file, const Block& block) const;
    void remember(File& file, Block& block, size_t end);
    void keepOpen(File& file, Block& block);
    void scanOpenLine(File& file);
    void endOpenLine(File& file);
    std::vector<Found> takeFound();

    Options m_options;
    std::map<Key, File> m_files;
    std::vector<Found> m_found;
    std::uint64_t m_matches = 0;
};

/// A line of a log file as it is shown: without its colours, at most `limit` bytes of it.
std::string shownText(std::string_view bytes, size_t limit = std::string_view::npos);

} // namespace ringmaster
