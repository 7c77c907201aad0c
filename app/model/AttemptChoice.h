#pragma once

#include "app/model/RunModel.h"

#include <QObject>

namespace ringmaster::app {

/// Which attempt of a run its page is about: all of them, or one. The time axis keeps all.
class AttemptChoice : public QObject
{
    Q_OBJECT

public:
    static constexpr int All = -1;

    explicit AttemptChoice(const RunModel& run, QObject* parent = nullptr);

    void choose(int attempt);
    int chosen() const { return m_chosen; } ///< From 0; All.
    /// That have been started by now.
    int count() const { return m_run.snapshot().attempt + 1; }
    /// One that is over, and not the only one that is shown.
    bool isEarlier() const { return m_chosen != All && m_chosen < m_run.snapshot().attempt; }
    /// What is counted: monotonic ns from the chosen one's start to the next one's, or of all.
    /// Nothing: there is only one.
    std::optional<OperationSummary::TimeRange> time() const;

Q_SIGNALS:
    void changed();
    void countChanged();

private:
    const RunModel& m_run;
    int m_chosen = All;
    int m_count = 0;
};

} // namespace ringmaster::app
