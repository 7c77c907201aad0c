// A `.ringlesson` of a recorded job, and a file of a learner's answers, that somebody sent. What is
// accepted can be stepped through and asked about, and is read as it is written.

#include "Fuzz.h"
#include "engine/lesson/ClassSheet.h"
#include "engine/lesson/Pack.h"
#include "engine/lesson/Questions.h"
#include "engine/lesson/Recording.h"

using namespace ringmaster;

namespace {

void checkRecording(const lesson::Pack& pack)
{
    const lesson::RecordedJob& job = *pack.recording;
    fuzz::require(pack.source.empty() && !job.happenings.empty());
    fuzz::require(job.ranks.size() <= lesson::RecordedJob::MostRanks);
    const lesson::Recording recording = lesson::recordingOf(job);
    fuzz::require(recording.size() <= 2 * lesson::RecordedJob::MostHappenings);
    for (size_t step = 0; step < recording.size(); ++step)
        (void)recording.stateAt(step).calls().waits();
    for (const lesson::Question& question : pack.questions) {
        const auto asked = lesson::ask(question, recording);
        fuzz::require(asked.has_value());
        fuzz::require(asked->choices.at(asked->right).ranks == job.verdict.guilty);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(fuzz::textOf(data, size));
    const auto noProgram = [](const std::string&) -> Result<std::string> { return std::string(); };
    if (const auto pack = lesson::parsePack(text, noProgram); pack && pack->recording) {
        checkRecording(*pack);
        const auto again = lesson::parsePack(lesson::packTextOf(*pack), noProgram);
        fuzz::require(again.has_value());
        fuzz::require(lesson::packTextOf(*again) == lesson::packTextOf(*pack));
    }
    if (const auto answers = lesson::parseAnswers(text)) {
        const auto again = lesson::parseAnswers(lesson::answersText(*answers));
        fuzz::require(again.has_value() && *again == *answers);
        lesson::ClassSheet sheet;
        sheet.add(*answers);
        fuzz::require(sheet.rows().size() <= answers->lessons.size());
        (void)sheet.csv();
    }
    return 0;
}
