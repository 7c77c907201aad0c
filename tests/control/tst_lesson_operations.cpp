#include "LessonOps.h"
#include "engine/control/Codes.h"
#include "engine/control/LessonOperations.h"
#include "engine/lesson/Recording.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <random>

using namespace ringmaster;
using ledger::OperationKind;
using test::lessonBatch;
using test::lessonOperation;

namespace {

using Happening = lesson::RecordedJob::Happening;

LessonOperations::Choice choice(size_t ofEach = 4)
{
    return {.ranks = {0, 1, 2}, .untilNs = 1000 * Second, .ofEach = ofEach};
}

/// All of them, `last` times, and then 0 and 2 once more.
void addHang(LessonOperations& operations, int last)
{
    for (int rank = 0; rank < 3; ++rank) {
        std::vector<Operation> all;
        for (int number = 1; number <= last; ++number)
            all.push_back(lessonOperation(static_cast<std::uint64_t>(number),
                                          number * Second + rank, number * Second + 50));
        if (rank != 1)
            all.push_back(
                lessonOperation(static_cast<std::uint64_t>(last) + 1, (last + 1) * Second, 0));
        operations.add(lessonBatch(rank, std::move(all)));
    }
}

lesson::Recording recordingOf(const LessonOperations::Told& told)
{
    lesson::RecordedJob job{.worldSize = 3, .ranks = {0, 1, 2}, .before = told.before};
    job.happenings = told.happenings;
    job.verdict = {.id = 1, .guilty = {1}};
    return lesson::recordingOf(job);
}

size_t placeOf(const std::vector<Happening>& all, Happening::Kind kind, int rank,
               std::uint64_t call)
{
    const auto found = std::ranges::find_if(all, [&](const Happening& one) {
        return one.kind == kind && one.rank == rank && one.call == call;
    });
    return static_cast<size_t>(found - all.begin());
}

} // namespace

/// From what ledgers have told to what a lesson shows.
class tst_lesson_operations : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theLastOnesAreShownWithTheirNumbers()
    {
        LessonOperations operations(choice());
        addHang(operations, 20);
        const auto told = operations.tell();
        QVERIFY(told.has_value());
        QCOMPARE(told->backend, std::string("gloo"));
        QCOMPARE(told->lastSites.size(), size_t(3));
        const lesson::Recording recording = recordingOf(*told);
        const auto& last = recording.latest().calls().collectives().back();
        QCOMPARE(last.number, std::uint64_t(21));
        QCOMPARE(last.missing(), (std::vector<int>{1}));
        QCOMPARE(recording.latest().calls().waits().size(), size_t(2));
        // Rank 1 has 17 to 20, the others 18 to 21: what all of them show is shown.
        QCOMPARE(told->before.at("default"), std::uint64_t(17));
        QCOMPARE(told->happenings.size(), size_t(3 * 3 * 2 + 2));
    }

    void whatCameAfterTheMomentIsLeftOut()
    {
        LessonOperations::Choice until = choice();
        until.untilNs = 20 * Second + 20;
        LessonOperations operations(until);
        addHang(operations, 30);
        const lesson::Recording recording = recordingOf(*operations.tell());
        // All have come to 20, and none is back.
        const auto& last = recording.latest().calls().collectives().back();
        QCOMPARE(last.number, std::uint64_t(20));
        QVERIFY(last.missing().empty());
        for (int rank = 0; rank < 3; ++rank)
            QVERIFY(recording.latest().rank(rank).phase == lesson::RankState::Phase::InCall);
    }

    /// One that lasts is told of twice.
    void whatIsToldAgainReplacesWhatWasTold()
    {
        LessonOperations operations(choice());
        operations.add(lessonBatch(0, {lessonOperation(1, Second, 0)}));
        operations.add(lessonBatch(0, {lessonOperation(1, Second, 2 * Second)}));
        const auto told = operations.tell();
        QCOMPARE(told->happenings.size(), size_t(2));
        QVERIFY(told->happenings[1].kind == Happening::Kind::Returns);
        QCOMPARE(told->happenings[1].at.count(), 1'000'000);
    }

    /// Else the ranks would meet in others than they did.
    void whatIsLostIsSaid()
    {
        LessonOperations operations(choice());
        addHang(operations, 20);
        LessonOperations gap(choice(8));
        for (int rank = 0; rank < 3; ++rank) {
            std::vector<Operation> all;
            for (const int number : {1, 2, 3, 4, 5})
                if (rank != 1 || number != 3)
                    all.push_back(lessonOperation(static_cast<std::uint64_t>(number),
                                                  number * Second, number * Second + 50));
            gap.add(lessonBatch(rank, std::move(all)));
        }
        const auto told = gap.tell();
        QVERIFY(!told.has_value());
        QVERIFY(told.error().code == code::RunOperationsMissing);
        QCOMPARE(told.error().parameters.at("rank"), std::string("1"));
    }

    /// Who has gone on far without the others shows what it does, and they show what they did.
    void aRankMayBeFarAhead()
    {
        LessonOperations operations(choice(6));
        std::vector<Operation> ahead{lessonOperation(1, Second, 2 * Second)};
        for (std::uint64_t number = 1; number <= 50; ++number) {
            Operation own = lessonOperation(number, static_cast<std::int64_t>(2 + number) * Second,
                                            static_cast<std::int64_t>(2 + number) * Second + 5);
            own.id = number + 1;
            own.group = 7;
            ahead.push_back(own);
        }
        OperationBatch batch = lessonBatch(0, std::move(ahead));
        batch.groups.push_back({.group = 7, .name = "7", .members = {0, 1}});
        operations.add(batch);
        operations.add(lessonBatch(1, {lessonOperation(1, Second, 2 * Second)}));
        operations.add(lessonBatch(2, {lessonOperation(1, Second, 2 * Second)}));
        const auto told = operations.tell();
        QVERIFY(told.has_value());
        QCOMPARE(told->before.at("7"), std::uint64_t(44));
        QVERIFY(!told->before.contains("default"));
        QCOMPARE(std::ranges::count(told->happenings, 0, &Happening::rank), 12);
        QCOMPARE(std::ranges::count(told->happenings, 1, &Happening::rank), 0);
    }

    void aRequestGoesOnAndIsWaitedFor()
    {
        LessonOperations operations(choice());
        Operation request = lessonOperation(1, Second, 3 * Second, OperationKind::Receive);
        request.caller = ledger::Caller::GoesOn;
        request.returnedNs = 4 * Second;
        request.peer = 1;
        request.tag = 3;
        Operation send = lessonOperation(1, 2 * Second, 3 * Second, OperationKind::Send);
        send.peer = 0;
        send.tag = 3;
        operations.add(lessonBatch(0, {request}));
        operations.add(lessonBatch(1, {send}));
        const auto told = operations.tell();
        QCOMPARE(told->happenings.size(), size_t(4));
        QCOMPARE(told->happenings[0].operation.operation, std::string("irecv"));
        QVERIFY(told->happenings[0].operation.isAsync);
        QVERIFY(told->happenings[3].kind == Happening::Kind::Waits);
        const lesson::Recording recording = recordingOf(*told);
        QVERIFY(recording.latest().calls().requestsOf(0).empty());
        QVERIFY(recording.latest().calls().messages().front().phase ==
                lesson::PeerMessage::Phase::Delivered);
    }

    /// Whose other side isn't shown would wait for somebody whom nobody sees.
    void messagesOfHiddenRanksAreLeftOut()
    {
        LessonOperations operations(choice());
        Operation send = lessonOperation(1, Second, 0, OperationKind::Send);
        send.peer = 3;
        operations.add(lessonBatch(0, {send}, {0, 1, 2, 9}));
        operations.add(lessonBatch(9, {lessonOperation(1, Second, 0)}, {0, 1, 2, 9}));
        QVERIFY(operations.tell()->happenings.empty());
    }

    /// With clocks that are wrong by more than operations take.
    void nothingComesBeforeWhatItDependsOn()
    {
        for (unsigned seed = 1; seed <= 100; ++seed) {
            std::mt19937 random(seed);
            LessonOperations operations(choice(12));
            std::map<int, std::vector<Operation>> all;
            std::map<int, std::uint64_t> ids;
            std::uint64_t collectives = 0;
            std::map<std::pair<int, int>, std::uint64_t> messages;
            const auto add = [&](int rank, Operation operation, std::int64_t now) {
                operation.id = ++ids[rank];
                operation.enqueuedNs = now + rank * 40 + 1000;
                operation.endedNs = operation.enqueuedNs + 10;
                all[rank].push_back(operation);
            };
            for (std::int64_t round = 0; round < 12; ++round) {
                const std::int64_t now = round * 200;
                if (random() % 2 == 0) {
                    ++collectives;
                    for (int rank = 0; rank < 3; ++rank)
                        add(rank, lessonOperation(collectives, 1, 1), now);
                    continue;
                }
                const int from = static_cast<int>(random() % 3);
                const int to = (from + 1 + static_cast<int>(random() % 2)) % 3;
                const std::uint64_t number = ++messages[{from, to}];
                Operation send = lessonOperation(number, 1, 1, OperationKind::Send);
                send.peer = to;
                Operation receive = lessonOperation(number, 1, 1, OperationKind::Receive);
                receive.peer = from;
                add(from, send, now);
                add(to, receive, now);
            }
            for (auto& [rank, list] : all)
                operations.add(lessonBatch(rank, list));
            const auto told = operations.tell();
            QVERIFY2(told.has_value(), std::to_string(seed).c_str());
            const lesson::Recording recording = recordingOf(*told);
            // A rank that is back from where others haven't been would make them meet anew.
            for (size_t step = 0; step < recording.size(); ++step) {
                const LessonStep& one = recording.step(step);
                if (one.kind != LessonStep::Kind::Return)
                    continue;
                const lesson::State& state = recording.stateAt(step);
                for (const lesson::Collective& each : state.calls().collectives()) {
                    const auto part = each.parts.find(one.globalRank);
                    if (part != each.parts.end() && part->second.call.id == one.call.id)
                        QVERIFY2(each.missing().empty(), std::to_string(seed).c_str());
                }
                for (const lesson::PeerMessage& each : state.calls().messages())
                    if (each.to == one.globalRank && each.receiveCall == one.call.id)
                        QVERIFY2(each.sendCall != 0, std::to_string(seed).c_str());
            }
            QVERIFY(!recording.latest().deadlock());
        }
    }

    void anExitIsTheLastOfItsRank()
    {
        LessonOperations operations(choice());
        addHang(operations, 3);
        operations.add(LessonOperations::Exit{.rank = 1, .status = {.code = 1}, .atNs = 2});
        const auto told = operations.tell();
        const size_t exit = placeOf(told->happenings, Happening::Kind::Exits, 1, 0);
        QVERIFY(exit < told->happenings.size());
        QVERIFY(exit > placeOf(told->happenings, Happening::Kind::Returns, 1, 2));
        QVERIFY(recordingOf(*told).latest().rank(1).phase == lesson::RankState::Phase::Exited);
    }
};

QTEST_GUILESS_MAIN(tst_lesson_operations)
#include "tst_lesson_operations.moc"
