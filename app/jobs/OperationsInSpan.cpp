#include "app/jobs/OperationsInSpan.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

/// A point is of a span of time: all that is in the range in part, as in the table.
void keepOnly(OperationSummary& shown, std::int64_t fromNs, std::int64_t untilNs)
{
    for (OperationSummary::Series& series : shown.series) {
        std::erase_if(series.points, [&](const OperationSummary::Point& point) {
            return point.fromNs + shown.spanNs <= fromNs || point.fromNs >= untilNs;
        });
    }
}

} // namespace

OperationSummary seriesOf(const OperationSummary& summary, const AttemptChoice& attempts)
{
    OperationSummary shown{.spanNs = summary.spanNs, .series = summary.series};
    if (const auto attempt = attempts.time(); attempt && attempts.chosen() != AttemptChoice::All)
        keepOnly(shown, attempt->fromNs, attempt->untilNs);
    return shown;
}

OperationSummary seriesIn(const OperationSummary& summary, const TimeSpan& span,
                          const AttemptChoice& attempts)
{
    OperationSummary shown = seriesOf(summary, attempts);
    if (!span.showsAll())
        keepOnly(shown, span.shown().from, span.shown().to);
    return shown;
}

std::vector<OperationSummary::Collective>
collectivesIn(const OperationSummary::GroupCollectives& group, const TimeSpan& span,
              const AttemptChoice& attempts)
{
    std::vector<OperationSummary::Collective> collectives = group.collectives;
    const auto keepOnly = [&collectives](std::int64_t fromNs, std::int64_t untilNs) {
        std::erase_if(collectives, [=](const OperationSummary::Collective& collective) {
            const std::int64_t at = collective.last().enteredNs;
            return at < fromNs || at >= untilNs;
        });
    };
    if (!span.showsAll())
        keepOnly(span.shown().from, span.shown().to);
    if (const auto attempt = attempts.time(); attempt && attempts.chosen() != AttemptChoice::All)
        keepOnly(attempt->fromNs, attempt->untilNs);
    return collectives;
}

} // namespace ringmaster::app
