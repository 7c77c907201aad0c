#include "engine/event/SweepText.h"

#include "engine/text/CsvCell.h"

#include <array>
#include <cstdio>

namespace ringmaster {

namespace {

template <class... Values>
std::string formatted(const char* format, Values... values)
{
    std::array<char, 256> text{};
    std::snprintf(text.data(), text.size(), format, values...);
    return text.data();
}

/// nccl-tests': as many decimals, up to two, as leave it in the width; else an exponent.
std::string fitted(double value, int width)
{
    for (int decimals = 2; decimals >= 0; --decimals) {
        std::string text = formatted("%*.*f", width, decimals, value);
        if (static_cast<int>(text.size()) <= width)
            return text;
    }
    return formatted("%*.*e", width, 1, value);
}

double microseconds(std::int64_t nanoseconds)
{
    return static_cast<double>(nanoseconds) / 1e3;
}

/// Not every program that measures tells all of them.
std::string ifKnown(std::int64_t nanoseconds, const std::string& text)
{
    return nanoseconds > 0 ? text : "N/A";
}

std::string wrongText(std::int64_t wrong)
{
    return wrong < 0 ? "N/A" : std::to_string(wrong);
}

std::string orNone(const std::string& text)
{
    return text.empty() ? "none" : text;
}

std::string timeCell(std::int64_t nanoseconds)
{
    return nanoseconds > 0 ? formatted(",%.3f", microseconds(nanoseconds)) : ",";
}

std::string figures(const SweepRow& row)
{
    if (!row.isMeasured())
        return ",,,,,,,," + csvCell(describe(row.problem));
    return std::to_string(row.iterations) + timeCell(row.timeNs) + timeCell(row.minNs) +
           timeCell(row.p50Ns) + timeCell(row.p99Ns) +
           formatted(",%.6g,%.6g,", row.algorithmBandwidth / 1e9, row.busBandwidth / 1e9) +
           (row.wrong < 0 ? "" : std::to_string(row.wrong)) + ",";
}

} // namespace

std::string sweepCsv(const std::vector<SweepRow>& rows)
{
    std::string csv = "collective,backend,algorithm,device,type,redop,root,ranks,hosts,size_bytes,"
                      "count,iterations,time_us,min_us,p50_us,p99_us,algbw_gbs,busbw_gbs,wrong,"
                      "problem\r\n";
    for (const SweepRow& row : rows) {
        for (const std::string& text : {row.collective, row.backend, row.algorithm, row.device,
                                        row.type, orNone(row.reduction)})
            csv += csvCell(text) + ",";
        const std::int64_t bytes = row.isMeasured() ? row.bytes : row.wantedBytes;
        for (const std::int64_t number : {std::int64_t{row.root}, std::int64_t{row.ranks},
                                          std::int64_t{row.hosts}, bytes, row.count})
            csv += std::to_string(number) + ",";
        csv += figures(row) + "\r\n";
    }
    return csv;
}

std::string sweepHeader()
{
    return formatted("#%11s %12s %8s %6s %6s  %8s %7s %7s %8s %8s %6s  %s\n", "size", "count",
                     "type", "redop", "root", "time", "algbw", "busbw", "p50", "p99", "#wrong",
                     "algorithm") +
           formatted("#%11s %12s %8s %6s %6s  %8s %7s %7s %8s %8s %6s", "(B)", "(elements)", "", "",
                     "", "(us)", "(GB/s)", "(GB/s)", "(us)", "(us)", "");
}

std::string sweepLine(const SweepRow& row)
{
    const std::int64_t bytes = row.isMeasured() ? row.bytes : row.wantedBytes;
    const std::string start =
        formatted("%12lld %12lld %8s %6s %6d  ", static_cast<long long>(bytes),
                  static_cast<long long>(row.count), row.type.c_str(),
                  orNone(row.reduction).c_str(), row.root);
    if (!row.isMeasured())
        return start + describe(row.problem);
    return start + fitted(microseconds(row.timeNs), 8) + " " +
           fitted(row.algorithmBandwidth / 1e9, 7) + " " + fitted(row.busBandwidth / 1e9, 7) + " " +
           formatted("%8s", ifKnown(row.p50Ns, fitted(microseconds(row.p50Ns), 8)).c_str()) + " " +
           formatted("%8s", ifKnown(row.p99Ns, fitted(microseconds(row.p99Ns), 8)).c_str()) + " " +
           formatted("%6s", wrongText(row.wrong).c_str()) +
           (row.algorithm.empty() ? "" : "  " + row.algorithm);
}

} // namespace ringmaster
