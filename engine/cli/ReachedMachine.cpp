#include "engine/cli/ReachedMachine.h"

#include "engine/control/WatchingCluster.h"

namespace ringmaster {

ReachedMachine::ReachedMachine(std::string name, Told told)
    : m_name(std::move(name))
    , m_told(std::move(told))
    , m_machine(std::make_shared<WatchedMachine>(
          m_loop, m_ways, m_queue,
          WatchedMachine::Options{.name = m_name, .way = [this](auto way) { return nextTry(way); }},
          m_told.runsChanged, m_told.stateChanged))
{
}

ReachedMachine::~ReachedMachine()
{
    m_ways.stop();
    m_loop.stop();
    m_machine->close();
}

void ReachedMachine::start()
{
    m_loop.post([machine = m_machine] { machine->start(); });
}

Result<HostLink::Options> ReachedMachine::nextTry(WatchedMachine::Way way)
{
    constexpr int MostTries = 2;
    if (++m_tries > MostTries)
        m_told.notReached(m_machine->state().why);
    return WatchingCluster::usualWay(m_name, way);
}

} // namespace ringmaster
