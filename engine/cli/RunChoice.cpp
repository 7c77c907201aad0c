#include "engine/cli/RunChoice.h"

#include "engine/cli/Codes.h"
#include "engine/record/Codes.h"
#include "engine/text/Spelling.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr size_t MostNamed = 4;

std::string idsOf(const std::vector<RunSummary>& runs)
{
    std::string text;
    for (size_t i = 0; i < runs.size() && i < MostNamed; ++i)
        text += (i > 0 ? ", " : "") + runs[i].id;
    return runs.size() > MostNamed ? text + " …" : text;
}

template <class Wanted>
std::vector<RunSummary> those(const std::vector<RunSummary>& runs, Wanted wanted)
{
    std::vector<RunSummary> found;
    std::ranges::copy_if(runs, std::back_inserter(found), wanted);
    return found;
}

Result<RunSummary> withoutAWord(const std::vector<RunSummary>& runs, RunScope scope)
{
    const auto live = those(runs, [](const RunSummary& run) { return run.isLive; });
    if (live.size() == 1)
        return live.front();
    if (scope == RunScope::Running)
        return live.empty() ? fail(code::NoRunningRun)
                            : fail(code::SeveralRunning, {{"runs", idsOf(live)}});
    if (runs.empty())
        return fail(code::NoRuns);
    return runs.front();
}

tl::unexpected<Error> notFound(const std::vector<RunSummary>& runs, const std::string& text)
{
    std::vector<std::string> known;
    for (const RunSummary& run : runs) {
        known.push_back(run.id);
        known.push_back(run.name);
    }
    if (const auto nearest = nearestSpelling(text, known))
        return fail(code::RunNotFoundNear, {{"text", text}, {"nearest", *nearest}});
    return fail(code::RunNotFound, {{"run", text}});
}

} // namespace

Result<RunSummary> chooseRun(const std::vector<RunSummary>& runs, const std::string& text,
                             RunScope scope)
{
    if (text.empty())
        return withoutAWord(runs, scope);
    const auto exact = those(runs, [&](const RunSummary& run) { return run.id == text; });
    if (!exact.empty())
        return exact.front();
    // Runs come newest first: the first of a name is the latest, but a running one is meant rather.
    const auto named = those(runs, [&](const RunSummary& run) {
        return run.name == text || (!run.labels.name.empty() && run.labels.name == text);
    });
    const auto running = std::ranges::find_if(named, [](const auto& run) { return run.isLive; });
    if (!named.empty())
        return running != named.end() ? *running : named.front();
    const auto begun = those(runs, [&](const RunSummary& run) { return run.id.starts_with(text); });
    if (begun.size() == 1)
        return begun.front();
    if (begun.size() > 1)
        return fail(code::RunAmbiguous, {{"text", text}, {"runs", idsOf(begun)}});
    return notFound(runs, text);
}

} // namespace ringmaster
