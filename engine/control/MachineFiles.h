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

private:
    RunCatalog m_catalog;
    std::string m_run;
    std::optional<RunFileReader> m_reader; ///< Of that run.
};

} // namespace ringmaster
