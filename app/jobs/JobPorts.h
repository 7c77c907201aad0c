#pragma once

#include "app/bridge/Mailbox.h"
#include "engine/control/PortForwards.h"

#include <QList>
#include <QObject>
#include <QString>

#include <memory>
#include <string>
#include <vector>

namespace ringmaster::app {

class EngineBridge;

/// Ports of running jobs at 127.0.0.1 here: forwarded from another machine, or here already. Each
/// ends with its run, when somebody stops it, and with this.
class JobPorts : public QObject
{
    Q_OBJECT

public:
    struct Port
    {
        int id = 0;
        std::string run{};
        QString host{}; ///< Empty: this machine, where nothing is forwarded.
        int port = 0;
        int localPort = 0; ///< 0: it isn't there, or not yet.
        QString trouble{}; ///< Why, or what became of the last connection.
    };

    explicit JobPorts(EngineBridge& bridge, QObject* parent = nullptr);

    /// Of the host of that rank, of a run on several; of rank 0 where it is -1.
    void bring(const std::string& run, const RunSnapshot& snapshot, int globalRank, int port);
    void stop(int id);
    std::vector<Port> of(const std::string& run) const;

    /// Those that were asked for last, the latest first.
    const QList<int>& recent() const { return m_recent; }
    void setRecent(const QList<int>& ports);

Q_SIGNALS:
    void changed();

private:
    struct Entry
    {
        Port port{};
        Subscription forward{};
    };

    void forward(int id, const std::string& host, int port);
    /// Null: it was stopped.
    Port* find(int id);
    void endWithRuns();

    EngineBridge& m_bridge;
    Mailbox m_mailbox;
    QList<int> m_recent;
    int m_last = 0;
    std::unique_ptr<PortForwards> m_forwards; ///< From the first one on.
    std::vector<Entry> m_entries;             ///< Gone before what they are subscribed to.
};

} // namespace ringmaster::app
