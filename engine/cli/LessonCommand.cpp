#include "engine/cli/Codes.h"
#include "engine/cli/Commands.h"
#include "engine/cli/Json.h"
#include "engine/cli/LessonFiles.h"
#include "engine/cli/LessonFindings.h"
#include "engine/cli/LessonRunCheck.h"
#include "engine/cli/LessonWatch.h"
#include "engine/cli/Terminal.h"
#include "engine/control/LocalCluster.h"
#include "engine/lesson/Codes.h"
#include "engine/lesson/ProgramSyntax.h"
#include "engine/lesson/Progress.h"
#include "engine/lesson/Questions.h"
#include "engine/machine/RealSystemInfo.h"

#include <iostream>
#include <map>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

constexpr int LessonRefused = 2;
void print(const std::string& text)
{
    Terminal(STDOUT_FILENO).print(text);
}

int complainAbout(const std::string& path, const std::vector<Finding>& findings)
{
    for (const Finding& finding : findings)
        complain(path + ": " + describe(finding));
    return LessonRefused;
}

class LessonCommand : public CliCommand
{
public:
    About about() const override
    {
        return {
            "lesson", "List, check, run and make lessons, and gather answers",
            "A lesson is a .ringlesson file: texts, questions, and a program. `run` takes it to "
            "its end on real workers, says what was found, and asks its questions; the "
            "dashboard's Learn page steps through it. `make` writes a lesson of a run in which "
            "something hung, didn't fit, or was slow: what was recorded of it, and a question "
            "that its verdict answers; nothing runs in it. `answers` writes what you have "
            "answered into a file, and `sheet` makes one table of many such files.",
            "  ringmaster lesson list\n"
            "  ringmaster lesson check my.ringlesson\n"
            "  ringmaster lesson run deadlock --ranks 4\n"
            "  ringmaster lesson make train -o hang.ringlesson\n"
            "  ringmaster lesson answers --learner Ada -o ada.json\n"
            "  ringmaster lesson sheet *.json --csv"};
    }

    void define(CLI::App& app) override
    {
        app.add_option("ACTION", m_action, "list, check, run, make, answers or sheet")
            ->required()
            ->check(CLI::IsMember({"list", "check", "run", "make", "answers", "sheet"}));
        app.add_option("LESSON", m_names,
                       "The name of a lesson, or a .ringlesson file; of make a run; of sheet "
                       "files of answers");
        app.add_option("--ranks", m_ranks, "On so many ranks")->check(CLI::Range(1, 8));
        app.add_option("--backend", m_backend, "gloo, ring or nccl, of those that the lesson has");
        app.add_option("--program", m_program, "A program of your own instead of the lesson's")
            ->check(CLI::ExistingFile);
        app.add_flag("--steps", m_showsSteps, "Print every step of every rank");
        app.add_flag("--json", m_isJson,
                     "Print the recording as JSON, a line a step in its order, then its outcome; "
                     "nothing else, and no questions. Of sheet, the table");
        app.add_flag("--no-questions", m_asksNothing, "Don't ask");
        app.add_flag("--run", m_isRun,
                     "Of check: run it, and say whether it comes to what the lesson says, and "
                     "which questions have no answer");
        app.add_option("-o,--output", m_output, "The file that make or answers writes");
        app.add_option("--learner", m_learner, "Whose answers these are; $USER unless given");
        app.add_flag("--csv", m_isCsv, "The sheet for a spreadsheet");
    }

    int execute() override
    {
        if (m_action == "list")
            return list();
        if (m_action == "answers")
            return writeAnswers(m_learner, m_output);
        if (m_names.empty())
            return complain(Error{{code::LessonNothingNamed, {{"action", m_action}}, {}}, {}});
        if (m_action == "make")
            return makeLessonOf(m_names.front(), m_output);
        if (m_action == "sheet")
            return printSheet(m_names, m_isCsv    ? SheetForm::AsCsv
                                       : m_isJson ? SheetForm::AsJson
                                                  : SheetForm::AsTable);
        const std::string& name = m_names.front();
        const auto path = lesson::findPack(name);
        if (!path)
            return complain(Error{{code::LessonUnknown, {{"lesson", name}}, {}}, {}});
        const auto pack = lesson::loadPack(*path);
        if (!pack)
            return complainAbout(lesson::packFile(*path).string(), pack.error());
        const std::string text = lesson::packText(*path).value_or(std::string());
        std::error_code error;
        const RealSystemInfo here(currentEnvironment(), fs::current_path(error));
        const auto findings = lesson::problemsOfProgram(*pack, text, here.activeInterpreter());
        if (!findings.empty())
            return complainAbout(lesson::packFile(*path).string(), findings);
        if (m_action == "run")
            return pack->recording ? play(*pack) : run(*path, *pack);
        if (m_isRun && !pack->recording)
            if (const int problem = checkRun(*path, *pack, text); problem != 0)
                return problem;
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

    /// As `run`; what is said of it is said of the lesson.
    int checkRun(const fs::path& path, const lesson::Pack& pack, const std::string& text)
    {
        LocalCluster cluster;
        LessonWatch watch(cluster);
        const auto recording = watchRun(watch, path, pack, {}, false);
        if (!recording)
            return complain(recording.error());
        const auto findings = problemsOfRun(pack, text, *recording);
        return findings.empty() ? 0 : complainAbout(lesson::packFile(path).string(), findings);
    }

    Result<lesson::Recording> watchRun(LessonWatch& watch, const fs::path& path,
                                       const lesson::Pack& pack,
                                       std::function<void(const Event&)> onStep,
                                       bool showsSteps) const
    {
        if (m_ranks != 0 && (m_ranks < pack.minRanks || m_ranks > pack.maxRanks))
            return fail(code::LessonRanksOutside, {{"least", std::to_string(pack.minRanks)},
                                                   {"most", std::to_string(pack.maxRanks)}});
        std::error_code error;
        const RealSystemInfo here(currentEnvironment(), fs::current_path(error));
        return watch.run(
            {.pack = pack,
             .packFile = fs::absolute(lesson::packFile(path), error),
             .program = m_program.empty() ? fs::path() : fs::absolute(m_program, error),
             .ranks = m_ranks,
             .backend = m_backend,
             .interpreter = here.activeInterpreter(),
             .showsSteps = showsSteps,
             .onStep = std::move(onStep)});
    }

    int run(const fs::path& path, const lesson::Pack& pack)
    {
        LocalCluster cluster;
        LessonWatch watch(cluster);
        const auto recording =
            watchRun(watch, path, pack, m_isJson ? printStep : std::function<void(const Event&)>(),
                     m_showsSteps && !m_isJson);
        if (!recording)
            return complain(recording.error());
        const auto outcome = lesson::outcomeOf(*recording);
        if (m_isJson)
            return printOutcome(pack, watch, *recording);
        if (!recording->isEmpty())
            print(findingsOf(recording->latest()));
        print(judgementsOf(*recording));
        if (!outcome && watch.complaint().code != code::None)
            print(describe(watch.complaint()) + "\n");
        print(fmt::format("Run {}: {} steps, {}.\n", watch.runId(), recording->size(),
                          outcome ? lesson::nameOf(*outcome) : "ended before its end was seen"));
        keepProgress(pack, *recording);
        return outcome == std::optional(pack.expect) ? 0 : 1;
    }

    /// Of a recorded job: nothing runs.
    int play(const lesson::Pack& pack) const
    {
        const lesson::Recording recording = lesson::recordingOf(*pack.recording);
        for (size_t step = 0; step < recording.size(); ++step) {
            if (m_isJson)
                print(dumpLine(asJson(recording.event(step))));
            else if (m_showsSteps)
                print(describe(recording.step(step)) + "\n");
        }
        if (m_isJson)
            return 0;
        print(fmt::format("A recorded job, run {}, of which {} are shown: {} steps.\n",
                          harmless(pack.recording->run), rankWords(pack.recording->ranks),
                          recording.size()));
        keepProgress(pack, recording);
        const Verdict& verdict = pack.recording->verdict;
        print("\n" + harmless(describe(verdict.statement)) + "\n");
        for (const Message& evidence : verdict.evidence)
            print("  " + harmless(describe(evidence)) + "\n");
        return 0;
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
        std::map<size_t, bool> answers;
        for (size_t index = 0; !m_asksNothing && index < pack.questions.size(); ++index)
            if (const auto isRight = askOne(pack.questions[index], recording))
                answers[index] = *isRight;
        // The answers took their time: a dashboard may have written others meanwhile.
        const auto saved = lesson::Progress().change([&](lesson::Progress& progress) {
            progress.ran(pack.name);
            for (const auto& [question, isRight] : answers)
                progress.answered(pack.name, question, isRight);
        });
        if (!saved)
            (void)complain(saved.error());
    }

    /// Whether it was answered rightly; nothing: it wasn't answered.
    static std::optional<bool> askOne(const lesson::Question& question,
                                      const lesson::Recording& recording)
    {
        const auto asked = lesson::ask(question, recording);
        print("\n" + harmless(question.text.english) + "\n");
        if (!asked) {
            print("  " + describe(asked.error()) + "\n");
            return std::nullopt;
        }
        for (size_t choice = 0; choice < asked->choices.size(); ++choice)
            print(fmt::format("  {}) {}\n", choice + 1, lesson::describe(asked->choices[choice])));
        const size_t given = ::isatty(STDIN_FILENO) != 0 ? answer() : 0;
        const bool isRight = given == asked->right + 1;
        const LessonStep& shown = recording.step(asked->answeredAt);
        print(fmt::format(
            "{}: {}, see step {} (rank {}, {}:{}). {}\n", isRight ? "Right" : "The answer",
            lesson::describe(asked->choices[asked->right]), asked->answeredAt, shown.globalRank,
            harmless(shown.file), shown.line, harmless(question.because.english)));
        return given == 0 ? std::nullopt : std::optional(isRight);
    }

    static size_t answer()
    {
        print("> ");
        std::string line;
        std::getline(std::cin, line);
        return static_cast<size_t>(std::strtoul(line.c_str(), nullptr, 10));
    }

    std::string m_action;
    std::vector<std::string> m_names;
    int m_ranks = 0;
    std::string m_backend;
    std::string m_program;
    bool m_showsSteps = false;
    bool m_isJson = false;
    bool m_asksNothing = false;
    bool m_isRun = false;
    std::string m_output;
    std::string m_learner;
    bool m_isCsv = false;
};

} // namespace

std::unique_ptr<CliCommand> makeLessonCommand()
{
    return std::make_unique<LessonCommand>();
}

} // namespace ringmaster
