#include "engine/node/DrillPlan.h"

#include "engine/event/Codes.h"
#include "engine/node/Codes.h"
#include "engine/text/Duration.h"
#include "engine/text/NumberNames.h"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto UsualStop = 10s;
constexpr auto UsualSlow = 30s;
constexpr auto UsualCut = 15s;
constexpr int MostRank = 1'000'000;
constexpr size_t LongestHost = 255;
constexpr std::string_view HostPrefix = "host=";

struct KindName
{
    std::string_view name;
    BeginDrill::Kind kind;
    std::chrono::seconds time;
};
constexpr std::array Kinds{KindName{"kill", BeginDrill::Kind::Kill, 0s},
                           KindName{"stop", BeginDrill::Kind::Stop, UsualStop},
                           KindName{"slow", BeginDrill::Kind::Slow, UsualSlow},
                           KindName{"cut", BeginDrill::Kind::CutHost, UsualCut}};

/// What stands before the separator; the rest stays in `text`.
std::string_view cut(std::string_view& text, char separator)
{
    const size_t end = text.find(separator);
    const std::string_view part = text.substr(0, end);
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    return part;
}

bool setKind(BeginDrill& drill, std::string_view name)
{
    for (const KindName& known : Kinds) {
        if (known.name != name)
            continue;
        drill.kind = known.kind;
        drill.duration = known.time;
        return true;
    }
    return false;
}

bool setRank(BeginDrill& drill, std::string_view text)
{
    const auto read = std::from_chars(text.data(), text.data() + text.size(), drill.globalRank);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() &&
           drill.globalRank >= 0 && drill.globalRank <= MostRank;
}

/// What is done to it, once it is known whether that is a host.
Result<void> setHost(BeginDrill& drill, std::string_view text)
{
    const bool hasHost = !drill.host.empty();
    if (drill.isOfHost() && !hasHost)
        return fail(code::DrillHostNotNamed, {{"text", std::string(text)}});
    if (!hasHost)
        return {};
    if (drill.host.size() > LongestHost)
        return fail(code::DrillNotUnderstood, {{"text", std::string(text)}});
    if (drill.kind == BeginDrill::Kind::Kill)
        drill.kind = BeginDrill::Kind::KillHost;
    if (!drill.isOfHost())
        return fail(code::DrillNotOfHost, {{"text", std::string(text)}});
    return {};
}

bool setTime(BeginDrill& drill, std::string_view text)
{
    const auto time = parseDuration(text);
    if (!time || drill.isKill())
        return false;
    drill.duration = *time;
    return true;
}

/// "30s", or "step100": a counter's name and its value.
bool setWhen(DrillPlan& plan, std::string_view text)
{
    if (const auto delay = parseDuration(text); delay && delay->count() >= 0) {
        plan.delay = delay;
        return true;
    }
    const size_t digits = text.find_last_not_of("0123456789") + 1;
    plan.counter = numberName(text.substr(0, digits));
    const std::string_view value = text.substr(digits);
    const auto read = std::from_chars(value.data(), value.data() + value.size(), plan.value);
    return !plan.counter.empty() && !value.empty() && read.ec == std::errc();
}

} // namespace

Result<DrillPlan> parseDrill(std::string_view text, const std::string& host)
{
    const auto refused = fail(code::DrillNotUnderstood, {{"text", std::string(text)}});
    DrillPlan plan;
    // A host's name may have one, too: "ada@gpu2".
    const size_t at = text.rfind('@');
    if (at != std::string_view::npos && !setWhen(plan, text.substr(at + 1)))
        return refused;
    std::string_view what = text.substr(0, at);
    bool isMore = what.find(':') != std::string_view::npos;
    if (!setKind(plan.drill, cut(what, ':')))
        return refused;
    const bool namesTarget = isMore && host.empty();
    if (namesTarget) {
        isMore = what.find(':') != std::string_view::npos;
        const std::string_view target = cut(what, ':');
        if (target.starts_with(HostPrefix))
            plan.drill.host = target.substr(HostPrefix.size());
        else if (plan.drill.isOfHost() || !setRank(plan.drill, target))
            return refused;
        if (target == HostPrefix)
            return fail(code::DrillHostNotNamed, {{"text", std::string(text)}});
    } else {
        plan.drill.host = host;
    }
    RM_TRY(setHost(plan.drill, text));
    if (isMore && !setTime(plan.drill, what))
        return refused;
    return plan;
}

Result<void> checkTimes(const BeginDrill& drill)
{
    const auto fits = [](std::chrono::nanoseconds time) {
        return time >= DrillPlan::LeastTime && time <= DrillPlan::MostTime;
    };
    if ((drill.isKill() || fits(drill.duration)) && fits(drill.limit))
        return {};
    return fail(code::DrillTimeNotValid, {{"least", durationText(DrillPlan::LeastTime)},
                                          {"most", durationText(DrillPlan::MostTime)}});
}

} // namespace ringmaster
