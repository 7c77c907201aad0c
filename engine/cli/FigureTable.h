#pragma once

#include "engine/record/RunFileReader.h"

#include <string>
#include <string_view>

namespace ringmaster {

/// The figures of a run over its time, a row a figure: `ringmaster show --csv`. The names are those
/// of the run's metrics. What wasn't measured has no row.
class FigureTable
{
public:
    /// All of it, with CRLF as RFC 4180 has it.
    static Result<std::string> csv(const RunFileReader& reader);

private:
    /// Whose figure it is; empty: not of one.
    struct Of
    {
        std::string attempt{};
        std::string rank{};
        std::string node{};
        std::string_view detail{}; ///< Name of a number, operation, GPU.
    };

    explicit FigureTable(const RunFileReader& reader) : m_reader(reader) {}

    Result<void> addSamples();
    Result<void> addOperations();
    Result<void> addNumbers();
    void add(const Event& event);
    void add(const DeviceSample& sample, const Event& event);
    void row(std::int64_t ns, const Of& of, std::string_view figure, double value);

    const RunFileReader& m_reader;
    Moment m_began{}; ///< Of the run's first event: times are counted from it.
    std::string m_csv = "seconds,attempt,rank,node,figure,detail,value\r\n";
};

} // namespace ringmaster
