#pragma once

#include "app/bridge/EngineBridge.h"

#include <QTimer>

#include <map>
#include <set>

namespace ringmaster::app {

/// How far the runs that go on are, by what their workers print; asked every few seconds.
class RunProgress : public QObject
{
    Q_OBJECT

public:
    using Progress = NumberSummary::Progress;

    explicit RunProgress(EngineBridge& bridge, QObject* parent = nullptr);

    /// By run; of one that says no total there is none.
    const std::map<std::string, Progress>& all() const { return m_all; }

    /// Null: there is none.
    const Progress* find(const std::string& run) const;

Q_SIGNALS:
    void changed();

private:
    void ask();
    void take(const std::string& run, const Result<NumberSummary>& answer);

    EngineBridge& m_bridge;
    std::map<std::string, Progress> m_all;
    std::set<std::string> m_asked;
    QTimer m_tick;
};

} // namespace ringmaster::app
