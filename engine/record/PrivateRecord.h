#pragma once

#include "engine/base/Result.h"
#include "engine/record/Secrets.h"

#include <filesystem>

namespace ringmaster {

/// What stays in a run's folder beside its file, for its owner: the job as it was launched, so that
/// it can be launched again, and the fingerprints of what is scrubbed from what goes out.
class PrivateRecord
{
public:
    explicit PrivateRecord(const std::filesystem::path& runFolder)
        : m_job(runFolder / "job.json"), m_inherited(runFolder / "inherited.json")
    {
    }

    Result<void> keepJob(const RunStarted& started) const;
    /// Added to what is kept already: each host of a run may have inherited others.
    Result<void> keepInherited(const InheritedSecrets& secrets) const;
    InheritedSecrets inherited() const;

    /// Gives a masked job its secrets back; nothing happens where they aren't known.
    void restore(RunStarted& started) const;
    /// Adds the fingerprints of what was inherited.
    void addTo(Secrets& secrets) const;

private:
    std::filesystem::path m_job;
    std::filesystem::path m_inherited;
};

} // namespace ringmaster
