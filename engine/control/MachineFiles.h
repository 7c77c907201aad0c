#pragma once

#include "engine/control/OperationReading.h"
#include "engine/record/RunCatalog.h"

namespace ringmaster {

/// Reads in the files of this machine's runs for somebody at another one: parts that are small
/// enough for a slow way. One thread at a time.
class MachineFiles
{
public:
    explicit MachineFiles(std::filesystem::path runs) : m_catalog(std::move(runs)) {}

    Result<OperationPart> operations(const std::string& run, const OperationPart::Query& query);
    /// A chunk for each of the first places, as many as one answer has room for.
    Result<LogPage> lines(const std::string& run, const std::vector<LogPlace>& places);

private:
    template <class T, class Read>
    Result<T> reading(const std::string& run, Read read);

    RunCatalog m_catalog;
    std::string m_run;
    std::optional<RunFileReader> m_reader; ///< Of that run.
};

} // namespace ringmaster
