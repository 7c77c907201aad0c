#include "engine/machine/PySpyProgram.h"
#include "tests/cli/Ringmaster.h"
#include "tests/support/DeadFileSystem.h"
#include "tests/support/TorchTest.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>
#include <csignal>

#include <unistd.h>

/// Unmodified programs under `ringmaster run`, each with something wrong or only unusual, and what
/// is said of them.
class tst_live_diagnosis : public ringmaster::test::TorchTest
{
    Q_OBJECT

private:
    QStringList line(int ranks, const QStringList& program) const
    {
        return QStringList{"run",
                           "--standalone",
                           "--nproc-per-node",
                           QString::number(ranks),
                           "--grace",
                           "1",
                           "--python",
                           python(),
                           "--warm",
                           "on",
                           QStringLiteral(RINGMASTER_SOURCE_DIR) +
                               "/tests/node/programs/training.py"} +
               program;
    }

    static QJsonArray verdictsOf(const Ringmaster& ringmaster)
    {
        const auto shown = ringmaster.run({"show", "--events", "--json"});
        QJsonArray verdicts;
        for (const QJsonValue& event : QJsonDocument::fromJson(shown.output)["events"].toArray()) {
            if (event["kind"] == "verdict")
                verdicts.append(event);
        }
        return verdicts;
    }

    /// "hang HangStopped 1", each once.
    static QStringList judgementsOf(const QJsonArray& verdicts)
    {
        QStringList lines;
        for (const QJsonValue& verdict : verdicts) {
            if (verdict["verdict"] == "waiting" || !verdict["isStanding"].toBool())
                continue;
            QStringList guilty;
            for (const QJsonValue& rank : verdict["guilty"].toArray())
                guilty += QString::number(rank.toInt());
            lines += QString("%1 %2 %3")
                         .arg(verdict["verdict"].toString(),
                              verdict["statement"]["code"].toString(), guilty.join(','))
                         .trimmed();
        }
        lines.removeDuplicates();
        return lines;
    }

    /// Until its verdict is said, and what is found out later is shown; then it is stopped.
    Ringmaster::Outcome runUntil(const Ringmaster& ringmaster, const QStringList& arguments,
                                 const QByteArray& text, const QByteArrayList& shown = {}) const
    {
        constexpr int Patience = 240'000;
        const auto process = ringmaster.start(arguments);
        QElapsedTimer timer;
        timer.start();
        const auto isShown = [&] {
            const QByteArray output = ringmaster.run({"show"}).output;
            return std::ranges::all_of(
                shown, [&](const QByteArray& part) { return output.contains(part); });
        };
        if (!waitForText(*process, text, QProcess::StandardError, Patience))
            qWarning("\"%s\" didn't come in %lld ms", text.constData(), timer.elapsed());
        else if (!shown.isEmpty() && !QTest::qWaitFor(isShown, Patience))
            qWarning("\"%s\" wasn't shown in %lld ms", shown.join("\", \"").constData(),
                     timer.elapsed());
        process->terminate();
        return Ringmaster::finish(*process);
    }

    static bool hasPySpy() { return !ringmaster::pySpyFor(static_cast<int>(::getpid())).empty(); }

private Q_SLOTS:
    void namesTheGuilty_data()
    {
        QTest::addColumn<int>("ranks");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("judgement");
        QTest::newRow("stopped") << 2 << "which is stopped."
                                 << "hang HangStopped 1";
        QTest::newRow("order") << 2 << "in a circle"
                               << "hang HangCycle 0,1";
        QTest::newRow("both_receive") << 2 << "in a circle"
                                      << "hang HangCycle 0,1";
        QTest::newRow("shape") << 3 << "don't agree"
                               << "mismatch MismatchRanks 2";
        QTest::newRow("type") << 3 << "don't agree"
                              << "mismatch MismatchRanks 2";
        QTest::newRow("operation") << 3 << "don't agree"
                                   << "mismatch MismatchRanks 2";
        QTest::newRow("sleeper") << 2 << "which does nothing."
                                 << "hang HangIdle 1";
        QTest::newRow("init") << 3 << "which does nothing."
                              << "hang HangIdleToMake 1";
        QTest::newRow("new_group") << 3 << "which does nothing."
                                   << "hang HangIdleToMake 2";
        QTest::newRow("groups_order") << 3 << "the same groups in the same order"
                                      << "mismatch GroupsDiffer 2";
        QTest::newRow("tags") << 3 << "with tag 101"
                              << "mismatch TagsDiffer 2";
        QTest::newRow("source") << 3 << "receives from rank"
                                << "mismatch SourceDiffers 2";
        QTest::newRow("size") << 3 << "which receives"
                              << "mismatch SizesDiffer 0,1";
        QTest::newRow("straggler") << 2 << "comes last"
                                   << "straggler StragglerRank 1";
    }
    void namesTheGuilty()
    {
        QFETCH(int, ranks);
        QFETCH(QString, text);
        QFETCH(QString, judgement);
        const Ringmaster ringmaster(runtime());
        (void)runUntil(ringmaster, line(ranks, {QTest::currentDataTag(), "600"}), text.toUtf8());
        const QJsonArray verdicts = verdictsOf(ringmaster);
        const QStringList judgements = judgementsOf(verdicts);
        QVERIFY2(judgements.size() == 1 && judgements[0].split(' ')[2].split(',').size() ==
                                               judgement.split(' ')[2].split(',').size(),
                 qPrintable(judgements.join("; ")));
        QStringList found = judgements[0].split(' ');
        QStringList guilty = found[2].split(',');
        guilty.sort(); // a circle begins anywhere
        found[2] = guilty.join(',');
        QCOMPARE(found.join(' '), judgement);
    }

    void saysWhereTheAbsentRankStands()
    {
        const Ringmaster ringmaster(runtime());
        const QByteArrayList texts{"Rank 1 is in wrong, ", "training.py line ", "      Thread ",
                                   ", line "};
        (void)runUntil(ringmaster, line(2, {"sleeper"}), "which does nothing.", texts);
        const QByteArray shown = ringmaster.run({"show"}).output;
        for (const QByteArray& text : texts)
            QVERIFY2(shown.contains(text), shown);
    }

    void saysWhatAHangingRankWaitsFor_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("sleeper") << QByteArray("Rank 1 sleeps for 35");
        QTest::newRow("lock") << QByteArray("Rank 1 waits for a lock");
        QTest::newRow("fifo") << QByteArray("Rank 1 opens a FIFO, and nobody opens its other end.");
        QTest::newRow("store") << QByteArray("Rank 1 reads from a socket to ");
        QTest::newRow("stuck_loader") << QByteArray("Rank 1 waits for its DataLoader worker (pid ");
        QTest::newRow("killed_child") << QByteArray("was killed by SIGKILL.");
        QTest::newRow("failed_thread") << QByteArray(
            "A thread of rank 1, producer, has ended with ValueError: no more data (produce, ");
        QTest::newRow("gil") << QByteArray("C code that rank 1 has called in that line holds the "
                                           "interpreter's lock (GIL)");
    }
    void saysWhatAHangingRankWaitsFor()
    {
        QFETCH(QByteArray, text);
        if (QTest::currentDataTag() == QByteArray("gil") && !hasPySpy())
            QSKIP("no py-spy");
        const Ringmaster ringmaster(runtime());
        const QTemporaryDir folder;
        (void)runUntil(ringmaster, line(2, {QTest::currentDataTag(), "0", folder.path()}),
                       "which does nothing.", {text});
        QCOMPARE(judgementsOf(verdictsOf(ringmaster)), QStringList("hang HangIdle 1"));
        const QByteArray shown = ringmaster.run({"show"}).output;
        QVERIFY2(shown.contains(text), shown);
    }

    /// Neither torch's worker server nor anything else in Python answers in it.
    void whoComputesWithTheInterpretersLockIsNoHang()
    {
        if (!hasPySpy())
            QSKIP("no py-spy");
        const Ringmaster ringmaster(runtime());
        const auto process = ringmaster.start(line(2, {"regex", "0"}));
        QTRY_VERIFY_WITH_TIMEOUT(ringmaster.run({"show"}).output.contains(
                                     "Rank 1 stays in that line with the interpreter's lock (GIL)"),
                                 240'000);
        // On a busy machine a reader may be too slow, which the answer then says.
        QByteArray stacks;
        QTRY_VERIFY2_WITH_TIMEOUT(!(stacks = ringmaster.run({"stacks", "--rank", "1"}).output)
                                       .contains("answered in time"),
                                  stacks, 240'000);
        QVERIFY2(stacks.contains("MainThread, read by py-spy, holds the GIL\n      match (") &&
                     stacks.contains("Its process: running, by /proc"),
                 stacks);
        process->terminate();
        (void)Ringmaster::finish(*process);
        QCOMPARE(judgementsOf(verdictsOf(ringmaster)), QStringList());
        const QByteArray shown = ringmaster.run({"show"}).output;
        QVERIFY2(shown.contains("Rank 1 computes") && shown.contains(": re.match("), shown);
    }

    void quietWorkIsNoHang_data()
    {
        // A main thread that wakes up now and then stands still by its stacks only: seen later.
        QTest::addColumn<QString>("seconds");
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("child") << "30"
                               << QByteArray("Rank 1 waits for its child `sleep 30.0` (pid ");
        QTest::newRow("timeout_child")
            << "60" << QByteArray("Rank 1 waits for its child `sleep 60.0` (pid ");
        QTest::newRow("pause") << "30" << QByteArray("Rank 1 sleeps for ");
        QTest::newRow("download") << "60" << QByteArray("Rank 1 reads from a socket to 127.0.0.1:");
        QTest::newRow("disk") << "30" << QByteArray("Rank 1 waits for a disk");
    }
    void quietWorkIsNoHang()
    {
        QFETCH(QString, seconds);
        QFETCH(QByteArray, text);
        const Ringmaster ringmaster(runtime());
        ringmaster::test::DeadFileSystem files;
        const bool isDisk = QLatin1String(QTest::currentDataTag()) == QLatin1String("disk");
        if (isDisk && !files.isUsable())
            QSKIP("FUSE can't be mounted here.");
        const auto process =
            ringmaster.start(line(2, {QTest::currentDataTag(), seconds, QString(files.path())}));
        const bool isSaid =
            waitForText(*process, "which is quiet, but at work.", QProcess::StandardError, 240'000);
        files.die();
        const auto done = Ringmaster::finish(*process);
        const QStringList judgements = judgementsOf(verdictsOf(ringmaster));
        QVERIFY2(judgements.isEmpty(), qPrintable(judgements.join("; ") + '\n' + done.error));
        const QByteArray events = ringmaster.run({"show", "--events", "--json"}).output;
        QVERIFY2(isSaid, done.error);
        QVERIFY2(events.contains(text), events);
        QVERIFY2(done.exitCode == 0, done.error);
    }

    void whatItWaitedForIsTheCauseOfAnEndInTheMiddle_data()
    {
        QTest::addColumn<QString>("mode");
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("code");
        // Who computes doesn't hang, however late the stop comes.
        QTest::newRow("stopped by a user") << "busy"
                                           << "stopped"
                                           << "RanksWait";
        QTest::newRow("the group's timeout") << "timeout"
                                             << "failed"
                                             << "WaitFailed";
    }
    void whatItWaitedForIsTheCauseOfAnEndInTheMiddle()
    {
        QFETCH(QString, mode);
        QFETCH(QString, state);
        QFETCH(QString, code);
        const Ringmaster ringmaster(runtime());
        const QByteArray text = state == "stopped" ? "has waited " : "it ended with an error.";
        const auto done = runUntil(ringmaster, line(2, {mode, "600"}), text);
        const auto shown = QJsonDocument::fromJson(ringmaster.run({"show", "--json"}).output);
        const QJsonObject cause = shown["cause"].toObject();
        QCOMPARE(cause["statement"]["code"].toString(), code);
        QCOMPARE(cause["statement"]["parameters"]["absent"].toString(), QString("1"));
        QVERIFY(cause["place"]["text"].toString().contains("training.py line "));
        const QByteArray statement = cause["statement"]["text"].toString().toUtf8();
        QVERIFY2(done.error.contains(statement), done.error);
        QVERIFY(ringmaster.run({"show"}).output.contains("Cause       " + statement));
        const auto listed =
            QJsonDocument::fromJson(ringmaster.run({"ps", "--all", "--json"}).output);
        QVERIFY2(listed.toJson().contains(statement), listed.toJson());
        const QString waiting = shown["workers"][0]["lastOperation"]["code"].toString(); // rank 0's
        if (state == "stopped")
            QCOMPARE(waiting, QString("EndedInsideAt"));
    }

    void whoKeepsTheRunFromEndingIsNamed_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<int>("guilty");
        QTest::addColumn<QByteArray>("evidence");
        QTest::newRow("thread")
            << "ProgramOverThreadsLeft" << 2
            << QByteArray("Python waits for its thread writer, in keep, " RINGMASTER_SOURCE_DIR
                          "/tests/node/programs/training.py line ");
        QTest::newRow("early") << "RanksLeftEarly" << 2 << QByteArray("Rank 2 has ended.");
    }
    void whoKeepsTheRunFromEndingIsNamed()
    {
        QFETCH(QString, code);
        QFETCH(int, guilty);
        QFETCH(QByteArray, evidence);
        const Ringmaster ringmaster(runtime());
        const auto done =
            runUntil(ringmaster, line(3, {QTest::currentDataTag()}), "done nothing for");
        const QJsonArray verdicts = verdictsOf(ringmaster);
        QVERIFY2(!verdicts.isEmpty(), done.error + ringmaster.run({"show"}).output);
        for (const QJsonValue& verdict : verdicts) {
            if (!verdict["isStanding"].toBool() || verdict["statement"]["code"] == "RanksWait")
                continue;
            QCOMPARE(verdict["statement"]["code"].toString(), code);
            QCOMPARE(verdict["guilty"].toArray(), QJsonArray{guilty});
        }
        const auto shown = ringmaster.run({"show"});
        QVERIFY2(shown.output.contains("done nothing for"), shown.output);
        const auto events = ringmaster.run({"show", "--events"});
        QVERIFY2(events.output.contains(evidence), events.output);
    }

    void theProgramSeesNothingOfTheStackServer()
    {
        const Ringmaster ringmaster(runtime());
        const auto done = ringmaster.run(line(2, {"accumulation", "1"}));
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output.count("done"), 2);
        QVERIFY2(!done.error.contains("WorkerServer"), done.error);
    }

    void healthyTrainingGetsNoVerdict_data()
    {
        QTest::addColumn<bool>("waits");
        QTest::newRow("evaluation") << true;
        QTest::newRow("checkpoint") << true;
        QTest::newRow("uneven") << false;
        QTest::newRow("accumulation") << false;
        QTest::newRow("silent") << false;
    }
    void healthyTrainingGetsNoVerdict()
    {
        QFETCH(bool, waits);
        const Ringmaster ringmaster(runtime());
        // It goes on for a while after the wait.
        const auto done = ringmaster.run(line(2, {QTest::currentDataTag(), waits ? "14" : "8"}));
        QVERIFY2(done.exitCode == 0, done.error);
        const QJsonArray verdicts = verdictsOf(ringmaster);
        QCOMPARE(judgementsOf(verdicts), QStringList());
        if (waits)
            QVERIFY2(!verdicts.isEmpty(), done.error);
    }

    /// gloo tells the others by itself when a rank is gone.
    void aRankThatLeavesEarlyIsNoHang()
    {
        const Ringmaster ringmaster(runtime());
        const auto done = ringmaster.run(line(3, {"dead"}));
        QVERIFY(done.exitCode != 0);
        QCOMPARE(judgementsOf(verdictsOf(ringmaster)), QStringList());
    }

    void saysWhatADeadRankWasIn()
    {
        const Ringmaster ringmaster(runtime());
        const auto done = ringmaster.run(
            {"run", "--standalone", "--nproc-per-node", "2", "--python", python(),
             QStringLiteral(RINGMASTER_SOURCE_DIR) + "/tests/ledger/programs/crash.py"});
        QVERIFY(done.exitCode != 0);
        const QByteArray place =
            "Rank 1 was in no operation when it ended; its last was all_reduce #1 of group "
            "default, "
            "called in <module>, " RINGMASTER_SOURCE_DIR "/tests/ledger/programs/crash.py line 9.";
        QVERIFY2(done.error.contains(place), done.error);
        QVERIFY(ringmaster.run({"show"}).output.contains(place));
    }

    void findsTheStepsOfAnUnmodifiedProgram()
    {
        const Ringmaster ringmaster(runtime());
        const auto done = ringmaster.run(line(2, {"plain", "5"}));
        QVERIFY2(done.exitCode == 0, done.error);
        // From the launch on, which is when the agent began.
        const auto times =
            QRegularExpression("first collective came ([0-9.]+) s after the launch")
                .match(QString::fromUtf8(ringmaster.run({"show", "--events"}).output));
        QVERIFY(times.hasMatch());
        QVERIFY2(times.captured(1).toDouble() < 120, qPrintable(times.captured(0)));
        const auto shown = ringmaster.run({"show", "--operations"});
        QVERIFY2(shown.output.contains(" steps a second, by the rhythm of "), shown.output);
    }
};

QTEST_GUILESS_MAIN(tst_live_diagnosis)
#include "tst_live_diagnosis.moc"
