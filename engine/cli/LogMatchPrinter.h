#pragma once

#include "engine/cli/LastLines.h"
#include "engine/cli/LogLineWriter.h"
#include "engine/record/LogSearch.h"
#include "engine/record/RunFileReader.h"

#include <optional>

namespace ringmaster {

/// Searches a run's log and prints the lines that are found, as grep does: with their numbers,
/// those around them, or how many there are.
class LogMatchPrinter
{
public:
    struct Request
    {
        LogSearch::Query query{};
        std::optional<size_t> lastLines{}; ///< Only the end; nothing: all.
        bool countsOnly = false;
        LogLineWriter::Look look{};
    };

    LogMatchPrinter(const RunFileReader& reader, Request request);

    /// What there is, or has come since. `isOver`: no more can come.
    Result<void> printNew(bool isOver);
    /// After the last printNew().
    void finish();

    std::uint64_t matches() const { return m_matches; }

private:
    using Line = std::pair<LogPlace, std::string>;

    void print(const Line& line);

    const RunFileReader& m_reader;
    Request m_request;
    LogSearch m_search;
    LogLineWriter m_writer;
    LastLines<Line> m_lines;
    std::uint64_t m_matches = 0;
    std::optional<LogPlace> m_last; ///< That was printed.
};

} // namespace ringmaster
