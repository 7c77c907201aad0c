#include "engine/agent/Codes.h"
#include "engine/agent/FirstCauseFinder.h"
#include "engine/base/Codes.h"
#include "engine/text/RankList.h"
#include "engine/worker/Codes.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;

namespace {

Failure exitOf(int rank, std::int64_t atNs, int code)
{
    Failure failure;
    failure.exit.globalRank = failure.exit.localRank = rank;
    failure.exit.status.code = code;
    failure.exit.explanation = {
        .code = code::WorkerExitedWithCode,
        .parameters = {{"rank", std::to_string(rank)}, {"code", std::to_string(code)}}};
    failure.at = {.monotonicNs = atNs, .wallNs = atNs};
    return failure;
}

Failure killed(int rank, std::int64_t atNs, int signal)
{
    Failure failure = exitOf(rank, atNs, 0);
    failure.exit.status.signal = signal;
    return failure;
}

Failure raised(int rank, std::int64_t atNs, const std::string& type, const std::string& text)
{
    Failure failure = exitOf(rank, atNs, 1);
    failure.exit.errorType = type;
    failure.exit.errorText = text;
    failure.exit.traceback = "Traceback (most recent call last):\n  File \"train.py\", line 5\n" +
                             type + ": " + text + "\n";
    return failure;
}

Failure peerLost(int rank, std::int64_t atNs)
{
    return raised(rank, atNs, "RuntimeError",
                  "[../third_party/gloo/gloo/transport/tcp/pair.cc:534] Connection closed by peer "
                  "[127.0.0.1]:21042");
}

Failure timedOut(int rank, std::int64_t atNs)
{
    return raised(rank, atNs, "RuntimeError",
                  "[../third_party/gloo/gloo/transport/tcp/unbound_buffer.cc:78] Timed out waiting "
                  "5000ms for recv operation to complete");
}

Failure ended(int rank, std::int64_t atNs)
{
    Failure failure = killed(rank, atNs, 15);
    failure.exit.endedByAgent = true;
    return failure;
}

FirstCause found(std::vector<Failure> ends)
{
    const auto cause = FirstCauseFinder(std::move(ends)).find(7);
    return cause.value_or(FirstCause{.attempt = -1});
}

using Ranks = std::vector<int>;

} // namespace

class tst_first_cause : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsTheOnlyFailureAmongWorkersThatTheAgentEnded()
    {
        const FirstCause cause = found({ended(0, 60), exitOf(1, 50, 3), ended(2, 61)});
        QCOMPARE(cause.attempt, 7);
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 1);
        QVERIFY(cause.consequences.empty());
        QCOMPARE(cause.cause.parameters.at("rank"), std::string("1"));
    }

    void isNothingWhenNobodyFailedByItself()
    {
        QVERIFY(!FirstCauseFinder({ended(0, 1), exitOf(1, 2, 0)}).find(0));
        QVERIFY(!FirstCauseFinder({}).find(0));
    }

    void takesTheEarlierOfTwoIndependentFailures()
    {
        const FirstCause cause =
            found({exitOf(0, 30 * Millisecond, 1), killed(1, 20 * Millisecond, 11)});
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 1);
    }

    void seesThatALostPeerIsAConsequence()
    {
        const FirstCause cause =
            found({killed(2, 10 * Millisecond, 9), peerLost(0, 12 * Millisecond),
                   peerLost(1, 13 * Millisecond)});
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 2);
        QCOMPARE(cause.consequences, (Ranks{0, 1}));
    }

    void blamesTheIndependentRankEvenIfTheConsequenceWasSeenFirst()
    {
        const FirstCause cause = found(
            {peerLost(0, 5 * Millisecond), raised(3, 90 * Millisecond, "ValueError", "boom")});
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 3);
        QCOMPARE(cause.consequences, (Ranks{0}));
        QVERIFY(!cause.traceback.empty());
    }

    void blamesAWorkerThatHadFailedBeforeTheAgentEndedIt()
    {
        Failure windingUp = raised(1, 200 * Millisecond, "ValueError", "boom");
        windingUp.exit.endedByAgent = true;
        windingUp.exit.status = {.signal = 15};
        const FirstCause cause = found({peerLost(0, 5 * Millisecond), windingUp});
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 1);
        QCOMPARE(cause.consequences, (Ranks{0}));
    }

    void doesNotBlameAnInterruptedWorkerBesideARealFailure()
    {
        Failure ending = raised(1, 200 * Millisecond, "RuntimeError", "lost my temper");
        ending.exit.endedByAgent = true;
        const FirstCause cause = found({exitOf(0, 5 * Millisecond, 3), ending});
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 0);
    }

    void doesNotBlameAKeyboardInterruptOfTheAgentsOwnSignal()
    {
        Failure interrupted = raised(1, 200 * Millisecond, "KeyboardInterrupt", "");
        interrupted.exit.endedByAgent = true;
        const FirstCause cause = found({peerLost(0, 5 * Millisecond), interrupted});
        QVERIFY(!cause.sure);
        QCOMPARE(cause.candidates, (Ranks{0}));
    }

    void foldsWorkersThatFailInTheSameWay()
    {
        std::vector<Failure> ends;
        for (int rank = 0; rank < 4; ++rank)
            ends.push_back(
                raised(rank, rank * 40 * Millisecond, "FileNotFoundError",
                       "rank " + std::to_string(rank) + ": No such file or directory: 'data.bin'"));
        const FirstCause cause = found(ends);
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 0);
        QVERIFY(cause.cause.code == code::RanksFailedAlike);
        QCOMPARE(cause.cause.parameters.at("ranks"), std::string("0-3"));
        QVERIFY(cause.remedy.code == code::RemedyCheckPath);
        QCOMPARE(cause.remedy.parameters.at("path"), std::string("data.bin"));
    }

    void foldsEqualFailuresWithinTheUncertainty()
    {
        const FirstCause cause = found({raised(1, 100, "ValueError", "bad shape at 0x7f01aa"),
                                        raised(0, 200, "ValueError", "bad shape at 0x7fbb02")});
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 0);
        QVERIFY(cause.cause.code == code::RanksFailedAlike);
    }

    void isNotSureAboutDifferentFailuresWithinTheUncertainty()
    {
        const FirstCause cause =
            found({raised(0, 100, "ValueError", "boom"), killed(2, 400, 11), ended(1, 900)});
        QVERIFY(!cause.sure);
        QCOMPARE(cause.globalRank, -1);
        QCOMPARE(cause.candidates, (Ranks{0, 2}));
        QVERIFY(cause.cause.code == code::FirstCauseUnsure);
        QVERIFY(!cause.cause.detail.empty());
        QVERIFY(cause.remedy.code == code::RemedyCompareRanks);
    }

    void decidesATieByTheSecondsOfTheErrorFiles()
    {
        Failure early = raised(0, 400, "ValueError", "boom");
        early.raisedAt = 99;
        Failure late = raised(2, 100, "KeyError", "'x'");
        late.raisedAt = 100;
        const FirstCause cause = found({late, early});
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 0);
    }

    void believesTheExitsWhenTheErrorFilesAreOneSecondApart()
    {
        Failure first = raised(0, 10 * Millisecond, "ValueError", "boom");
        first.raisedAt = 101;
        Failure second = raised(1, 20 * Millisecond, "KeyError", "'x'");
        second.raisedAt = 100;
        QCOMPARE(found({first, second}).globalRank, 0);
    }

    void believesTheErrorFilesWhenAProcessTookLongToEnd()
    {
        Failure slow = raised(0, 9'000 * Millisecond, "ValueError", "boom");
        slow.raisedAt = 100;
        Failure quick = raised(1, 4'000 * Millisecond, "KeyError", "'x'");
        quick.raisedAt = 103;
        const FirstCause cause = found({slow, quick});
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 0);
    }

    void ignoresAMissingErrorFileTimestamp()
    {
        Failure with = raised(0, 20 * Millisecond, "ValueError", "boom");
        with.raisedAt = 0;
        QCOMPARE(found({with, exitOf(1, 10 * Millisecond, 3)}).globalRank, 1);
    }

    void saysThatAPeerLeftEarlyWithoutAnError()
    {
        const FirstCause cause =
            found({exitOf(1, 10 * Millisecond, 0), peerLost(0, 20 * Millisecond)});
        QVERIFY(!cause.sure);
        QCOMPARE(cause.candidates, (Ranks{1}));
        QCOMPARE(cause.consequences, (Ranks{0}));
        QVERIFY(cause.cause.code == code::PeerLeftEarly);
        QVERIFY(cause.remedy.code == code::RemedyEqualSteps);
    }

    void aPeerThatWasSeenToEndAtTheSameMomentMayHaveLeftEarly()
    {
        const FirstCause cause =
            found({peerLost(0, 20 * Millisecond), exitOf(1, 20 * Millisecond, 0)});
        QVERIFY(!cause.sure);
        QCOMPARE(cause.candidates, (Ranks{1}));
        QVERIFY(cause.cause.code == code::PeerLeftEarly);
    }

    void looksToOtherNodesWhenOnlyConnectionsWereLost()
    {
        const FirstCause cause = found({peerLost(0, 10), peerLost(1, 20), ended(2, 30)});
        QVERIFY(!cause.sure);
        QCOMPARE(cause.candidates, (Ranks{0, 1}));
        QVERIFY(cause.cause.code == code::PeerLostUnexplained);
        QVERIFY(cause.remedy.code == code::RemedyLookAtOtherNodes);
    }

    void suspectsTheRankThatTheOthersWaitedFor()
    {
        const FirstCause cause = found({timedOut(0, 10 * Millisecond),
                                        timedOut(1, 11 * Millisecond), ended(2, 30 * Millisecond)});
        QVERIFY(!cause.sure);
        QCOMPARE(cause.candidates, (Ranks{2}));
        QCOMPARE(cause.consequences, (Ranks{0, 1}));
        QVERIFY(cause.cause.code == code::WaitedForBusyRanks);
        QCOMPARE(cause.cause.parameters.at("busy"), std::string("2"));
    }

    void namesWhoDidNotComeToTheBarrier_data()
    {
        QTest::addColumn<std::string>("text");
        QTest::addColumn<Ranks>("absent");
        QTest::newRow("one") << std::string("[Rank 0]: Rank 1 failed to pass monitoredBarrier in "
                                            "5000 ms")
                             << Ranks{1};
        QTest::newRow("two") << std::string("[Rank 0]: Ranks 1, 12 failed to pass monitoredBarrier "
                                            "in 5000 ms")
                             << Ranks{1, 12};
    }
    void namesWhoDidNotComeToTheBarrier()
    {
        QFETCH(std::string, text);
        QFETCH(Ranks, absent);
        // As torch 2.11 says it; rank 2 heard of it by rank 0's end.
        Failure second = peerLost(2, 11 * Millisecond);
        const FirstCause cause =
            found({raised(0, 10 * Millisecond, "RuntimeError",
                          text + "\n Original exception: \n[/pytorch/third_party/"
                                 "gloo/gloo/transport/tcp/unbound_buffer.cc:78] "
                                 "Timed out waiting 5000ms for recv operation to "
                                 "complete"),
                   second, ended(1, 30 * Millisecond)});
        QVERIFY(cause.cause.code == code::AbsentFromBarrier);
        QVERIFY(!cause.sure);
        QCOMPARE(cause.candidates, absent);
        QCOMPARE(cause.cause.parameters.at("absent"), rankList(absent));
        QCOMPARE(cause.consequences, (Ranks{0, 2}));
    }

    void suspectsNobodyWhenAllWaited()
    {
        const FirstCause cause = found({timedOut(0, 10), timedOut(1, 20)});
        QVERIFY(!cause.sure);
        QCOMPARE(cause.candidates, (Ranks{0, 1}));
        QVERIFY(cause.cause.code == code::WaitedInVain);
    }

    void judgesAnAbortByWhatItSaid()
    {
        Failure aborted = killed(0, 10 * Millisecond, 6);
        aborted.exit.errorType = "c10::DistBackendError";
        aborted.exit.errorText =
            "[Rank 0] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=8)";
        const FirstCause cause = found({aborted, ended(1, 20 * Millisecond)});
        QVERIFY(cause.cause.code == code::WaitedForBusyRanks);
        QCOMPARE(cause.candidates, (Ranks{1}));
    }

    void namesTheUsersOwnSignal()
    {
        Failure gone = killed(1, 10 * Millisecond, 9);
        gone.userSignal = 9;
        const FirstCause cause = found({gone, peerLost(0, 12 * Millisecond)});
        QVERIFY(cause.sure);
        QCOMPARE(cause.globalRank, 1);
        QVERIFY(cause.cause.code == code::RankEndedByUser);
        QVERIFY(cause.remedy.code == code::None);
        QCOMPARE(cause.consequences, (Ranks{0}));
        // Another signal than the one that was sent is somebody else's.
        gone.userSignal = 10;
        QVERIFY(found({gone, peerLost(0, 12 * Millisecond)}).remedy.code ==
                code::RemedyKilledOutside);
    }

    void saysWhereAnInterruptedWorkerHadRaised()
    {
        Failure failure = raised(1, 10, "ValueError", "boom");
        failure.exit.endedByAgent = true;
        failure.file = "train.py";
        failure.line = 5;
        const FirstCause cause = found({failure, peerLost(0, 9)});
        QCOMPARE(QString::fromStdString(describe(cause.cause)),
                 QStringLiteral("Rank 1: ValueError in train.py line 5: boom"));
    }

    void namesARemedyForEachKindOfEnd_data()
    {
        QTest::addColumn<QString>("stderrTail");
        QTest::addColumn<int>("code");
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("remedy");
        QTest::newRow("module") << "ModuleNotFoundError: No module named 'yaml'" << 1 << 0
                                << "RemedyInstallModule";
        QTest::newRow("script") << "python: can't open file '/x/train.py': [Errno 2]" << 2 << 0
                                << "RemedyCheckPath";
        QTest::newRow("arguments")
            << "usage: train.py [-h]\ntrain.py: error: bad" << 2 << 0 << "RemedyArguments";
        QTest::newRow("gpu memory")
            << "torch.OutOfMemoryError: CUDA out of memory." << 1 << 0 << "RemedyDeviceMemory";
        QTest::newRow("assert") << "RuntimeError: CUDA error: device-side assert triggered" << 1
                                << 0 << "RemedyDeviceAssert";
        QTest::newRow("port") << "EADDRINUSE, message: address already in use" << 1 << 0
                              << "RemedyPortInUse";
        QTest::newRow("segmentation fault") << "" << 0 << 11 << "RemedyFaultHandler";
        QTest::newRow("a process group left behind")
            << "terminate called without an active exception" << 0 << SIGABRT
            << "RemedyDestroyGroup";
        QTest::newRow("abort") << "Assertion failed" << 0 << SIGABRT << "RemedyFaultHandler";
        QTest::newRow("a signal that somebody sent") << "" << 0 << SIGUSR1 << "RemedySignalSender";
        QTest::newRow("killed") << "" << 0 << 9 << "RemedyKilledOutside";
        QTest::newRow("bus error") << "" << 0 << 7 << "RemedySharedMemory";
        QTest::newRow("nothing said") << "" << 3 << 0 << "RemedyRecordErrors";
    }

    void namesARemedyForEachKindOfEnd()
    {
        QFETCH(QString, stderrTail);
        QFETCH(int, code);
        QFETCH(int, signal);
        QFETCH(QString, remedy);
        Failure failure = exitOf(0, 1, code);
        failure.exit.status.signal = signal;
        failure.stderrTail = stderrTail.toStdString();
        QCOMPARE(QString::fromStdString(std::string(codeName(remedyFor(failure).code))), remedy);
    }

    void writesRanksAsAList()
    {
        QCOMPARE(rankList({}), std::string());
        QCOMPARE(rankList({5, 0, 2, 1}), std::string("0-2, 5"));
        QCOMPARE(rankList({3, 4}), std::string("3, 4"));
    }
};

QTEST_GUILESS_MAIN(tst_first_cause)
#include "tst_first_cause.moc"
