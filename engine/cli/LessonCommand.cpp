#include "engine/base/BoundedRun.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Json.h"
#include "engine/cli/LessonWatch.h"
#include "engine/cli/Terminal.h"
#include "engine/control/LocalCluster.h"
#include "engine/event/VerdictTraits.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/Progress.h"
#include "engine/lesson/Questions.h"
#include "engine/machine/RealSystemInfo.h"
#include "engine/text/RankList.h"

#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

using namespace std::chrono_literals;

constexpr int Refused = 2;
/// The kernel takes no longer texts.
constexpr size_t LargestInEnvironment = 100'000;

void print(const std::string& text)
{
    Terminal(STDOUT_FILENO).print(text);
}

int complainAbout(const std::string& path, const std::vector<Finding>& findings)
{
    for (const Finding& finding : findings)
        complain(path + ": " + describe(finding));
    return Refused;
}

std::string waitText(const lesson::Wait& wait)
{
    std::string on;
    for (const int rank : wait.on)
        on += (on.empty() ? "" : wait.isAny ? " or " : ", ") + std::to_string(rank);
    return fmt::format("  rank {} waits in {} at {}:{}{}\n", wait.rank, wait.call.operation,
                       wait.at.file, wait.at.line, on.empty() ? "" : " for rank " + on);
}

std::string who(const std::vector<int>& ranks)
{
    return (ranks.size() == 1 ? "rank " : "ranks ") + rankList(ranks);
}

std::string callText(const LessonCall& call)
{
    std::string text = call.operation;
    if (call.operation == "new_group")
        text += " of " + rankList(call.members);
    if (!call.reduction.empty())
        text += " " + call.reduction;
    if (call.peer >= 0)
        text += " (rank " + std::to_string(call.peer) + ")";
    const auto& values = call.inputs.empty() ? call.outputs : call.inputs;
    if (!values.empty() && !values.front().type.empty())
        text += fmt::format(" ({}, {} bytes)", values.front().type, values.front().bytes);
    return text;
}

/// What nobody but the program itself can know: a call of which torch has told nobody, or that it
/// never made.
void printMistakes(const lesson::State& end)
{
    for (const lesson::OutsiderCall& outsider : end.calls().outsiders())
        print(fmt::format("Rank {} calls {} at {}:{} of a group that it isn't a member of: torch "
                          "warns and does nothing.\n",
                          outsider.rank, outsider.call.operation, outsider.at.file,
                          outsider.at.line));
    for (const lesson::Collective& group : end.calls().skippedGroups()) {
        const auto& [rank, part] = *group.parts.begin();
        print(
            fmt::format("The new_group that rank {} called at {}:{} was never called by {}: every "
                        "rank must make every group, in the same order.\n",
                        rank, part.at.file, part.at.line, who(group.missing())));
    }
    for (const lesson::PeerMessage& message : end.calls().otherSizes())
        print(fmt::format("Rank {} sends {} bytes to rank {} at {}:{}, which receives {} at "
                          "{}:{}.\n",
                          message.from, message.data.bytes, message.to, message.sentAt.file,
                          message.sentAt.line, message.room.bytes, message.receivedAt.file,
                          message.receivedAt.line));
    if (const auto& ring = end.wholeTensorRing(); ring && ring->isWrong)
        print(fmt::format("The ring at {}:{}: each rank passes on the sum that it has made instead "
                          "of what it received, so inputs count more than once and the result is "
                          "wrong.\n",
                          ring->sentAt.file, ring->sentAt.line));
    else if (ring)
        print(fmt::format("The ring at {}:{} passes whole tensors round: the sum is right, but "
                          "each rank sends {} bytes; in {} chunks it would send {}.\n",
                          ring->sentAt.file, ring->sentAt.line, ring->bytes, ring->ranks,
                          ring->chunkedBytes));
    for (const lesson::BrokenWait& broken : end.brokenWaits())
        if (!broken.gone.empty())
            print(fmt::format("Rank {} waited in {} at {}:{} for {}, which had ended or left its "
                              "process group without it.\n",
                              broken.wait.rank, broken.wait.call.operation, broken.wait.at.file,
                              broken.wait.at.line, who(broken.gone)));
}

/// As of any job.
void printJudgements(const lesson::Recording& recording)
{
    for (const auto& [verdict, step] : recording.judgements()) {
        if (traitsOf(verdict.kind).severity != Notice::Severity::Error)
            continue;
        print(describe(verdict.statement) + "\n");
        if (verdict.remedy.code != code::None)
            print("  " + describe(verdict.remedy) + "\n");
    }
}

void printFindings(const lesson::State& end)
{
    printMistakes(end);
    for (const lesson::Hazard& hazard : end.hazards())
        print(fmt::format("Rank {}: {} was {} at {}:{}, before the wait() for {} of line {}.\n",
                          hazard.rank, hazard.tensor, hazard.isWrite ? "written" : "read",
                          hazard.touchedAt.file, hazard.touchedAt.line, hazard.call.operation,
                          hazard.startedAt.line));
    for (const lesson::Collective& collective : end.calls().disagreements()) {
        const std::string what = collective.disagreement();
        print(
            what == "members"
                ? std::string("The ranks don't make the same groups in the same order:\n")
                : fmt::format("The ranks of group {} don't agree about the {} of collective {}:\n",
                              collective.group, what, collective.number));
        for (const auto& [rank, part] : collective.parts)
            print(fmt::format("  rank {} calls {} at {}:{}\n", rank, callText(part.call),
                              part.at.file, part.at.line));
    }
    if (const auto& deadlock = end.deadlock()) {
        print("A deadlock: these ranks can never go on.\n");
        for (const lesson::Wait& wait : deadlock->waits)
            print(waitText(wait));
    }
    for (int rank = 0; rank < end.rankCount(); ++rank)
        if (!end.rank(rank).error.empty())
            print(fmt::format("Rank {}, {}:{}: {}\n", rank, end.rank(rank).file,
                              end.rank(rank).line, harmless(end.rank(rank).error)));
}

/// Whether Python takes it at all; nothing of it is executed. Without an interpreter nobody knows.
std::vector<Finding> problemsOfProgram(const lesson::Pack& pack)
{
    constexpr const char* Compiles =
        "import os, sys\n"
        "try:\n"
        "    compile(os.environ['RINGMASTER_PROGRAM'], 'program', 'exec', dont_inherit=True)\n"
        "except SyntaxError as error:\n"
        "    print(error.lineno or 0, error.msg)\n";
    std::error_code error;
    EnvironmentMap environment = currentEnvironment();
    const RealSystemInfo here(environment, fs::current_path(error));
    environment["RINGMASTER_PROGRAM"] = pack.source;
    const std::string interpreter = here.activeInterpreter();
    if (interpreter.empty() || pack.source.size() >= LargestInEnvironment)
        return {};
    const auto said = runBounded({interpreter, "-I", "-c", Compiles}, environment, 10s);
    if (!said || said->find(' ') == std::string::npos)
        return {};
    const size_t space = said->find(' ');
    return {{Finding::Severity::Error,
             {code::PackProgramSyntax,
              {{"line", said->substr(0, space)},
               {"reason", said->substr(space + 1, said->find('\n') - space - 1)}},
              {}},
             {}}};
}

class LessonCommand : public CliCommand
{
public:
    About about() const override
    {
        return {
            "lesson", "List, check and run lessons",
            "A lesson is a .ringlesson file: texts, a program, questions. `run` takes it to its "
            "end on real workers, says what was found, and asks its questions; the dashboard's "
            "Learn page steps through it.",
            "  ringmaster lesson list\n"
            "  ringmaster lesson check my.ringlesson\n"
            "  ringmaster lesson run deadlock --ranks 4"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("ACTION", m_action, "list, check or run")
            ->required()
            ->check(CLI::IsMember({"list", "check", "run"}));
        app.add_option("LESSON", m_lesson, "The name of a lesson, or a .ringlesson file");
        app.add_option("--ranks", m_ranks, "On so many ranks")->check(CLI::Range(1, 8));
        app.add_option("--backend", m_backend, "gloo, ring or nccl, of those that the lesson has");
        app.add_option("--program", m_program, "A program of your own instead of the lesson's")
            ->check(CLI::ExistingFile);
        app.add_flag("--steps", m_showsSteps, "Print every step of every rank");
        app.add_flag("--json", m_isJson,
                     "Print the recording as JSON, a line a step in its order, then its outcome; "
                     "nothing else, and no questions");
        app.add_flag("--no-questions", m_asksNothing, "Don't ask");
    }

    int execute() override
    {
        if (m_action == "list")
            return list();
        const auto path = lesson::findPack(m_lesson);
        if (!path)
            return complain(Error{{code::LessonUnknown, {{"lesson", m_lesson}}, {}}, {}});
        const auto pack = lesson::loadPack(*path);
        if (!pack)
            return complainAbout(lesson::packFile(*path).string(), pack.error());
        if (const auto findings = problemsOfProgram(*pack); !findings.empty())
            return complainAbout(lesson::packFile(*path).string(), findings);
        if (m_action == "run")
            return run(*path, *pack);
        print(path->string() + ": fine\n");
        return 0;
    }

private:
    static int list()
    {
        const auto progress = lesson::Progress::load();
        int number = 0;
        for (const fs::path& path : lesson::ownPacks()) {
            const auto pack = lesson::loadPack(path);
            if (!pack)
                continue;
            const bool isDone = progress.isDone(pack->name, pack->questions.size());
            print(fmt::format("{} {:2}  {:28}  {}\n", isDone ? "✓" : " ", ++number, pack->name,
                              pack->title.english));
        }
        return 0;
    }

    int run(const fs::path& path, const lesson::Pack& pack)
    {
        if (m_ranks != 0 && (m_ranks < pack.minRanks || m_ranks > pack.maxRanks))
            return complain(Error{{code::LessonRanksOutside,
                                   {{"least", std::to_string(pack.minRanks)},
                                    {"most", std::to_string(pack.maxRanks)}},
                                   {}},
                                  {}});
        std::error_code error;
        const RealSystemInfo here(currentEnvironment(), fs::current_path(error));
        LocalCluster cluster;
        LessonWatch watch(cluster);
        const fs::path program = m_program.empty() ? fs::path() : fs::absolute(m_program, error);
        const auto recording = watch.run({.pack = pack,
                                          .packFile = fs::absolute(lesson::packFile(path), error),
                                          .program = program,
                                          .ranks = m_ranks,
                                          .backend = m_backend,
                                          .interpreter = here.activeInterpreter(),
                                          .showsSteps = m_showsSteps && !m_isJson,
                                          .onStep = m_isJson ? printStep : nullptr});
        if (!recording)
            return complain(recording.error());
        const auto outcome = lesson::outcomeOf(*recording);
        if (m_isJson)
            return printOutcome(pack, watch, *recording);
        if (!recording->isEmpty())
            printFindings(recording->latest());
        printJudgements(*recording);
        if (!outcome && watch.complaint().code != code::None)
            print(describe(watch.complaint()) + "\n");
        print(fmt::format("Run {}: {} steps, {}.\n", watch.runId(), recording->size(),
                          outcome ? lesson::nameOf(*outcome) : "ended before its end was seen"));
        keepProgress(pack, *recording);
        return outcome == std::optional(pack.expect) ? 0 : 1;
    }

    static void printStep(const Event& event) { print(dumpLine(asJson(event))); }

    /// What tests and figures are made of counts for no learner.
    static int printOutcome(const lesson::Pack& pack, const LessonWatch& watch,
                            const lesson::Recording& recording)
    {
        const auto outcome = lesson::outcomeOf(recording);
        const auto& started = recording.started();
        print(dumpLine({{"run", watch.runId()},
                        {"lesson", pack.name},
                        {"ranks", started ? started->ranks : 0},
                        {"backend", started ? started->backend : std::string()},
                        {"steps", recording.size()},
                        {"outcome", outcome ? Json(lesson::nameOf(*outcome)) : Json()},
                        {"complaint", asJson(watch.complaint())}}));
        return outcome == std::optional(pack.expect) ? 0 : 1;
    }

    void keepProgress(const lesson::Pack& pack, const lesson::Recording& recording) const
    {
        auto progress = lesson::Progress::load();
        progress.ran(pack.name);
        for (size_t index = 0; !m_asksNothing && index < pack.questions.size(); ++index)
            progress.answered(pack.name, index, askOne(pack.questions[index], recording));
        if (const auto saved = progress.save(); !saved)
            (void)complain(saved.error());
    }

    /// True: answered rightly.
    static bool askOne(const lesson::Question& question, const lesson::Recording& recording)
    {
        const auto asked = lesson::ask(question, recording);
        print("\n" + question.text.english + "\n");
        if (!asked) {
            print("  " + describe(asked.error()) + "\n");
            return false;
        }
        for (size_t choice = 0; choice < asked->choices.size(); ++choice)
            print(fmt::format("  {}) {}\n", choice + 1, lesson::describe(asked->choices[choice])));
        const bool isRight = ::isatty(STDIN_FILENO) != 0 && answer() == asked->right + 1;
        const LessonStep& shown = recording.step(asked->answeredAt);
        print(fmt::format("{}: {}, see step {} (rank {}, {}:{}). {}\n",
                          isRight ? "Right" : "The answer",
                          lesson::describe(asked->choices[asked->right]), asked->answeredAt,
                          shown.globalRank, shown.file, shown.line, question.because.english));
        return isRight;
    }

    static size_t answer()
    {
        print("> ");
        std::string line;
        std::getline(std::cin, line);
        return static_cast<size_t>(std::strtoul(line.c_str(), nullptr, 10));
    }

    std::string m_action;
    std::string m_lesson;
    int m_ranks = 0;
    std::string m_backend;
    std::string m_program;
    bool m_showsSteps = false;
    bool m_isJson = false;
    bool m_asksNothing = false;
};

} // namespace

std::unique_ptr<CliCommand> makeLessonCommand()
{
    return std::make_unique<LessonCommand>();
}

} // namespace ringmaster
