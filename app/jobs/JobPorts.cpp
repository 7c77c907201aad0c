#include "app/jobs/JobPorts.h"

#include "app/bridge/EngineBridge.h"
#include "app/bridge/MachineBridge.h"
#include "app/bridge/Messages.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

constexpr qsizetype MostRecent = 8;

} // namespace

JobPorts::JobPorts(EngineBridge& bridge, QObject* parent) : QObject(parent), m_bridge(bridge)
{
    connect(&bridge, &EngineBridge::runsChanged, this, &JobPorts::endWithRuns);
}

void JobPorts::bring(const std::string& run, const RunSnapshot& snapshot, int globalRank, int port)
{
    const auto known = of(run);
    m_recent.removeAll(port);
    setRecent(QList<int>{port} + m_recent);
    std::string host = machineOf(run).toStdString();
    bool isKnown = true;
    if (host.empty() && !snapshot.hosts.empty()) {
        const auto found = hostOfRank(snapshot, std::max(globalRank, 0));
        isKnown = found.has_value();
        host = found.value_or("");
    }
    const bool isHere = host.empty() || host == "localhost";
    const QString shown = isHere ? QString() : QString::fromStdString(host);
    const bool isThere = std::ranges::any_of(known, [&](const Port& each) {
        return each.port == port && each.host == shown && each.localPort > 0;
    });
    if (isThere)
        return;
    const int id = ++m_last;
    m_entries.push_back({.port = {.id = id, .run = run, .host = shown, .port = port}});
    if (!isKnown)
        m_entries.back().port.trouble = tr("No rank runs now: nobody can say which host is meant.");
    else if (isHere)
        m_entries.back().port.localPort = port;
    else
        forward(id, host, port);
    Q_EMIT changed();
}

void JobPorts::forward(int id, const std::string& host, int port)
{
    if (m_forwards == nullptr)
        m_forwards = std::make_unique<PortForwards>();
    const auto tell = [this, slot = m_mailbox.slot(), id](auto change) {
        slot->post([this, id, change = std::move(change)] {
            if (Port* known = find(id)) {
                change(*known);
                Q_EMIT changed();
            }
        });
    };
    m_entries.back().forward =
        m_forwards->open(host, port,
                         {.opened =
                              [tell](const Result<int>& localPort) {
                                  tell([localPort](Port& known) {
                                      if (localPort)
                                          known.localPort = *localPort;
                                      else
                                          known.trouble = text(localPort.error());
                                  });
                              },
                          .failed =
                              [tell](const Error& why) {
                                  tell([why](Port& known) { known.trouble = text(why); });
                              }});
}

JobPorts::Port* JobPorts::find(int id)
{
    const auto entry =
        std::ranges::find_if(m_entries, [id](const Entry& each) { return each.port.id == id; });
    return entry != m_entries.end() ? &entry->port : nullptr;
}

void JobPorts::stop(int id)
{
    if (std::erase_if(m_entries, [id](const Entry& each) { return each.port.id == id; }) > 0)
        Q_EMIT changed();
}

void JobPorts::endWithRuns()
{
    const auto isOver = [this](const Entry& each) {
        const RunSummary* run = m_bridge.find(each.port.run);
        return run == nullptr || !run->isLive;
    };
    if (std::erase_if(m_entries, isOver) > 0)
        Q_EMIT changed();
}

std::vector<JobPorts::Port> JobPorts::of(const std::string& run) const
{
    std::vector<Port> ports;
    for (const Entry& entry : m_entries)
        if (entry.port.run == run)
            ports.push_back(entry.port);
    return ports;
}

void JobPorts::setRecent(const QList<int>& ports)
{
    m_recent = ports.mid(0, MostRecent);
}

} // namespace ringmaster::app
