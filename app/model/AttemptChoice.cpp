#include "app/model/AttemptChoice.h"

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {
/// An attempt that goes on ends at no moment that is known.
constexpr std::int64_t NeverNs = std::int64_t{1} << 60;
} // namespace

AttemptChoice::AttemptChoice(const RunModel& run, QObject* parent) : QObject(parent), m_run(run)
{
    connect(&run, &RunModel::runChanged, this, [this] {
        if (std::exchange(m_count, count()) != count())
            Q_EMIT countChanged();
    });
}

void AttemptChoice::choose(int attempt)
{
    if (std::exchange(m_chosen, attempt) != attempt)
        Q_EMIT changed();
}

std::optional<OperationSummary::TimeRange> AttemptChoice::time() const
{
    if (count() < 2)
        return std::nullopt;
    const RunHistory& history = m_run.history();
    OperationSummary::TimeRange range{history.begin().monotonicNs, NeverNs};
    if (m_chosen == All)
        return range;
    for (const RestartMark& mark : history.restarts()) {
        if (mark.endedAttempt == m_chosen)
            range.untilNs = mark.resumedAt ? mark.resumedAt->monotonicNs : NeverNs;
        if (mark.endedAttempt == m_chosen - 1 && mark.resumedAt)
            range.fromNs = mark.resumedAt->monotonicNs;
    }
    return range;
}

} // namespace ringmaster::app
