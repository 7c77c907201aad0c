#include "app/learn/MemoryBars.h"
#include "tests/app/LearnWindow.h"
#include "tests/lesson/Steps.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;
using namespace ringmaster::test;

namespace {

using Part = MemoryBars::Part;

/// Two ranks; rank 0 gathers `weights` from its `shards`, and drops them.
std::vector<Event> gatherAndDrop()
{
    LessonValue gone{.name = "weights", .kind = LessonValue::Kind::Gone};
    LessonValue number{.name = "shards_kept", .elements = {"2"}};
    return {eventOf(attemptOf(2)),
            eventOf(lineStep(0, 1)),
            eventOf(lineStep(1, 1)),
            eventOf(lineStep(0, 2,
                             {tensorOf("shards[0]", {"1.0"}), tensorOf("shards[1]", {"2.0"}),
                              tensorOf("other", {"1.0"}), number})),
            eventOf(lineStep(0, 3, {tensorOf("weights", {"1.0", "2.0", "3.0", "4.0"})})),
            eventOf(lineStep(0, 4, {gone})),
            eventOf(lineStep(1, 2, {tensorOf("shards[0]", {"5.0", "6.0"})}))};
}

lesson::Recording recordingOf(const std::vector<Event>& events)
{
    lesson::Recording recording;
    for (const Event& event : events)
        recording.add(event);
    return recording;
}

} // namespace

class tst_memory_bars : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aBarIsTheBytesOfItsVariables()
    {
        const auto recording = recordingOf(gatherAndDrop());
        MemoryBars bars;
        bars.setNames({"shards", "weights"});
        bars.follow(&recording);
        const auto at = [&](size_t step) { return bars.at(step)[0].parts; };
        QVERIFY((at(0) == std::vector<Part>{{"shards", 0}, {"weights", 0}}));
        QVERIFY((at(2) == std::vector<Part>{{"shards", 8}, {"weights", 0}}));
        QVERIFY((at(3) == std::vector<Part>{{"shards", 8}, {"weights", 16}}));
        QVERIFY((at(4) == std::vector<Part>{{"shards", 8}, {"weights", 0}}));
        QCOMPARE(bars.at(4)[0].bytes(), std::uint64_t(8));
        QCOMPARE(bars.at(5)[1].bytes(), std::uint64_t(8));
    }

    void theMostIsThatUntilThen()
    {
        const auto recording = recordingOf(gatherAndDrop());
        MemoryBars bars;
        bars.setNames({"shards", "weights"});
        bars.follow(&recording);
        QCOMPARE(bars.at(2)[0].most, std::uint64_t(8));
        QCOMPARE(bars.at(3)[0].most, std::uint64_t(24));
        QCOMPARE(bars.at(5)[0].most, std::uint64_t(24));
        QCOMPARE(bars.at(4)[1].most, std::uint64_t(0));
        QCOMPARE(bars.longest(), std::uint64_t(24));
    }

    void whatComesLaterIsReadThen()
    {
        const auto events = gatherAndDrop();
        lesson::Recording recording;
        MemoryBars bars;
        bars.setNames({"weights"});
        for (const Event& event : events) {
            recording.add(event);
            bars.follow(&recording);
        }
        QCOMPARE(bars.at(recording.size() - 1)[0].most, std::uint64_t(16));
        QVERIFY(bars.at(recording.size()).empty());
    }

    void nothingIsLeftOfAnotherRun()
    {
        const auto recording = recordingOf(gatherAndDrop());
        MemoryBars bars;
        bars.setNames({"weights"});
        bars.follow(&recording);
        bars.follow(nullptr);
        QVERIFY(bars.at(0).empty());
        QCOMPARE(bars.longest(), std::uint64_t(0));
    }

    void anAttemptBeginsWithNothing()
    {
        auto events = gatherAndDrop();
        AttemptStarted again = attemptOf(2);
        again.attempt = 1;
        events.push_back(eventOf(again));
        LessonStep first = lineStep(0, 1);
        first.attempt = 1;
        events.push_back(eventOf(first));
        const auto recording = recordingOf(events);
        MemoryBars bars;
        bars.setNames({"weights"});
        bars.follow(&recording);
        QCOMPARE(bars.at(recording.size() - 1)[0].most, std::uint64_t(0));
    }
};

QTEST_GUILESS_MAIN(tst_memory_bars)
#include "tst_memory_bars.moc"
