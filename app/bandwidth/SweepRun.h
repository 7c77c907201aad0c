#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/Ceiling.h"

#include <QObject>

#include <optional>
#include <vector>

namespace ringmaster::app {

/// One sweep, live or finished: its plan and what it has measured so far.
class SweepRun : public QObject
{
    Q_OBJECT

public:
    static constexpr size_t MostRows = 20'000;

    SweepRun(EngineBridge& bridge, std::string run, QObject* parent);

    const std::string& run() const { return m_run; }
    /// Nothing until it is known.
    const std::optional<SweepPlan>& plan() const { return m_plan; }
    /// Of the latest attempt, in the order of the plan.
    const std::vector<SweepRow>& rows() const { return m_rows; }
    /// Between which it measures, as calibrations name them; empty: on this machine.
    std::vector<std::string> hosts() const { return hostsOf(m_snapshot); }
    Moment startedAt() const { return m_snapshot.startedAt; }
    RunState state() const { return m_snapshot.state; }
    const Message& reason() const { return m_snapshot.reason; }
    /// No more can come, also where its end isn't known.
    bool isOver() const { return m_isComplete || isFinal(m_snapshot.state); }
    /// Why it couldn't be read to its end.
    const std::optional<Error>& error() const { return m_error; }
    /// "14:02", or "ring 14:02" beside others
    QString label() const;

Q_SIGNALS:
    void changed();

private:
    void apply(const std::vector<Event>& events);
    void take(const SweepRow& row);
    void setEnded(const std::optional<Error>& error);

    std::string m_run;
    std::optional<SweepPlan> m_plan;
    std::vector<SweepRow> m_rows;
    RunSnapshot m_snapshot;
    bool m_isComplete = false;
    std::optional<Error> m_error;
};

} // namespace ringmaster::app
