#include "tests/lesson/LessonRun.h"
#include "tests/lesson/QuestionCheck.h"
#include "tests/support/TorchInterpreter.h"

#include <QCoreApplication>

#include <cstdio>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

struct Tally
{
    int asked = 0;
    int notComputable = 0;
    int wrong = 0;
};

bool areHeld(const lesson::Recording& seen, int ranks)
{
    for (int rank = 0; rank < seen.latest().rankCount(); ++rank)
        if (seen.latest().rank(rank).lines < 1)
            return false;
    return seen.latest().rankCount() == ranks;
}

/// One run of the lesson on so many ranks, and all of its questions. Where one depends on the order
/// in which the ranks are let go, the gate gives it.
void ask(const lesson::Pack& pack, int ranks, Tally& tally)
{
    LessonRun::Setting setting = settingOf(pack, ranks);
    setting.isHeld = std::ranges::any_of(pack.questions, [](const lesson::Question& question) {
        return question.kind == lesson::Question::Kind::Sender;
    });
    LessonRun run(setting);
    if (setting.isHeld) {
        (void)run.waitFor([&](const lesson::Recording& seen) { return areHeld(seen, ranks); });
        (void)run.send(MoveLesson{.move = MoveLesson::Move::Play, .stepsASecond = 1000});
    }
    const bool isSeen = run.finishOr([&](const lesson::Recording& seen) {
        return pack.expect == lesson::outcomeOf(seen) && pack.expect != lesson::Outcome::Succeeds;
    });
    if (!isSeen)
        std::printf("%s on %d ranks came to nothing\n", pack.name.c_str(), ranks);
    const auto recording = run.recording();
    for (const lesson::Question& question : pack.questions) {
        const auto asked = lesson::ask(question, recording);
        if (!asked) {
            ++tally.notComputable;
            std::printf("%s on %d ranks: %s\n", pack.name.c_str(), ranks,
                        describe(asked.error()).c_str());
            continue;
        }
        ++tally.asked;
        const std::string problem = problemOf(question, *asked, recording);
        tally.wrong += !problem.empty();
        if (!problem.empty())
            std::printf("%s on %d ranks: %s\n", pack.name.c_str(), ranks, problem.c_str());
    }
}

} // namespace

/// Every question of every lesson, over so many runs of real workers: bin/bench_questions [runs]
int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    if (torchInterpreter().isEmpty()) {
        std::puts("bench_questions: no interpreter with torch");
        return 2;
    }
    const QTemporaryDir folder;
    useOwnFolders(folder);
    const int runs = argc > 1 ? std::max(1, std::atoi(argv[1])) : 100;
    std::vector<lesson::Pack> packs;
    for (const auto& path : lesson::ownPacks())
        packs.push_back(*lesson::loadPack(path));
    Tally tally;
    for (int run = 0; run < runs; ++run) {
        const lesson::Pack& pack = packs[static_cast<size_t>(run) % packs.size()];
        const int round = run / static_cast<int>(packs.size());
        ask(pack, pack.minRanks + round % (pack.maxRanks - pack.minRanks + 1), tally);
    }
    std::printf("%d runs: %d questions with one right answer, %d with none or several, %d that "
                "couldn't be asked of their run\n",
                runs, tally.asked - tally.wrong, tally.wrong, tally.notComputable);
    return tally.wrong == 0 ? 0 : 1;
}
