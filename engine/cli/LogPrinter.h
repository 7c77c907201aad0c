#pragma once

#include "engine/cli/LastLines.h"
#include "engine/cli/LogLineWriter.h"
#include "engine/record/RunFileReader.h"

#include <optional>

namespace ringmaster {

/// Reads a run's log from its run file and prints the lines that are wanted.
class LogPrinter
{
public:
    struct Request
    {
        std::vector<int> ranks{}; ///< Empty: all.
        int attempt = -1;         ///< -1: all.
        std::optional<Stream> stream{};
        std::optional<size_t> lastLines{}; ///< Only the end; nothing: all.
        LogLineWriter::Look look{};
    };

    LogPrinter(const RunFileReader& reader, Request request);

    /// What there is.
    Result<void> printRecorded();
    /// What has come since.
    Result<void> printNew();
    /// Nothing comes any more: what ends without a newline, and what was lost.
    void finish();

private:
    void take(const LogLine& line);
    Result<bool> readPage();
    Result<void> startNearEnd();

    const RunFileReader& m_reader;
    Request m_request;
    LogLineWriter m_writer;
    LastLines<LogLine> m_lines;
    LogAssembler m_assembler;
    std::uint64_t m_cursor = 0;
    std::uint64_t m_lostBytes = 0;
};

} // namespace ringmaster
