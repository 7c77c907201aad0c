#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/RunModel.h"

#include <QTimer>

namespace ringmaster::app {

/// The numbers that a run's workers print: read on once a second while somebody looks, and less
/// often as long as nobody knows whether there are any; to the end when the run is over.
class NumberFeed : public QObject
{
    Q_OBJECT

public:
    NumberFeed(EngineBridge& bridge, const RunModel& run, QObject* parent = nullptr);

    /// Someone sees the numbers; nobody does, but may want to know of them; nobody.
    enum class Watch { None, Sparse, Full };
    void setWatch(Watch watch);
    /// Those whose lines are wanted; empty: of none.
    void setNames(std::vector<std::string> names);

    const NumberSummary& summary() const { return m_summary; }
    const std::vector<std::string>& names() const { return m_names; }

Q_SIGNALS:
    void changed();

private:
    void ask();
    void take(const Result<NumberSummary>& answer, bool wasComplete);
    bool isUpToDate() const { return m_isReadToTheEnd && m_asked == m_names; }

    EngineBridge& m_bridge;
    const RunModel& m_run;
    NumberSummary m_summary;
    std::vector<std::string> m_names;
    std::vector<std::string> m_asked;
    Watch m_watch = Watch::None;
    bool m_isAsking = false;
    bool m_isReadToTheEnd = false;
    QTimer m_next;
};

} // namespace ringmaster::app
