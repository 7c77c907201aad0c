#include "engine/ledger/DeviceTimes.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// Ends that were lost would be waited for for ever.
constexpr size_t MostLaunches = 65'536;

} // namespace

void DeviceTimes::called(const ledger::Record& open)
{
    m_calls[open.thread] = open.operation;
}

void DeviceTimes::launched(const ledger::Record& begun)
{
    const auto call = m_calls.find(begun.thread);
    if (call == m_calls.end())
        return;
    m_launches[begun.operation] = call->second;
    ++m_work[call->second].left;
    if (m_launches.size() > MostLaunches)
        m_launches.erase(m_launches.begin());
    if (m_work.size() > MostLaunches)
        m_work.erase(m_work.begin());
}

bool DeviceTimes::returned(std::uint64_t operation)
{
    std::erase_if(m_calls, [operation](const auto& call) { return call.second == operation; });
    const auto work = m_work.find(operation);
    if (work == m_work.end())
        return false;
    work->second.isReturned = true;
    return work->second.left > 0;
}

std::optional<std::uint64_t> DeviceTimes::ended(const ledger::Record& ended)
{
    const auto launch = m_launches.extract(ended.operation);
    const auto found = launch ? m_work.find(launch.mapped()) : m_work.end();
    if (found == m_work.end())
        return std::nullopt;
    Work& work = found->second;
    work.isMeasured &= ended.endedNs != 0;
    if (ended.startedNs != 0)
        work.startedNs =
            work.startedNs == 0 ? ended.startedNs : std::min(work.startedNs, ended.startedNs);
    work.endedNs = std::max(work.endedNs, ended.endedNs);
    work.channels = std::max(work.channels, ended.channels);
    if (--work.left > 0 || !work.isReturned)
        return std::nullopt;
    return found->first;
}

void DeviceTimes::complete(Operation& operation)
{
    const auto work = m_work.extract(operation.id);
    if (!work || !work.mapped().isMeasured)
        return;
    operation.startedNs = work.mapped().startedNs;
    operation.endedNs = work.mapped().endedNs;
    operation.channels = work.mapped().channels;
}

} // namespace ringmaster
