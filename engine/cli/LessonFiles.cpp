#include "engine/cli/LessonFiles.h"

#include "engine/base/Environment.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/cli/Codes.h"
#include "engine/cli/RunChoice.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/control/Codes.h"
#include "engine/control/RunLesson.h"
#include "engine/lesson/ClassSheet.h"
#include "engine/text/RankList.h"

#include <chrono>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr size_t LargestAnswers = 1U << 20U;
constexpr unsigned ForOthers = 0644; ///< It is made to be handed on.

/// Of a job that goes on, until it can be made.
Result<RunLesson> makeOnceWritten(const RunFolder& folder)
{
    constexpr int MostTries = 60;
    auto made = makeLesson(folder);
    for (int i = 1; i < MostTries && !made && made.error().code == code::RunStillWritten; ++i) {
        std::this_thread::sleep_for(std::chrono::seconds(1));
        made = makeLesson(folder);
    }
    return made;
}

Result<void> writeLesson(const std::string& run, const std::string& output)
{
    const RunCatalog catalog(runsFolder());
    const RunSummary summary = RM_TRY(chooseRun(catalog.list(), run, RunScope::All));
    const RunLesson made = RM_TRY(makeOnceWritten(RM_TRY(catalog.find(summary.id))));
    const std::string file = output.empty() ? made.pack.name + ".ringlesson" : output;
    RM_TRY(writeFileAtomically(file, lesson::packTextOf(made.pack), ForOthers));
    const lesson::RecordedJob& job = *made.pack.recording;
    std::string text = fmt::format("Wrote {}: {} of {} ranks ({}), {}, lines of {}\n", file,
                                   job.ranks.size(), job.worldSize, rankList(job.ranks),
                                   counted(job.happenings.size(), "recorded moment"),
                                   counted(job.code.size(), "place"));
    for (const Message& remark : made.remarks)
        text += describe(remark) + "\n";
    for (const std::string& name : made.maskedNames)
        text += "Masked: " + harmless(name) + "\n";
    Terminal(STDERR_FILENO).print(text);
    return {};
}

/// Of the lessons that come with Ringmaster; of others nobody knows it here.
std::map<std::string, size_t> questionCounts()
{
    std::map<std::string, size_t> counts;
    for (const auto& path : lesson::ownPacks())
        if (const auto pack = lesson::loadPack(path))
            counts[pack->name] = pack->questions.size();
    return counts;
}

std::string tableOf(const lesson::ClassSheet& sheet)
{
    std::string text = fmt::format("{:24}  {:30}  {:>8}  {:>7}  {:>5}\n", "LEARNER", "LESSON",
                                   "ATTEMPTS", "RIGHT", "TASKS");
    for (const auto& [learner, answers] : sheet.rows()) {
        const std::string right = answers.questions == 0
                                      ? std::to_string(answers.right)
                                      : fmt::format("{}/{}", answers.right, answers.questions);
        text += padded(harmless(learner), 24) + "  " + padded(harmless(answers.lesson), 30) +
                fmt::format("  {:>8}  {:>7}  {:>5}\n", answers.attempts, right, answers.tasks);
    }
    return text;
}

int report(const Result<void>& done)
{
    return done ? 0 : complain(done.error());
}

} // namespace

int makeLessonOf(const std::string& run, const std::string& output)
{
    return report(writeLesson(run, output));
}

int writeAnswers(const std::string& learner, const std::string& output)
{
    const auto environment = currentEnvironment();
    const auto user = environment.find("USER");
    const std::string name = !learner.empty()            ? learner
                             : user == environment.end() ? "learner"
                                                         : user->second;
    const std::string text =
        lesson::answersText(lesson::answersOf(lesson::Progress::load(), name, questionCounts()));
    if (const auto read = lesson::parseAnswers(text); !read)
        return complain(read.error());
    if (!output.empty())
        return report(writeFileAtomically(output, text, ForOthers));
    Terminal(STDOUT_FILENO).print(text);
    return 0;
}

int printSheet(const std::vector<std::string>& files, SheetForm form)
{
    lesson::ClassSheet sheet;
    for (const std::string& file : files) {
        const auto text = readFile(file, LargestAnswers);
        const auto answers = text ? lesson::parseAnswers(*text)
                                  : Result<lesson::LearnerAnswers>(tl::unexpected(text.error()));
        if (!answers)
            return complain(Error(answers.error()).during(code::ReadingAnswers, {{"path", file}}));
        sheet.add(*answers);
    }
    Terminal(STDOUT_FILENO)
        .print(form == SheetForm::AsCsv    ? sheet.csv()
               : form == SheetForm::AsJson ? sheet.json()
                                           : tableOf(sheet));
    return 0;
}

} // namespace ringmaster
