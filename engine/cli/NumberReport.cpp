#include "engine/cli/NumberReport.h"

#include "engine/base/Clock.h"
#include "engine/cli/Text.h"
#include "engine/control/RunNumbers.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace ringmaster {

namespace {

constexpr size_t EndBytes = 1U << 20U;
/// Of the numbers that aren't counters, in one line.
constexpr int MostShown = 3;

std::string numberText(double value)
{
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.6g", value);
    return text.data();
}

std::string textOf(const NumberSummary::Latest& latest)
{
    const std::string total = latest.total ? "/" + numberText(*latest.total) : "";
    return latest.name + " " + numberText(latest.value) + total;
}

} // namespace

Result<NumberReport> NumberReport::read(const RunFileReader& reader, bool isLive)
{
    const RunNumbers numbers = RM_TRY(RunNumbers::ofEnd(reader, EndBytes));
    NumberReport report;
    report.m_nowNs = SystemClock().now().wallNs;
    report.m_summary = numbers.summary({}, isLive ? std::optional(report.m_nowNs) : std::nullopt);
    return report;
}

std::string NumberReport::line() const
{
    std::string counters;
    std::string others;
    int shown = 0;
    std::string last; // a name once, of the lowest rank that says it
    for (const NumberSummary::Latest& latest : m_summary.latest) {
        if (latest.name == last)
            continue;
        last = latest.name;
        if (latest.isCounter)
            counters += textOf(latest) + "  ";
        else if (shown++ < MostShown)
            others += textOf(latest) + "  ";
    }
    std::string text = counters + others;
    const auto& progress = m_summary.progress;
    if (progress && progress->endWallNs)
        text += "ETA " + durationText(std::max<std::int64_t>(*progress->endWallNs - m_nowNs, 0));
    while (text.ends_with(' '))
        text.pop_back();
    return text;
}

Json NumberReport::json() const
{
    Json json{{"attempt", m_summary.attempt}, {"latest", Json::array()}, {"progress", nullptr}};
    for (const NumberSummary::Latest& latest : m_summary.latest) {
        Json one{{"name", latest.name}, {"rank", latest.rank}, {"value", latest.value}};
        if (latest.total)
            one["total"] = *latest.total;
        json["latest"].push_back(std::move(one));
    }
    if (const auto& progress = m_summary.progress) {
        Json one{{"name", progress->name}, {"value", progress->value}, {"total", progress->total},
                 {"part", progress->part}, {"perSecond", nullptr},     {"secondsLeft", nullptr}};
        if (progress->perSecond)
            one["perSecond"] = *progress->perSecond;
        if (progress->endWallNs)
            one["secondsLeft"] = static_cast<double>(*progress->endWallNs - m_nowNs) / 1e9;
        json["progress"] = std::move(one);
    }
    return json;
}

} // namespace ringmaster
