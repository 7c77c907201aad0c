#include "EveryCollective.h"
#include "HappenedBefore.h"
#include "LessonTest.h"
#include "engine/lesson/Questions.h"

#include <random>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

/// A few in CI; as many as one wants by hand.
int recordingsWanted()
{
    constexpr int Few = 4;
    bool isNumber = false;
    const int wanted = qEnvironmentVariableIntValue("RINGMASTER_RECORDINGS", &isNumber);
    return isNumber ? std::max(wanted, 1) : Few;
}

/// Which they begin with: others than those of an earlier run.
int firstRecording()
{
    return qEnvironmentVariableIntValue("RINGMASTER_FIRST_RECORDING");
}

/// The programs of all lessons but those of other machines' backends.
std::vector<lesson::Pack> lessonsWithPrograms()
{
    std::vector<lesson::Pack> packs;
    for (const auto& entry :
         std::filesystem::directory_iterator(RINGMASTER_SOURCE_DIR "/resources/lessons")) {
        auto pack = lesson::loadPack(entry.path());
        if (!pack || pack->recording)
            continue;
        std::erase(pack->backends, "nccl");
        if (!hasRing())
            std::erase(pack->backends, "ring");
        if (!pack->backends.empty())
            packs.push_back(*std::move(pack));
    }
    std::ranges::sort(packs, {}, &lesson::Pack::name);
    return packs;
}

enum class Holding { Free, Played, OneByOne };

} // namespace

/// Recordings in numbers: all collectives and all lessons, on 2 to 8 ranks, run freely and held. In
/// none of their lists does anything stand before its cause.
class tst_lesson_recordings : public LessonTest
{
    Q_OBJECT

private Q_SLOTS:
    void nothingStandsBeforeItsCause_data()
    {
        QTest::addColumn<int>("number");
        const int first = firstRecording();
        for (int number = first; number < first + recordingsWanted(); ++number)
            QTest::addRow("%d", number) << number;
    }

    void nothingStandsBeforeItsCause()
    {
        QFETCH(const int, number);
        std::mt19937 random(static_cast<unsigned>(number));
        const auto below = [&](size_t end) { return static_cast<size_t>(random() % end); };
        const auto holding = static_cast<Holding>(number % 3);
        lesson::Outcome expected = lesson::Outcome::Succeeds;
        std::string about;
        const LessonRun::Setting setting = number % 2 == 0
                                               ? everything(below, about)
                                               : aLesson(number / 2, below, about, expected);
        LessonRun::Setting wanted = setting;
        wanted.isHeld = holding != Holding::Free;
        LessonRun run(wanted);
        if (holding != Holding::Free)
            move(run, holding, below, setting.ranks);
        const auto isAsExpected = [&](const lesson::Recording& seen) {
            return expected != lesson::Outcome::Succeeds && lesson::outcomeOf(seen) == expected;
        };
        const bool isThere = run.finishOr(isAsExpected);
        QVERIFY2(isThere, (about + ": " + run.standing()).c_str());
        const auto recording = run.recording();
        QVERIFY2(lesson::outcomeOf(recording) == expected, (about + ": " + run.standing()).c_str());
        const HappenedBefore order(recording);
        QVERIFY2(order.violations().empty(), (about + ":\n" + order.violations()).c_str());
        ++m_recordings;
        m_steps += recording.size();
        m_chunks += order.chunks();
        m_messages += order.messages();
        m_collectives += order.collectives();
    }

    void cleanupTestCase()
    {
        qInfo("%zu recordings in their order: %zu steps, %zu chunks, %zu messages, %zu collectives "
              "left",
              m_recordings, m_steps, m_chunks, m_messages, m_collectives);
    }

private:
    using Below = std::function<size_t(size_t)>;

    static LessonRun::Setting everything(const Below& below, std::string& about)
    {
        const std::vector<std::string> algorithms =
            hasRing() ? std::vector<std::string>{"ring", "tree", "direct", ""}
                      : std::vector<std::string>{""};
        const std::string& algorithm = algorithms[below(algorithms.size())];
        const char* backend = algorithm.empty() ? "gloo" : "ring";
        const int ranks = 2 + static_cast<int>(below(7));
        about = "everything, " + (algorithm.empty() ? backend : algorithm) + ", " +
                std::to_string(ranks) + " ranks";
        return {.program = headOf(backend) + Everything,
                .ranks = ranks,
                .backend = QString::fromLatin1(backend),
                .ringAlgorithm = algorithm};
    }

    static LessonRun::Setting aLesson(int number, const Below& below, std::string& about,
                                      lesson::Outcome& expected)
    {
        static const std::vector<lesson::Pack> packs = lessonsWithPrograms();
        lesson::Pack pack = packs[static_cast<size_t>(number) % packs.size()];
        std::swap(pack.backends.front(), pack.backends[below(pack.backends.size())]);
        const auto choices = static_cast<size_t>(pack.maxRanks - pack.minRanks + 1);
        const int ranks = pack.minRanks + static_cast<int>(below(choices));
        expected = pack.expect;
        about = pack.name + ", " + pack.backends.front() + ", " + std::to_string(ranks) + " ranks";
        return settingOf(pack, ranks);
    }

    /// For a while; then it runs on.
    static void move(LessonRun& run, Holding holding, const Below& below, int ranks)
    {
        using Move = MoveLesson::Move;
        const size_t until = 20 + below(200);
        const auto isThere = [&](const lesson::Recording& seen) { return seen.size() >= until; };
        if (holding == Holding::Played) {
            (void)run.send(MoveLesson{.move = Move::Play, .stepsASecond = 1000});
            (void)run.finishOr(isThere);
        } else
            (void)run.finishOr([](const lesson::Recording& seen) { return seen.size() > 0; });
        // Whom one lets go needn't be able to: the next one is.
        for (size_t step = 0; holding == Holding::OneByOne && step < until / 4; ++step)
            (void)run.send(
                MoveLesson{.move = Move::Step,
                           .ranks = {static_cast<int>(below(static_cast<size_t>(ranks)))}});
        // Refused where the last step was the run's end; where it isn't, the run won't end.
        (void)run.send(MoveLesson{.move = Move::ToEnd});
    }

    size_t m_recordings = 0;
    size_t m_steps = 0;
    size_t m_chunks = 0;
    size_t m_messages = 0;
    size_t m_collectives = 0;
};

QTEST_GUILESS_MAIN(tst_lesson_recordings)
#include "tst_lesson_recordings.moc"
