#pragma once

#include "engine/base/Result.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// A part of the start-up hook that a worker is asked to start: `parts/_ringmaster_NAME.py`.
struct HookPart
{
    std::string name{};
    std::string value{}; ///< Handed to the part; what it means is the part's.

    bool operator==(const HookPart&) const = default;
};

/// The value of RINGMASTER_HOOK. Empty, and so no hook at all, where nothing is asked for.
/// Failures of parts are told in `reportFile`, which must be there; empty: nowhere.
std::string hookText(const std::vector<HookPart>& parts,
                     const std::filesystem::path& reportFile = {});

/// The folder for PYTHONPATH, with the sitecustomize and nothing else; beside this executable or in
/// ../libexec/ringmaster. Nothing where it isn't installed.
std::optional<std::filesystem::path> hookStartFolder();

/// The folder for PYTHONPATH that has the backend ring for torch, likewise beside this executable
/// or in ../libexec/ringmaster. Nothing where it isn't built.
std::optional<std::filesystem::path> ringFolder();

/// NCCL's profiler plugin, beside the parts of the start-up hook. Nothing where it isn't built.
std::optional<std::filesystem::path> ncclProfiler();

/// What a part tells the run: that it `failed`, or another kind of its own.
struct HookReport
{
    std::string part{};
    std::string kind{};
    int rank = -1; ///< -1: unknown
    int pid = 0;
    std::map<std::string, std::string> facts{};

    bool operator==(const HookReport&) const = default;
};

/// Reads a report file as it grows. Workers write it, so nothing in it is believed: lines that
/// aren't reports are left out, and no more than `MostReports` are given of an attempt.
class HookReportReader
{
public:
    static constexpr size_t MostReports = 4000;

    explicit HookReportReader(std::filesystem::path file) : m_file(std::move(file)) {}

    /// Another attempt: what the ones before have told doesn't count against it.
    void begin() { m_given = 0; }
    /// Complete lines that came since the last call.
    std::vector<HookReport> readNew();

private:
    std::filesystem::path m_file;
    std::uint64_t m_offset = 0;
    size_t m_given = 0;
};

} // namespace ringmaster
