#include "app/model/RunProgress.h"

#include <algorithm>
#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

RunProgress::RunProgress(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge)
{
    m_tick.setInterval(5s);
    connect(&m_tick, &QTimer::timeout, this, &RunProgress::ask);
    connect(&bridge, &EngineBridge::runsChanged, this, [this] {
        // One that has ended is at once without progress.
        const size_t removed = std::erase_if(m_all, [this](const auto& entry) {
            const RunSummary* run = m_bridge.find(entry.first);
            return run == nullptr || !run->isLive;
        });
        if (removed > 0)
            Q_EMIT changed();
    });
    m_tick.start();
    ask();
}

const RunProgress::Progress* RunProgress::find(const std::string& run) const
{
    const auto found = m_all.find(run);
    return found == m_all.end() ? nullptr : &found->second;
}

void RunProgress::ask()
{
    for (const RunSummary& run : m_bridge.runs()) {
        if (!run.isLive || !m_asked.insert(run.id).second)
            continue;
        m_bridge.ask(&Cluster::readLastNumbers, run.id)
            .then(this, [this, id = run.id](const Result<NumberSummary>& answer) {
                m_asked.erase(id);
                take(id, answer);
            });
    }
}

void RunProgress::take(const std::string& run, const Result<NumberSummary>& answer)
{
    const RunSummary* summary = m_bridge.find(run);
    const bool isLive = summary != nullptr && summary->isLive;
    const auto progress = answer && isLive ? answer->progress : std::nullopt;
    const auto before = m_all.find(run);
    const bool isSame = before == m_all.end() ? !progress : progress && *progress == before->second;
    if (isSame)
        return;
    if (progress)
        m_all[run] = *progress;
    else
        m_all.erase(run);
    Q_EMIT changed();
}

} // namespace ringmaster::app
