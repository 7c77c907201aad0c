#include "engine/lead/LostRun.h"

#include "engine/node/Codes.h"

#include <algorithm>

namespace ringmaster {

namespace {

Result<void> readEvents(const RunFileReader& reader, LostRun& run)
{
    for (std::uint64_t last = 0;;) {
        const std::vector<Event> events = RM_TRY(reader.events(last, {}));
        if (events.empty())
            return {};
        for (const Event& event : events) {
            run.standing.happened(event);
            run.ends.happened(event.id.agent, event);
        }
        last = events.back().runSequence;
    }
}

Result<void> readOperations(const RunFileReader& reader, LostRun& run)
{
    for (std::uint64_t cursor = 0;;) {
        constexpr size_t BlocksAPage = 64;
        const auto page = RM_TRY(reader.operations(cursor, BlocksAPage));
        if (page.rows.empty())
            return {};
        for (const OperationRow& row : page.rows) {
            std::int64_t& until = run.operations[{row.attempt, row.globalRank}];
            until = std::max(until, row.lastNs);
        }
        cursor = page.cursor;
    }
}

} // namespace

Result<LostRun> LostRun::read(const RunFolder& folder, RunStanding::MayExplain mayExplain)
{
    const RunFileReader reader = RM_TRY(folder.openReader());
    LostRun run{.standing = RunStanding(std::move(mayExplain))};
    RM_TRY(readEvents(reader, run));
    const RunState state = run.standing.snapshot().state;
    if (isFinal(state) && state != RunState::Lost)
        return fail(code::RunNotRunning, {{"run", folder.id()}});
    RM_TRY(readOperations(reader, run));
    run.logs.sizes = RM_TRY(reader.recordedLogBytes());
    for (const RecordGap& gap : RM_TRY(reader.gaps()))
        if (gap.kind == RecordGap::Kind::LogOutput)
            run.logs.lostBytes += gap.bytes;
    return run;
}

} // namespace ringmaster
