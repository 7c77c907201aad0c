#pragma once

#include "engine/record/LogPage.h"
#include "engine/record/LogPlace.h"
#include "engine/record/TerminalText.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace ringmaster {

/// Guessed from the text, see guessLevel().
enum class LogLevel { Info, Warning, Error };

/// One line as it is shown: UTF-8, no control characters but tabs.
struct LogLine
{
    std::uint64_t number = 0; ///< Given by the assembler, from 1; a line that changes keeps it.
    std::uint64_t cursor = 0; ///< Of the chunk that it began in.
    std::uint64_t offset = 0; ///< Of its first byte in its file.
    Moment at{};              ///< When it began.
    int attempt = 0;
    int globalRank = 0;
    Stream stream = Stream::Stdout;
    LogLevel level = LogLevel::Info;
    std::string text{};
    std::vector<StyledRun> runs{}; ///< Colours that it was written in; empty: plain.
    bool isOpen = false;           ///< No newline yet: it may grow or be redrawn.
    bool isBroken = false; ///< Too long: the next line of this worker and stream goes on with it.
    bool operator==(const LogLine&) const = default;
};

/// Makes lines of chunks that come in the order of arrival from many workers. Pure; holds one open
/// line a worker and stream, however long the output is.
class LogAssembler
{
public:
    using Sink = std::function<void(const LogLine&)>;

    static constexpr size_t LongestLine = 64U << 10U;

    /// The sink gets each line when it is complete, and, at the end of each chunk, the open one
    /// that the chunk changed: what comes with a number that came before replaces it.
    explicit LogAssembler(Sink sink);

    void add(const LogChunk& chunk);

    /// Nothing follows: completes the lines that are still open.
    void finish();

private:
    struct Key
    {
        int globalRank = 0;
        Stream stream = Stream::Stdout;
        int attempt = 0;
        auto operator<=>(const Key&) const = default;
    };

    struct OpenLine
    {
        LogLine line{};
        TerminalText text{};
        std::uint64_t nextOffset = 0;
    };

    OpenLine& openLineOf(const Key& key, const LogChunk& chunk);
    void begin(OpenLine& open, const LogChunk& chunk, std::uint64_t offset);
    void emit(OpenLine& open, bool isOpen, bool isBroken);
    void complete(OpenLine& open);

    Sink m_sink;
    std::map<Key, OpenLine> m_open;
    std::uint64_t m_lastNumber = 0;
};

/// The line that stands there in its file, of those bytes.
LogLine lineOf(const LogPlace& place, std::string_view bytes);

/// Error: a Python traceback or the exception at its end, or ERROR, CRITICAL, FATAL (as logging,
/// glog and others write it) near the line's beginning. Warning: WARNING, WARN, `…Warning:`.
LogLevel guessLevel(std::string_view line);

} // namespace ringmaster
