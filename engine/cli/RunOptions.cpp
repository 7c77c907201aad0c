#include "engine/cli/RunOptions.h"

#include "engine/cli/Codes.h"
#include "engine/job/JobFile.h"
#include "engine/job/TorchrunLine.h"
#include "engine/machine/ProcessAbout.h"
#include "engine/node/Codes.h"
#include "engine/text/Duration.h"

#include <algorithm>
#include <array>

#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LongestJobText = 16U << 20U;
constexpr std::string_view FromStdin = "--job-from-stdin";
constexpr std::string_view FromElsewhere = "--job-from-elsewhere"; // also on standard input
constexpr std::string_view Stdio = "--stdio";

const auto Rows = std::to_array<OptionRow>({
    {"--detach",
     'd',
     OptionKind::Flag,
     OptionOrigin::Ringmaster,
     false,
     {},
     "Start the job in the background, print its run, and return."},
    {"--quiet",
     'q',
     OptionKind::Flag,
     OptionOrigin::Ringmaster,
     false,
     {},
     "Say nothing but what torchrun would."},
    {"--pin",
     0,
     OptionKind::Flag,
     OptionOrigin::Ringmaster,
     false,
     {},
     "Never remove this run by itself."},
    {"--on",
     0,
     OptionKind::Text,
     OptionOrigin::Ringmaster,
     false,
     {},
     "Run the job on another machine, by itself: one of `ringmaster host ls`, or a name that ssh "
     "knows. It goes on there when this terminal, or the connection, ends."},
    {"--slurm-preview",
     0,
     OptionKind::Flag,
     OptionOrigin::Ringmaster,
     false,
     {},
     "Print the script that --slurm would submit, and submit nothing."},
    {"--drill",
     0,
     OptionKind::Text,
     OptionOrigin::Ringmaster,
     false,
     {},
     "A fire drill, as `ringmaster drill` has it, when the output has reached a step or after a "
     "time: kill:2@step100, stop:1:20s@30s, kill:host=gpu2@step100, cut:host=gpu2:15s@30s. The run "
     "fails when it isn't back in time, or when that moment doesn't come."},
    {"--drill-within",
     0,
     OptionKind::Text,
     OptionOrigin::Ringmaster,
     false,
     {},
     "How long it may take to come back from --drill (60s)."},
    {"--lesson", 0, OptionKind::Text, OptionOrigin::Ringmaster, false, "held,free",
     "Record the program line by line, as Learn does; held: at the step gate from its first line "
     "on."},
    {"--lesson-pack",
     0,
     OptionKind::Text,
     OptionOrigin::Ringmaster,
     false,
     {},
     "The .ringlesson that the program is from, kept in the run file."},
});

bool takeWord(std::vector<std::string>& words, std::string_view word)
{
    // Hidden, for Ringmaster's own use: the last word.
    if (words.empty() || words.back() != word)
        return false;
    words.pop_back();
    return true;
}

std::string readAll(int fd)
{
    std::string text;
    std::array<char, 16384> buffer{};
    while (text.size() < LongestJobText) {
        const ssize_t count = ::read(fd, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        text.append(buffer.data(), static_cast<size_t>(count));
    }
    return text;
}

template <class Errors>
tl::unexpected<std::vector<std::string>> lines(const Errors& errors, const std::string& before)
{
    std::vector<std::string> texts;
    for (const auto& error : errors)
        texts.push_back(before + describe(error));
    return tl::unexpected(std::move(texts));
}

/// The drill that the run is started with, and what it doesn't go with.
Result<std::optional<DrillPlan>> drillOf(const ParsedArguments& parsed)
{
    const auto text = parsed.last("drill");
    if (!text)
        return std::nullopt;
    for (const char* other : {"on", "lesson"}) {
        if (parsed.last(other))
            return fail(code::DrillNotWith, {{"option", std::string("--") + other}});
    }
    DrillPlan plan = RM_TRY(parseDrill(*text));
    if (plan.isNow())
        return fail(code::DrillNeedsWhen, {{"text", *text}});
    const std::string within = parsed.last("drill_within").value_or("60s");
    const auto limit = parseDuration(within);
    if (!limit)
        return fail(code::DrillLimitInvalid, {{"text", within}});
    plan.drill.limit = *limit;
    plan.drill.by = aboutProcess(::getpid()).user + " (--drill)";
    RM_TRY(checkTimes(plan.drill));
    return plan;
}

RunOptionsResult fromStandardInput(RunOptions options, int standardInput)
{
    auto file = parseJobFile(readAll(standardInput));
    if (!file)
        return lines(file.error(), "");
    options.spec = std::move(file->spec);
    return options;
}

/// What was said of the job beside the file; the file has to say it.
std::string jobOptionsIn(const ParsedArguments& parsed)
{
    std::string given;
    for (const auto& [destination, values] : parsed.values) {
        const bool isOwn = std::ranges::any_of(Rows, [&name = destination](const OptionRow& row) {
            return row.destination() == name;
        });
        const bool isSaid = std::ranges::any_of(
            values, [](const ParsedArguments::Value& value) { return !value.fromVariable; });
        if (isOwn || !isSaid || destination == "name")
            continue;
        const OptionRow* row = findOption(destination);
        given +=
            (given.empty() ? "" : ", ") + std::string(row != nullptr ? row->name : destination);
    }
    return given;
}

RunOptionsResult fromJobFile(RunOptions options, const ParsedArguments& parsed)
{
    options.jobFile = *parsed.program;
    if (const std::string given = jobOptionsIn(parsed); !given.empty()) {
        const Message message{
            code::JobFileWithOptions, {{"options", given}, {"path", options.jobFile}}, {}};
        return lines(std::vector{message}, "");
    }
    auto file = loadJobFile(options.jobFile);
    if (!file)
        return lines(file.error(), options.jobFile + ": ");
    options.spec = std::move(file->spec);
    options.places = std::move(file->places);
    if (const auto name = parsed.last("name"))
        options.spec.name = *name;
    auto& arguments = options.spec.roles.front().arguments;
    arguments.insert(arguments.end(), parsed.arguments.begin(), parsed.arguments.end());
    return options;
}

} // namespace

std::span<const OptionRow> runOptionRows()
{
    return Rows;
}

RunOptionsResult parseRunOptions(std::vector<std::string> words, const EnvironmentMap& environment,
                                 int standardInput)
{
    RunOptions options;
    options.isFromDashboard = takeWord(words, FromStdin);
    const bool isFromStdin = options.isFromDashboard || takeWord(words, FromElsewhere);
    if (!words.empty() && words.front() == Stdio) {
        options.isChannel = true;
        words.erase(words.begin());
    }
    const ParsedArguments parsed = parseArguments(words, environment, Rows);
    options.isHelp = parsed.help;
    options.completion = parsed.completion.value_or("");
    options.isDetached = parsed.has("detach");
    options.isQuiet = parsed.has("quiet");
    options.isPinned = parsed.has("pin");
    options.isPreview = parsed.has("slurm_preview");
    options.machine = parsed.last("on").value_or("");
    options.lesson = parsed.last("lesson").value_or("");
    options.lessonPack = parsed.last("lesson_pack").value_or("");
    if (options.isHelp || parsed.completion)
        return options;
    auto drill = drillOf(parsed);
    if (!drill)
        return lines(std::vector{drill.error()}, "");
    options.drill = *std::move(drill);
    if (isFromStdin)
        return fromStandardInput(std::move(options), standardInput);
    if (parsed.program && parsed.program->ends_with(".ringjob") && parsed.usageErrors.empty())
        return fromJobFile(std::move(options), parsed);
    auto line = parseTorchrunLine(words, environment, Rows);
    if (!line)
        return lines(line.error().messages, "");
    options.spec = std::move(line->spec);
    return options;
}

} // namespace ringmaster
