#include "engine/node/RunHousekeeper.h"

#include "engine/base/ControlGroup.h"
#include "engine/base/Log.h"
#include "engine/control/OrphanSweep.h"
#include "engine/worker/warm/LearntModules.h"

namespace ringmaster {

namespace {

void house(const RunCatalog& catalog, const RunCatalog::Retention& retention)
{
    // list() closes what is lost; those that it has just closed may have left processes.
    (void)sweepOrphans(catalog, catalog.list());
    (void)pruneRuns(catalog, retention);
    ControlGroup::removeAbandoned(ControlGroup::place());
}

} // namespace

RunHousekeeper::RunHousekeeper(RunFolder folder, std::filesystem::path learntModules)
    : m_folder(std::move(folder)), m_learntModules(std::move(learntModules))
{
}

std::filesystem::path RunHousekeeper::moduleReport() const
{
    return m_learntModules.empty() ? m_learntModules : m_folder.path() / "modules";
}

void RunHousekeeper::learn()
{
    m_thread.post([this] { learnNow(); });
}

void RunHousekeeper::learnNow()
{
    using namespace std::chrono;
    if (m_learntModules.empty())
        return;
    const auto today = floor<days>(system_clock::now());
    if (const auto learnt = learnModules(moduleReport(), m_learntModules, today); !learnt)
        log::warning("node", describe(learnt.error()));
}

void RunHousekeeper::summarise(const RunSnapshot& snapshot)
{
    // A run is over for others when its record is whole: finish() says so.
    if (isFinal(snapshot.state))
        return;
    const std::lock_guard lock(m_mutex);
    const bool isWaiting = m_latest.has_value();
    m_latest = snapshot;
    if (!isWaiting)
        m_thread.post([this] { writeLatest(); });
}

void RunHousekeeper::writeLatest()
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

void RunHousekeeper::keepHouse(const RunCatalog& catalog, const RunCatalog::Retention& retention)
{
    m_thread.post([this, catalog, retention] {
        m_hasKeptHouse = true;
        house(catalog, retention);
    });
}

void RunHousekeeper::finish(const RunSnapshot& snapshot, const Unrecorded& unrecorded,
                            const RunCatalog& catalog, const RunCatalog::Retention& retention)
{
    m_thread.stop();
    learnNow();
    std::error_code ignored;
    if (!m_learntModules.empty())
        std::filesystem::remove(moduleReport(), ignored);
    if (const auto written = m_folder.writeSummary(snapshot, unrecorded); !written)
        log::warning("node", describe(written.error()));
    if (!m_hasKeptHouse)
        house(catalog, retention);
}

} // namespace ringmaster
