#pragma once

#include "engine/base/Result.h"
#include "engine/event/SweepEvents.h"
#include "engine/import/ImportedRun.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// One table that a program of nccl-tests printed, or wrote as JSON.
struct NcclTestsTable
{
    std::filesystem::path file{};
    std::int64_t writtenNs = 0; ///< When the file was last changed; 0: unknown.
    std::string program{};      ///< "all_reduce_perf"; empty: it isn't said.
    std::vector<SweepRow> outOfPlace{};
    std::vector<SweepRow> inPlace{};
    std::vector<std::string> hosts{}; ///< Of each rank; empty: it isn't said.
    std::set<std::string> devices{};  ///< "NVIDIA H100 80GB HBM3"
    int iterations = 0;
    int warmup = 0;
    std::optional<std::int64_t> wrong{}; ///< By its last lines: values that were out of bounds.
    bool isWhole = false;                ///< It has its last lines.
    bool isOfCpu = false;                ///< Its times are the processor's (-C).

    int ranks() const { return static_cast<int>(hosts.size()); }
    bool isEmpty() const { return outOfPlace.empty() && inPlace.empty(); }
};

/// Whether this, the beginning of a file, may be what nccl-tests printed, its JSON, or such a table
/// as CSV.
bool looksLikeNcclTests(std::string_view beginning);

/// From the content of a file, which may have the output of several programs. Columns are known by
/// their names. Bounded, whatever the bytes are.
Result<std::vector<NcclTestsTable>> readNcclTests(std::string_view content);

/// Its JSON (-J) alone.
Result<NcclTestsTable> readNcclTestsJson(std::string_view content);

/// One table as a sweep: what `ringmaster sweep` makes, as far as it is told. An error where
/// nothing says what was measured. Pure.
Result<ImportedRun> runOf(const NcclTestsTable& table);

/// By torch's name; what nccl-tests calls "float", "half".
std::string torchTypeCalled(std::string_view name);

constexpr size_t MostNcclTestsRows = 20'000; // the dashboard shows no more
constexpr size_t MostNcclTestsTables = 256;

} // namespace ringmaster
