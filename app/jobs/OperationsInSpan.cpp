#include "app/jobs/OperationsInSpan.h"

#include <algorithm>

namespace ringmaster::app {

OperationSummary seriesIn(const OperationSummary& summary, const TimeSpan& span)
{
    OperationSummary shown{.spanNs = summary.spanNs, .series = summary.series};
    if (span.showsAll())
        return shown;
    const TimeSpan::Range range = span.shown();
    for (OperationSummary::Series& series : shown.series) {
        std::erase_if(series.points, [&](const OperationSummary::Point& point) {
            return point.fromNs + shown.spanNs <= range.from || point.fromNs >= range.to;
        });
    }
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
