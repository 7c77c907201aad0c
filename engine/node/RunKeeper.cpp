#include "engine/node/RunKeeper.h"

#include "engine/base/Log.h"
#include "engine/control/OrphanSweep.h"

namespace ringmaster {

void RunKeeper::summarise(const RunSnapshot& snapshot)
{
    const std::lock_guard lock(m_mutex);
    const bool isWaiting = m_latest.has_value();
    m_latest = snapshot;
    if (!isWaiting)
        m_thread.post([this] { writeLatest(); });
}

void RunKeeper::writeLatest()
{
    std::optional<RunSnapshot> latest;
    {
        const std::lock_guard lock(m_mutex);
        latest = std::exchange(m_latest, std::nullopt);
    }
    if (!latest)
        return;
    if (const auto written = m_folder.writeSummary(*latest); !written)
        log::warning("node", describe(written.error()));
}

void RunKeeper::keepHouse(const RunCatalog& catalog, const RunCatalog::Retention& retention)
{
    m_thread.post([catalog, retention] {
        // list() closes what is lost; those that it has just closed may have left processes.
        for (const RunSummary& run : catalog.list()) {
            if (run.state == RunState::Lost)
                sweepOrphans(run.id);
        }
        catalog.prune(retention);
    });
}

void RunKeeper::finish(const RunSnapshot& snapshot)
{
    m_thread.stop();
    if (const auto written = m_folder.writeSummary(snapshot); !written)
        log::warning("node", describe(written.error()));
}

} // namespace ringmaster
