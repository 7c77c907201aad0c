#include "engine/base/Codes.h"
#include "engine/event/EvidenceFolds.h"
#include "engine/event/Proto.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <ringmaster.pb.h>

using namespace ringmaster;

namespace {

ThreadStack mainThread(std::vector<StackFrame> frames)
{
    return {.name = "MainThread", .isMain = true, .frames = std::move(frames)};
}

Message inside(int number, const char* seconds)
{
    return {code::TimedOut,
            {{"operation", "all_reduce"},
             {"number", std::to_string(number)},
             {"group", "default"},
             {"what", "float32, 10 elements"},
             {"seconds", seconds}},
            {}};
}

RankEvidence waiting(int rank)
{
    return {.globalRank = rank,
            .pid = 100 + rank,
            .source = RankEvidence::Source::PySpy,
            .threads = {mainThread({{"all_reduce", "torch/distributed/distributed_c10d.py", 3075},
                                    {"step", "/train.py", 21}})},
            .process = RankEvidence::Process::Waiting,
            .systemCall = "futex",
            .operation = inside(31, "12.0")};
}

RankEvidence sleeping(int rank)
{
    RankEvidence evidence = waiting(rank);
    evidence.threads = {mainThread({{"save", "/train.py", 40}, {"step", "/train.py", 22}})};
    evidence.operation = {};
    return evidence;
}

std::vector<std::vector<int>> ranksOf(const std::vector<EvidenceFold>& folds)
{
    std::vector<std::vector<int>> ranks;
    for (const EvidenceFold& fold : folds)
        ranks.push_back(fold.ranks);
    return ranks;
}

using Ranks = std::vector<std::vector<int>>;

Event taken(std::int64_t wallNs, Evidence evidence)
{
    return {.at = {wallNs, wallNs}, .body = std::move(evidence)};
}

} // namespace

/// Which ranks are told as one, what several hosts told together, and how much of it is kept.
class tst_evidence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void equalStacksAreOne()
    {
        Evidence evidence;
        for (const int rank : {6, 0, 3, 1, 2, 5, 4})
            evidence.ranks.push_back(waiting(rank));
        evidence.ranks.push_back(sleeping(7));
        evidence.ranks[2].operation = inside(31, "12.9");
        const auto folds = foldsOf(evidence);
        QCOMPARE(ranksOf(folds), (Ranks{{0, 1, 2, 3, 4, 5, 6}, {7}}));
        QCOMPARE(folds[0].common.operation.parameters.at("seconds"), std::string("12.9"));
        QCOMPARE(folds[0].common.pid, 0);
        QCOMPARE(folds[1].common.pid, 107);
    }

    void whatStandsElsewhereIsApart_data()
    {
        QTest::addColumn<int>("how");
        QTest::newRow("another line") << 0;
        QTest::newRow("another operation") << 1;
        QTest::newRow("another thread") << 2;
        QTest::newRow("stopped by a signal") << 3;
        QTest::newRow("no stack, for a reason") << 4;
    }
    void whatStandsElsewhereIsApart()
    {
        QFETCH(int, how);
        RankEvidence other = waiting(1);
        if (how == 0)
            ++other.threads[0].frames[1].line;
        if (how == 1)
            other.operation = inside(32, "12.0");
        if (how == 2)
            other.threads.push_back({.name = "writer", .frames = {{"keep", "/train.py", 90}}});
        if (how == 3)
            other.process = RankEvidence::Process::Stopped;
        if (how == 4)
            other.problem = {code::FileNotFound, {}, {}};
        QCOMPARE(ranksOf(foldsOf({.ranks = {waiting(0), other}})), (Ranks{{0}, {1}}));
    }

    /// A waiting process is woken now and then; without a stack its place in the kernel is all.
    void theKernelsWordCountsWhereThereIsNoOther()
    {
        RankEvidence other = waiting(1);
        other.systemCall = "poll";
        other.process = RankEvidence::Process::Running;
        QCOMPARE(foldsOf({.ranks = {waiting(0), other}}).size(), size_t(1));
        RankEvidence one = waiting(0);
        one.threads = other.threads = {};
        QCOMPARE(foldsOf({.ranks = {one, other}}).size(), size_t(2));
    }

    void nativeCallsOfOneAreThoseOfAll()
    {
        RankEvidence second = waiting(1);
        second.nativeThreads = {mainThread({{"pthread_cond_wait", "libc.so.6", 0}})};
        const auto folds = foldsOf({.ranks = {waiting(0), second}});
        QCOMPARE(folds.size(), size_t(1));
        QVERIFY(folds[0].common.nativeThreads == second.nativeThreads);
    }

    void hostsTellTogether()
    {
        const std::vector<Event> events{
            taken(10 * Second, {.attempt = 0, .ranks = {waiting(2), waiting(3)}}),
            taken(10 * Second, {}), // of none
            taken(11 * Second, {.attempt = 0, .isPart = true, .ranks = {waiting(0), waiting(1)}}),
            {.body = Notice{}},
            taken(12 * Second, {.attempt = 1, .ranks = {waiting(0)}}),
            taken(14 * Second, {.attempt = 1, .ranks = {sleeping(0)}}), // the same again
        };
        const auto all = gatheredEvidence(events);
        QCOMPARE(all.size(), size_t(3));
        QCOMPARE(ranksOf(foldsOf(all[0].evidence)), (Ranks{{0, 1, 2, 3}}));
        QVERIFY(all[0].evidence.isPart && all[0].at.wallNs == 10 * Second);
        QVERIFY(all[1].evidence.attempt == 1 && all[2].evidence.attempt == 1);
        QVERIFY(all[1].evidence.ranks.front() == waiting(0));
    }

    void onlyTheRanksThatAreAskedFor()
    {
        const Evidence evidence{.ranks = {waiting(0), waiting(1), waiting(2)}};
        QCOMPARE(ranksOf(foldsOf(onlyRanks(evidence, {2, 0, 9}))), (Ranks{{0, 2}}));
        QCOMPARE(onlyRanks(evidence, {}), evidence);
    }

    void whatIsTooMuchIsLeftOut()
    {
        Evidence evidence;
        for (int rank = 0; rank < 64; ++rank) {
            RankEvidence one = waiting(rank);
            ThreadStack deep = mainThread({});
            for (int frame = 0; frame < 64; ++frame)
                deep.frames.push_back({std::string(200, 'f'), std::string(200, 'p'), frame});
            one.threads = std::vector<ThreadStack>(8, deep);
            one.nativeThreads = one.threads;
            evidence.ranks.push_back(one);
        }
        limitEvidence(evidence);
        QVERIFY(evidence.isPart);
        QVERIFY(serialize(EventBody(evidence)).size() < MostEvidenceBytes + (64U << 10U));
        QCOMPARE(evidence.ranks.size(), size_t(64));
        // The first ranks keep most; each keeps what it is in.
        QVERIFY(!evidence.ranks[0].threads.empty());
        QVERIFY(evidence.ranks[63].operation == inside(31, "12.0"));
        QVERIFY(evidence.ranks[63].threads.empty() || evidence.ranks[63].threads[0].leftOut == 60);
        Evidence small{.ranks = {waiting(0), sleeping(1)}};
        const Evidence before = small;
        limitEvidence(small);
        QCOMPARE(small, before);
    }

    void manyPlacesAreNotForEver()
    {
        Evidence evidence;
        for (int rank = 0; rank < 2000; ++rank) {
            evidence.ranks.push_back(waiting(rank));
            evidence.ranks.back().threads[0].frames[0].line = rank;
        }
        QCOMPARE(foldsOf(evidence).size(), MostFolds);
    }

    void goesThroughTheContract()
    {
        const KeptEvidence kept{{1, 2}, {.attempt = 3, .ranks = {waiting(0), sleeping(1)}}};
        v1::Stacks proto;
        toProto(kept, proto);
        QVERIFY(fromProto(proto) == Result<KeptEvidence>(kept));
    }
};

QTEST_GUILESS_MAIN(tst_evidence)
#include "tst_evidence.moc"
