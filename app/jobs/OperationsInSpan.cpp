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

std::vector<OperationSummary::Meeting> meetingsIn(const OperationSummary::GroupMeetings& group,
                                                  const TimeSpan& span)
{
    std::vector<OperationSummary::Meeting> meetings = group.meetings;
    if (span.showsAll())
        return meetings;
    const TimeSpan::Range range = span.shown();
    std::erase_if(meetings, [range](const OperationSummary::Meeting& meeting) {
        const std::int64_t at = meeting.last().enteredNs;
        return at < range.from || at >= range.to;
    });
    return meetings;
}

} // namespace ringmaster::app
