#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/model/AttemptChoice.h"
#include "app/model/TimeSpan.h"

#include <QTimer>

namespace ringmaster::app {

/// What a run's operations amount to: read on once a second while somebody looks and the run goes
/// on, once to the end when it is over; anew for each span or attempt that is selected.
class OperationFeed : public QObject
{
    Q_OBJECT

public:
    OperationFeed(EngineBridge& bridge, const RunModel& run, TimeSpan& span,
                  AttemptChoice& attempts, QObject* parent = nullptr);

    void setWatched(bool isWatched);

    const OperationSummary& summary() const { return m_summary; }
    bool hasAnswer() const { return m_hasAnswer; }
    const std::optional<Error>& error() const { return m_error; }
    /// When the last answer came; zero: none has.
    const Moment& answeredAt() const { return m_answeredAt; }

Q_SIGNALS:
    void changed();
    /// At this moment, several times a second while the run goes on; else as the record has it.
    void placesChanged(const ringmaster::RankPlaces& places);

private:
    using TimeRange = OperationSummary::TimeRange;

    void ask();
    void look();
    void take(const Result<OperationSummary>& answer, bool wasComplete);
    /// Nothing: of the one attempt that there is.
    std::optional<TimeRange> wanted() const;
    bool isUpToDate() const { return m_isReadToTheEnd && wanted() == m_asked; }

    EngineBridge& m_bridge;
    const RunModel& m_run;
    TimeSpan& m_span;
    AttemptChoice& m_attempts;
    OperationSummary m_summary;
    std::optional<Error> m_error;
    std::optional<TimeRange> m_asked;
    Moment m_answeredAt{};
    bool m_hasAnswer = false;
    bool m_isWatched = false;
    bool m_isAsking = false;
    bool m_isReadToTheEnd = false;
    QTimer m_next;
    bool m_isLooking = false;
    bool m_isLive = false; ///< The agent has said where its ranks are.
    QTimer m_look;
};

} // namespace ringmaster::app
