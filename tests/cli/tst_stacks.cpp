#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchTest.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <algorithm>

/// `ringmaster stacks`: where real ranks that hang stand now, and what is kept of it when they are
/// ended.
class tst_stacks : public ringmaster::test::TorchTest
{
    Q_OBJECT

private:
    QStringList line(int ranks, const QString& program, const QStringList& arguments,
                     const QStringList& options = {}) const
    {
        return QStringList{"run",
                           "--standalone",
                           "--nproc-per-node",
                           QString::number(ranks),
                           "--grace",
                           "2",
                           "--python",
                           python(),
                           "--warm",
                           "on"} +
               options +
               QStringList{QStringLiteral(RINGMASTER_SOURCE_DIR) + "/tests/node/programs/" +
                           program} +
               arguments;
    }

    static bool untilWaiting(QProcess& process)
    {
        return waitForText(process, " for rank 2", QProcess::StandardError, 240'000);
    }

    static QJsonObject stacksOf(const Ringmaster& ringmaster, const QStringList& more = {})
    {
        const auto printed = ringmaster.run(QStringList{"stacks", "--json"} + more);
        if (printed.exitCode != 0)
            qWarning("%s", printed.error.constData());
        return QJsonDocument::fromJson(printed.output).object();
    }

    static QJsonArray ranksOf(const QJsonObject& stacks)
    {
        return stacks["evidence"][0]["ranks"].toArray();
    }

    /// Nobody could read its stack in time, as on a busy machine, and it says so.
    static bool isUnread(const QJsonValue& rank)
    {
        return rank["problem"]["code"] == "NoStackSlow";
    }

    /// As those who read stacks and operations may be on a busy machine, which the answer says.
    static bool wasTooSlow(const QJsonObject& stacks)
    {
        const QJsonArray ranks = ranksOf(stacks);
        return std::any_of(ranks.begin(), ranks.end(), [](const QJsonValue& rank) {
            return rank["operation"].isNull() || isUnread(rank);
        });
    }

    static QJsonArray foldsOf(const QJsonObject& stacks)
    {
        return stacks["evidence"][0]["folds"].toArray();
    }

    static QStringList functionsOf(const QJsonValue& fold)
    {
        QStringList functions;
        for (const QJsonValue& frame : fold["threads"][0]["frames"].toArray())
            functions += frame["function"].toString();
        return functions;
    }

    /// Before an end there are 3 s for all stacks: of who wasn't read that is said, and no more.
    static bool stoodIn(const QJsonValue& rank, const QString& function)
    {
        return isUnread(rank) ? rank["threads"].toArray().isEmpty()
                              : functionsOf(rank).contains(function);
    }

    /// "0,1": all_reduce … "2": lock …
    static void checkFolds(const QJsonArray& folds, const QString& absent)
    {
        QVERIFY2(folds.size() == 2, QJsonDocument(folds).toJson());
        QCOMPARE(folds[0]["ranks"].toArray(), (QJsonArray{0, 1}));
        QCOMPARE(folds[1]["ranks"].toArray(), QJsonArray{2});
        QVERIFY(functionsOf(folds[0]).contains("all_reduce"));
        QVERIFY(functionsOf(folds[0]).contains("wait"));
        QVERIFY2(functionsOf(folds[1]).contains(absent), QJsonDocument(folds).toJson());
        QCOMPARE(folds[0]["operation"]["code"].toString(), QString("InOperationFor"));
        QCOMPARE(folds[0]["operation"]["parameters"]["operation"].toString(),
                 QString("all_reduce"));
        QVERIFY(folds[0]["operation"]["parameters"]["seconds"].toString().toDouble() > 0);
        QCOMPARE(folds[1]["operation"]["code"].toString(), QString("AfterOperation"));
    }

    /// The same before an end, which nobody can ask about again. Operations come of one reader:
    /// there are all of them, or none.
    static void checkKept(const QJsonObject& kept, const QString& absent)
    {
        if (!wasTooSlow(kept))
            return checkFolds(foldsOf(kept), absent);
        const QJsonArray ranks = ranksOf(kept);
        QCOMPARE(ranks.size(), 3);
        const bool hasOperations = !ranks[0]["operation"].isNull();
        for (int rank = 0; rank < 3; ++rank) {
            const QJsonValue stood = ranks[rank];
            const bool isAbsent = rank == 2;
            QCOMPARE(stood["rank"].toInt(-1), rank);
            QVERIFY2(stoodIn(stood, isAbsent ? absent : QString("all_reduce")),
                     QJsonDocument(kept).toJson());
            const QString operation = isAbsent ? "AfterOperation" : "InOperationFor";
            QCOMPARE(stood["operation"]["code"].toString(), hasOperations ? operation : QString());
        }
    }

    /// A py-spy that says that it was started.
    void installPySpy(Ringmaster& ringmaster, const QByteArray& script) const
    {
        const QString folder = ringmaster.folder() + "/data/ringmaster/tools/bin";
        QVERIFY(QDir().mkpath(folder));
        QFile file(folder + "/py-spy");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n: > " + ringmaster.folder().toUtf8() + "/asked\n" + script);
        file.close();
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::ExeOwner));
        ringmaster.environment().insert("XDG_DATA_HOME", ringmaster.folder() + "/data");
    }

private Q_SLOTS:
    /// The thread of the server that answers takes the interpreter's lock.
    void whoIsAskedAsItEndsEndsWell()
    {
        Ringmaster ringmaster(runtime());
        const auto ended = ringmaster.run(line(3, "asked_as_it_ends.py", {}));
        QVERIFY2(ended.exitCode == 0 && ended.output.count("it answered") == 3,
                 (ended.output + ended.error).constData());
    }

    void whereRanksStandIsShownAndKept_data()
    {
        QTest::addColumn<QString>("process");
        QTest::newRow("lock") << "waiting";
        QTest::newRow("pipe") << "waiting";
        QTest::newRow("gil") << "waiting";
        QTest::newRow("stop") << "stopped";
        QTest::newRow("spin") << "running";
    }
    void whereRanksStandIsShownAndKept()
    {
        QFETCH(QString, process);
        const QString mode = QString::fromUtf8(QTest::currentDataTag());
        const Ringmaster ringmaster(runtime());
        const auto job = ringmaster.start(line(3, "absent.py", {mode}));
        QVERIFY(untilWaiting(*job));

        QJsonObject now;
        QTRY_VERIFY2(!wasTooSlow(now = stacksOf(ringmaster)), QJsonDocument(now).toJson());
        QVERIFY(now["isLive"].toBool());
        const QJsonArray folds = foldsOf(now);
        checkFolds(folds, mode);
        QCOMPARE(folds[1]["process"].toString(), process);
        QCOMPARE(folds[1]["source"].toString(), QString("py-spy"));
        if (mode == "pipe")
            QCOMPARE(folds[1]["systemCall"].toString(), QString("write"));
        if (mode == "gil")
            QVERIFY(folds[1]["threads"][0]["holdsGil"].toBool());
        const QJsonArray one = foldsOf(stacksOf(ringmaster, {"--rank", "2"}));
        QCOMPARE(one.size(), 1);
        QCOMPARE(one[0]["ranks"].toArray(), QJsonArray{2});
        QVERIFY(stacksOf(ringmaster, {"--attempt", "0"})["evidence"].toArray().isEmpty());
        QVERIFY(!ringmaster.run({"logs"}).output.contains("wrote"));

        job->terminate();
        const auto done = Ringmaster::finish(*job);
        QVERIFY2(done.error.contains("where each rank stood is kept: ringmaster stacks "),
                 done.error);
        const QJsonObject kept = stacksOf(ringmaster);
        QVERIFY(!kept["isLive"].toBool());
        QCOMPARE(kept["evidence"].toArray().size(), 1);
        QCOMPARE(kept["evidence"][0]["attempt"].toInt(), 0);
        QCOMPARE(kept["evidence"][0]["reason"]["code"].toString(), QString("SignalReceived"));
        checkKept(kept, mode);

        const QString file = ringmaster.folder() + "/kept.ringrun";
        QCOMPARE(ringmaster.run({"export", ringmaster.runs().first(), "-o", file}).exitCode, 0);
        const auto printed = ringmaster.run({"stacks", file});
        QVERIFY2(printed.exitCode == 0, printed.error);
        const QJsonArray ranks = ranksOf(kept);
        const bool isWhole = std::none_of(ranks.begin(), ranks.end(), isUnread);
        QVERIFY2(isWhole ? printed.output.contains("\nRanks 0, 1\n") &&
                               printed.output.contains("\nRank 2 ")
                         : printed.output.contains("nobody who could read it answered in time"),
                 printed.output);
        QVERIFY2(isUnread(ranks[2]) || printed.output.contains("      " + mode.toUtf8() + " ("),
                 printed.output);
        QVERIFY(ringmaster.run({"show"}).output.contains("Where ranks 0-2 of attempt 0 stood"));
    }

    void aGroupsTimeoutKeepsWhereTheAbsentRankStood()
    {
        const Ringmaster ringmaster(runtime());
        const auto done = ringmaster.run(line(2, "training.py", {"timeout", "600"}));
        QVERIFY(done.exitCode != 0);
        const QJsonArray folds = foldsOf(stacksOf(ringmaster));
        QVERIFY2(folds.size() == 1, QJsonDocument(folds).toJson());
        QCOMPARE(folds[0]["ranks"].toArray(), QJsonArray{1});
        QVERIFY2(stoodIn(folds[0], "wrong"), QJsonDocument(folds).toJson());
    }

    void aFailureKeepsWhereTheOthersWaited()
    {
        const Ringmaster ringmaster(runtime());
        QFile late(ringmaster.folder() + "/late");
        const auto job = ringmaster.start(line(3, "absent.py", {"fail", late.fileName()}));
        QVERIFY(waitForText(*job, " for rank 1", QProcess::StandardError, 240'000));
        QVERIFY(late.open(QIODevice::WriteOnly));
        const auto done = Ringmaster::finish(*job);
        QVERIFY(done.exitCode != 0);
        const QJsonObject stacks = stacksOf(ringmaster);
        QCOMPARE(stacks["evidence"][0]["reason"]["code"].toString(), QString("WorkerFailed"));
        const QJsonArray folds = foldsOf(stacks);
        QVERIFY2(folds.size() == 2, QJsonDocument(folds).toJson());
        QCOMPARE(folds[0]["ranks"].toArray(), QJsonArray{0});
        QVERIFY2(stoodIn(folds[0], "all_reduce"), QJsonDocument(folds).toJson());
        QCOMPARE(folds[1]["ranks"].toArray(), QJsonArray{1});
    }

    void eachAttemptHasItsOwn()
    {
        const Ringmaster ringmaster(runtime());
        const auto job = ringmaster.start(line(3, "absent.py", {"lock"}));
        QVERIFY(untilWaiting(*job));
        QCOMPARE(ringmaster.run({"restart"}).exitCode, 0);
        QVERIFY(waitForText(*job, "attempt 1: ", QProcess::StandardError, 240'000));
        QVERIFY(untilWaiting(*job));
        job->terminate();
        (void)Ringmaster::finish(*job);
        const QByteArray shown = ringmaster.run({"show"}).output;
        const QRegularExpression before(
            QStringLiteral("Restarted +after attempt 0: .* waited [0-9.]+ s in .* for rank 2"));
        QVERIFY2(before.match(QString::fromUtf8(shown)).hasMatch(), shown);
        const QJsonArray all = stacksOf(ringmaster)["evidence"].toArray();
        QCOMPARE(all.size(), 2);
        QCOMPARE(all[0]["attempt"].toInt(), 0);
        QCOMPARE(all[0]["reason"]["code"].toString(), QString("UserRestarted"));
        QCOMPARE(all[1]["attempt"].toInt(), 1);
        QCOMPARE(all[1]["reason"]["code"].toString(), QString("SignalReceived"));
        QCOMPARE(stacksOf(ringmaster, {"--attempt", "1"})["evidence"].toArray().size(), 1);
    }

    /// Nobody is asked: nobody has waited.
    void aPlainCrashIsNotDelayed()
    {
        Ringmaster ringmaster(runtime());
        installPySpy(ringmaster, "exec sleep 600\n");
        const auto done = ringmaster.run(line(3, "absent.py", {"crash"}, {"--max-restarts", "1"}));
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output.count("done"), 3);
        QVERIFY(!QFile::exists(ringmaster.folder() + "/asked"));
        const auto printed = ringmaster.run({"stacks"});
        QCOMPARE(printed.exitCode, 2);
        QVERIFY2(printed.error.contains("no stacks were kept"), printed.error);
    }

    void aReaderThatHangsDelaysAnEndBySecondsOnly()
    {
        Ringmaster ringmaster(runtime());
        installPySpy(ringmaster, "exec sleep 600\n");
        const auto job = ringmaster.start(line(3, "absent.py", {"lock"}));
        QVERIFY(untilWaiting(*job));
        QElapsedTimer timer;
        timer.start();
        job->terminate();
        (void)Ringmaster::finish(*job);
        // On a machine that is busy with other things; the reader takes ten minutes.
        QVERIFY2(timer.elapsed() < 60'000, qPrintable(QString::number(timer.elapsed())));
        QVERIFY(QFile::exists(ringmaster.folder() + "/asked"));
        const QJsonObject stacks = stacksOf(ringmaster);
        const QJsonValue evidence = stacks["evidence"][0];
        QVERIFY(evidence["tookNs"].toDouble() < 10e9);
        // Nobody waited for the reader: what others say instead, and the system in any case.
        const QJsonArray ranks = evidence["ranks"].toArray();
        QCOMPARE(ranks.size(), 3);
        for (const QJsonValue& rank : ranks) {
            QVERIFY(!rank["process"].toString().isEmpty() && rank["source"] != "py-spy");
            QVERIFY2(rank["source"] == "torch's worker server" || isUnread(rank),
                     QJsonDocument(rank.toObject()).toJson());
        }
    }

    void whatIsNotThereIsSaid()
    {
        const Ringmaster ringmaster;
        QCOMPARE(ringmaster.run({"stacks"}).exitCode, 2);
        const auto done = ringmaster.run({"run", "--no-python", "/bin/true"});
        QVERIFY2(done.exitCode == 0, done.error);
        const auto printed = ringmaster.run({"stacks"});
        QVERIFY2(printed.error.contains("no stacks were kept"), printed.error);
        QCOMPARE(printed.exitCode, 2);
        QVERIFY(ringmaster.run({"stacks", "--rank", "x"}).error.contains("isn't a rank"));
    }
};

QTEST_GUILESS_MAIN(tst_stacks)
#include "tst_stacks.moc"
