#include "engine/base/Codes.h"
#include "engine/cli/Commands.h"
#include "engine/cli/FarRuns.h"
#include "engine/cli/Json.h"
#include "engine/cli/RunSource.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/control/MachineWatch.h"
#include "engine/control/RunComparison.h"

#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace ringmaster {

namespace {

using Kind = ComparedQuantity::Kind;

constexpr size_t WidestValue = 30;

/// A, B … Z, 27 …
std::string letterOf(size_t run)
{
    return run < 26 ? std::string(1, static_cast<char>('A' + run)) : std::to_string(run + 1);
}

std::string titleOf(const ComparedQuantity& quantity)
{
    switch (quantity.kind) {
    case Kind::Duration: return "Duration";
    case Kind::StepsASecond: return "Steps a second";
    case Kind::FirstCollective: return "Launch to first collective";
    case Kind::InCollectives: return "Time in collectives";
    case Kind::BusBandwidth:
        return "busbw " + quantity.subject + " from " + sizeText(quantity.leastBytes);
    case Kind::LastNumber: return "Last " + harmless(quantity.subject);
    case Kind::Restarts: return "Restarts";
    }
    return {};
}

std::string valueText(Kind kind, const std::optional<double>& value)
{
    if (!value)
        return "-";
    switch (kind) {
    case Kind::Duration:
    case Kind::FirstCollective: return fmt::format("{:.1f} s", *value);
    case Kind::StepsASecond: return fmt::format("{:.3g}", *value);
    case Kind::InCollectives: return fmt::format("{:.0f} %", *value * 100);
    case Kind::BusBandwidth: return fmt::format("{:.3f} GB/s", *value / 1e9);
    case Kind::LastNumber: return fmt::format("{:.6g}", *value);
    case Kind::Restarts: return fmt::format("{:.0f}", *value);
    }
    return {};
}

std::string_view keyOf(Kind kind)
{
    switch (kind) {
    case Kind::Duration: return "seconds";
    case Kind::StepsASecond: return "steps_per_second";
    case Kind::FirstCollective: return "first_collective_seconds";
    case Kind::InCollectives: return "share_in_collectives";
    case Kind::BusBandwidth: return "busbw";
    case Kind::LastNumber: return "last";
    case Kind::Restarts: return "restarts";
    }
    return {};
}

Json messages(const std::vector<Message>& list)
{
    Json json = Json::array();
    for (const Message& message : list)
        json.push_back(asJson(message));
    return json;
}

class CompareCommand : public CliCommand
{
public:
    About about() const override
    {
        return {"compare", "Lay two or more runs beside each other",
                "The settings that differ, steps a second, what was printed last, bandwidth by "
                "operation and size, restarts and verdicts: the same table as the dashboard's "
                "History > Compare. Ratios are against the first run.",
                "  ringmaster compare 20261124-1713 20261124-1729\n"
                "  ringmaster compare a.ringrun b.ringrun --json\n"
                "  ringmaster compare train gpu1:train  with a run of another machine",
                true};
    }

    void define(CLI::App& app) override
    {
        app.add_option("RUN", m_runs,
                       "Ids, beginnings of them, names, or .ringrun files; MACHINE:RUN")
            ->required()
            ->expected(2, CLI::detail::expected_max_vector_size);
        app.add_flag("--json", m_isJson, "For a program to read");
    }

    int execute() override
    {
        const auto done = compare();
        return done ? 0 : complain(done.error());
    }

private:
    Result<void> compare() const
    {
        std::vector<ComparedRun> runs;
        for (const std::string& text : m_runs) {
            const auto there = MachineRun::parse(text);
            std::error_code error;
            if (there && !std::filesystem::exists(text, error)) {
                runs.push_back(RM_TRY(compareThere(there->machine, there->run)));
                continue;
            }
            const RunSource source = RM_TRY(openRun(text));
            runs.push_back(RM_TRY(ComparedRun::read(source.reader, {})));
            if (!source.summary)
                continue;
            runs.back().id = source.summary->id;
            runs.back().name = source.summary->shownName();
        }
        const RunComparison comparison = RunComparison::of(runs);
        if (m_isJson)
            m_out.print(dump(json(runs, comparison)));
        else
            printText(runs, comparison);
        return {};
    }

    static Json json(const std::vector<ComparedRun>& runs, const RunComparison& comparison)
    {
        Json list = Json::array();
        for (const ComparedRun& run : runs)
            list.push_back({{"id", run.id},
                            {"name", run.name},
                            {"health", nameOf(run.health)},
                            {"worldSize", run.worldSize},
                            {"restarts", messages(run.restarts)},
                            {"verdicts", messages(run.verdicts)},
                            {"cause", asJson(run.cause)}});
        Json settings = Json::array();
        for (const SettingDifference& difference : comparison.settings)
            settings.push_back({{"setting", difference.setting}, {"values", difference.values}});
        Json quantities = Json::array();
        for (const ComparedQuantity& quantity : comparison.quantities) {
            Json values = Json::array();
            for (const auto& value : quantity.values)
                values.push_back(value ? Json(*value) : Json());
            Json one{{"quantity", keyOf(quantity.kind)}, {"values", std::move(values)}};
            if (!quantity.subject.empty())
                one["subject"] = quantity.subject;
            if (quantity.kind == Kind::BusBandwidth)
                one["bytes"] = quantity.leastBytes;
            quantities.push_back(std::move(one));
        }
        return {{"runs", std::move(list)},
                {"settings", std::move(settings)},
                {"settingCount", comparison.settingCount},
                {"quantities", std::move(quantities)}};
    }

    void printText(const std::vector<ComparedRun>& runs, const RunComparison& comparison) const
    {
        std::string text;
        for (size_t i = 0; i < runs.size(); ++i)
            text += fmt::format("{}  {}  {}  {}  {}\n", letterOf(i), harmless(runs[i].name),
                                timeText(runs[i].startedAt.wallNs), nameOf(runs[i].health),
                                harmless(runs[i].id));
        text += "\n" + heading(fmt::format("SETTINGS, {} of {} differ", comparison.settings.size(),
                                           comparison.settingCount),
                               runs.size());
        for (const SettingDifference& difference : comparison.settings) {
            text += padded(difference.setting, TitleWidth);
            for (const std::string& value : difference.values)
                text += cell(value.empty() ? "-" : shortened(harmless(value)));
            text = withoutEnd(text) + "\n";
        }
        text += "\n" + heading("RESULTS", runs.size());
        for (const ComparedQuantity& quantity : comparison.quantities) {
            text += padded(titleOf(quantity), TitleWidth);
            for (size_t i = 0; i < runs.size(); ++i) {
                std::string value = valueText(quantity.kind, quantity.values[i]);
                if (const auto ratio = quantity.ratio(i); i > 0 && ratio)
                    value += fmt::format("  ({:.3g}x)", *ratio);
                text += cell(value);
            }
            text = withoutEnd(text) + "\n";
        }
        for (size_t i = 0; i < runs.size(); ++i)
            text += wordsOf(runs[i], letterOf(i));
        m_out.print(text);
    }

    /// What was said of one of them.
    static std::string wordsOf(const ComparedRun& run, const std::string& letter)
    {
        std::string text;
        for (const Message& cause : run.restarts)
            text += fmt::format("{}  restart: {}\n", letter, harmless(describe(cause)));
        for (const Message& verdict : run.verdicts)
            text += fmt::format("{}  verdict: {}\n", letter, harmless(describe(verdict)));
        if (run.cause.code != code::None)
            text += fmt::format("{}  end: {}\n", letter, harmless(describe(run.cause)));
        return text.empty() ? text : "\n" + text;
    }

    std::string heading(const std::string& title, size_t runs) const
    {
        std::string line = padded(title, TitleWidth);
        for (size_t i = 0; i < runs; ++i)
            line += cell(letterOf(i));
        return m_out.styled(withoutEnd(line), Terminal::Style::Bold) + "\n";
    }

    static std::string cell(const std::string& text) { return padded(text, WidestValue) + "  "; }

    static std::string shortened(const std::string& text)
    {
        if (text.size() <= WidestValue)
            return text;
        size_t end = WidestValue - 3;
        while (end > 0 && (text[end] & '\xC0') == '\x80') // within a character
            --end;
        return text.substr(0, end) + "...";
    }

    static std::string withoutEnd(std::string text)
    {
        while (text.ends_with(' '))
            text.pop_back();
        return text;
    }

    static constexpr size_t TitleWidth = 40;

    Terminal m_out{STDOUT_FILENO};
    std::vector<std::string> m_runs;
    bool m_isJson = false;
};

} // namespace

std::unique_ptr<CliCommand> makeCompareCommand()
{
    return std::make_unique<CompareCommand>();
}

} // namespace ringmaster
