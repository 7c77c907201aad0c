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
collectivesIn(const OperationSummary::GroupCollectives& group, const TimeSpan& span)
{
    std::vector<OperationSummary::Collective> collectives = group.collectives;
    if (span.showsAll())
        return collectives;
    const TimeSpan::Range range = span.shown();
    std::erase_if(collectives, [range](const OperationSummary::Collective& collective) {
        const std::int64_t at = collective.last().enteredNs;
        return at < range.from || at >= range.to;
    });
    return collectives;
}

} // namespace ringmaster::app
