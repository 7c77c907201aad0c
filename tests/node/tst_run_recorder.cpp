#include "engine/agent/Codes.h"
#include "tests/node/OpenRecord.h"

#include <QtTest>

using namespace ringmaster;

namespace {

const Notice First{.message = {code::UserStopped, {}, {}}};

} // namespace

class tst_run_recorder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void observersHearOfAnEventBeforeItIsRecorded()
    {
        test::NobodyAsks nobody;
        test::OpenRecord open(nobody);
        std::vector<size_t> heard;
        for (int i = 0; i < 2; ++i)
            open.record.observe(
                [&](const EventBody&, const Moment&) { heard.push_back(open.events.size()); });
        open.record.emit(First);
        QCOMPARE(heard, (std::vector<size_t>{0, 0}));
        QCOMPARE(open.events.size(), size_t{1});
    }

    /// What follows from an event may have to stand before it.
    void whatTheyEmitComesFirstAndHasTheNumberBefore()
    {
        test::NobodyAsks nobody;
        test::OpenRecord open(nobody);
        open.record.observe([&](const EventBody& body, const Moment&) {
            if (std::holds_alternative<RunStateChanged>(body))
                open.record.emit(First);
        });
        open.record.emit(RunStateChanged{.state = RunState::Running});
        QCOMPARE(open.events.size(), size_t{2});
        QVERIFY(std::holds_alternative<Notice>(open.events.front().body));
        QCOMPARE(open.events.front().id.sequence, std::uint64_t{1});
        QCOMPARE(open.events.back().id.sequence, std::uint64_t{2});
    }

    /// From a lead that goes, a drill, a rule or the writer something may still come.
    void howItEndedIsTheLastEvent()
    {
        test::NobodyAsks nobody;
        test::OpenRecord open(nobody);
        int heard = 0;
        open.record.observe([&](const EventBody& body, const Moment&) {
            ++heard;
            if (std::holds_alternative<RunStateChanged>(body))
                open.record.emit(First); // what is known at the end
        });
        open.record.emit(RunStateChanged{.state = RunState::Failed});
        QCOMPARE(open.events.size(), size_t{2});
        QCOMPARE(heard, 2);
        open.record.emit(First);
        open.record.emit(DeviceSample{});
        open.record.emit(RunStateChanged{.state = RunState::Succeeded});
        open.record.keep({.id = {.run = "run", .agent = "1", .sequence = 7}, .body = First});
        QCOMPARE(open.events.size(), size_t{2});
        QCOMPARE(heard, 2);
        QVERIFY(open.record.snapshot().state == RunState::Failed);
    }

    /// Others train on, and the lead itself has more to say.
    void theEndOfAnAgentThatItLeadsIsNotTheRuns()
    {
        test::NobodyAsks nobody;
        test::OpenRecord open(nobody);
        open.record.emit(HostChanged{.agent = "1", .host = "a"});
        open.record.keep({.id = {.run = "run", .agent = "1", .sequence = 1},
                          .body = RunStateChanged{.state = RunState::Succeeded}});
        open.record.keep({.id = {.run = "run", .agent = "1", .sequence = 2}, .body = First});
        open.record.emit(First);
        QCOMPARE(open.events.size(), size_t{4});
    }

    void theyMayAmendIt()
    {
        test::NobodyAsks nobody;
        test::OpenRecord open(nobody);
        open.record.observe([](EventBody& body, const Moment&) {
            if (auto* state = std::get_if<RunStateChanged>(&body))
                state->exitCode = 3;
        });
        open.record.emit(RunStateChanged{.state = RunState::Succeeded});
        QCOMPARE(open.all<RunStateChanged>().front().exitCode, 3);
    }

    void theyHearOfThoseOfAgentsThatItLeadsAsWell()
    {
        test::NobodyAsks nobody;
        test::OpenRecord open(nobody);
        int heard = 0;
        open.record.observe([&](const EventBody&, const Moment&) { ++heard; });
        open.record.keep({.id = {.run = "run", .agent = "1", .sequence = 7}, .body = First});
        QCOMPARE(heard, 1);
        QCOMPARE(open.events.front().id.sequence, std::uint64_t{7});
        QCOMPARE(open.events.front().runSequence, std::uint64_t{1});
    }
};

QTEST_GUILESS_MAIN(tst_run_recorder)
#include "tst_run_recorder.moc"
