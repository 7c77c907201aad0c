#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/RunModel.h"

#include <QTimer>

namespace ringmaster::app {

/// What a run's operations amount to: read on once a second while somebody looks and the run goes
/// on, once to the end when it is over.
class OperationFeed : public QObject
{
    Q_OBJECT

public:
    OperationFeed(EngineBridge& bridge, const RunModel& run, QObject* parent = nullptr);

    void setWatched(bool isWatched);

    const OperationSummary& summary() const { return m_summary; }
    bool hasAnswer() const { return m_hasAnswer; }
    const std::optional<Error>& error() const { return m_error; }

Q_SIGNALS:
    void changed();

private:
    void ask();
    void take(const Result<OperationSummary>& answer, bool wasComplete);

    EngineBridge& m_bridge;
    const RunModel& m_run;
    OperationSummary m_summary;
    std::optional<Error> m_error;
    bool m_hasAnswer = false;
    bool m_isWatched = false;
    bool m_isAsking = false;
    bool m_isReadToTheEnd = false;
    QTimer m_next;
};

} // namespace ringmaster::app
