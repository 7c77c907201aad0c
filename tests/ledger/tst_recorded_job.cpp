#include "tests/ledger/RecordedJob.h"
#include "tests/support/TorchTest.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <map>

/// Unmodified programs under `ringmaster run`: what is recorded of them, and what is said.
class tst_recorded_job : public ringmaster::test::TorchTest
{
    Q_OBJECT

private:
    QStringList line(const QString& program, const QStringList& options = {}) const
    {
        return lineOfRecordedJob(python(), program, options);
    }

    /// What a program says of its steps by its own clock.
    struct OwnSteps
    {
        double perSecond = 0;
        double pause = 0; ///< Seconds that a step at either end took longer than is usual.
    };

    /// Of so many of its steps: the last ones, or those that came first after the two in which all
    /// is made.
    static OwnSteps ownStepsOf(const QByteArray& output, qsizetype steps, bool areFirst)
    {
        constexpr qsizetype Making = 2;
        static const QRegularExpression all(QStringLiteral("steps ([0-9.]+)"));
        static const QRegularExpression each(QStringLiteral("starts ([0-9. ]+)\\nended ([0-9.]+)"));
        const QString text = QString::fromUtf8(output);
        const auto match = each.match(text);
        QStringList times = match.captured(1).split(' ', Qt::SkipEmptyParts);
        const qsizetype count = times.size();
        times += match.captured(2);
        const qsizetype from = areFirst ? Making : count - 1 - steps;
        if (steps == 0 || from < 0 || from + steps >= count)
            return {.perSecond = all.match(text).captured(1).toDouble()};
        std::vector<double> lengths;
        for (qsizetype i = 0; i < count; ++i)
            lengths.push_back(times[i + 1].toDouble() - times[i].toDouble());
        double longest = 0;
        for (const qsizetype end : {from, from + steps}) {
            // The recorded steps may begin in the middle of the program's, the step before.
            const qsizetype first = areFirst ? end : std::max(end - 1, std::min(end, Making));
            for (qsizetype i = first; i <= end; ++i)
                longest = std::max(longest, lengths[size_t(i)]);
        }
        std::ranges::sort(lengths);
        const double usual = lengths[lengths.size() / 2];
        return {.perSecond =
                    double(steps) / (times[from + steps].toDouble() - times[from].toDouble()),
                .pause = std::max(0.0, longest - usual)};
    }

    /// The program tells when a step begins, the recording when it first calls: of a step at either
    /// end a pause may be in one of the two figures only.
    static bool doAgree(const QJsonObject& steps, const OwnSteps& own)
    {
        const double perSecond = steps["per_second"].toDouble();
        const double most = 0.05 + own.pause * perSecond / steps["steps"].toInt();
        return qAbs(perSecond / own.perSecond - 1) <= most;
    }

    static QString inWords(const QJsonObject& steps, const OwnSteps& own)
    {
        return QString("%1 steps a second by %2 calls a step, by the program's own clock %3, with "
                       "a pause of %4 s at an end")
            .arg(steps["per_second"].toDouble())
            .arg(steps["operations"].toInt())
            .arg(own.perSecond)
            .arg(own.pause);
    }

    /// Why two slices of a row stand over each other though neither is in the other; or that there
    /// aren't as many operations.
    static QString whatIsWrong(const QJsonArray& trace, qint64 operations)
    {
        std::map<std::pair<int, int>, double> ends;
        std::vector<QJsonObject> slices;
        for (const QJsonValue& event : trace)
            if (event["ph"] == "X")
                slices.push_back(event.toObject());
        std::ranges::sort(slices, {}, [](const QJsonObject& one) { return one["ts"].toDouble(); });
        for (const QJsonObject& slice : slices) {
            double& end = ends[{slice["pid"].toInt(), slice["tid"].toInt()}];
            if (slice["ts"].toDouble() < end - 0.01)
                return slice["name"].toString() + " begins before the last has ended";
            end = slice["ts"].toDouble() + slice["dur"].toDouble();
            operations -= slice["cat"] == "gloo" ? 1 : 0;
        }
        return operations == 0 ? QString() : QString("%1 operations are missing").arg(operations);
    }

private Q_SLOTS:
    void everyOperationIsInTheRunFile()
    {
        const Ringmaster ringmaster(runtime());
        const auto done = ringmaster.run(line("ddp.py"));
        QVERIFY2(done.exitCode == 0, done.error);
        const QJsonObject operations = operationsOf(ringmaster);
        QCOMPARE(operations["lost"].toInt(), 0);
        QVERIFY(operations["running_at_end"].toObject().isEmpty());
        int buckets = 0;
        for (const QJsonValue& row : operations["bandwidth"].toArray()) {
            QCOMPARE(row["members"].toArray().size(), 2);
            if (row["operation"] == "all_reduce" && row["bytes"] == 3 * 1088) {
                buckets += row["count"].toInt();
                QVERIFY(row["busbw"].toDouble() > 0 && row["is_wire"].toBool());
                QCOMPARE(row["backend"].toString(), "gloo");
            }
        }
        QCOMPARE(buckets, 3);
        const auto shown = ringmaster.run({"show", "--operations"});
        QVERIFY2(shown.output.contains("all_reduce"), shown.output);

        const QString file = ringmaster.folder() + "/run.trace.json";
        const auto exported =
            ringmaster.run({"export", ringmaster.runs().first(), "--trace", "-o", file});
        QVERIFY2(exported.exitCode == 0, exported.error);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        const QJsonArray trace =
            QJsonDocument::fromJson(written.readAll())["traceEvents"].toArray();
        const QString wrong = whatIsWrong(trace, operations["operations"].toInteger());
        QVERIFY2(wrong.isEmpty(), qPrintable(wrong));
        QStringList names;
        for (const QJsonValue& event : trace) {
            if (event["name"] == "process_name")
                names += event["args"]["name"].toString();
            if (event["name"] == "all_reduce" && event["args"]["bytes"] == 1088)
                QVERIFY2(event["args"]["place"].toString().endsWith("ddp.py:12"),
                         qPrintable(event["args"]["place"].toString()));
        }
        QCOMPARE(names.size(), 3); // the job and two ranks
    }

    void aProgramThatCallsNoneHasNone()
    {
        const Ringmaster ringmaster(runtime());
        const auto done = ringmaster.run(line("alone.py"));
        QVERIFY2(done.exitCode == 0, done.error);
        const auto shown = ringmaster.run({"show", "--operations"});
        QVERIFY2(shown.output.contains("No operations were recorded."), shown.output);
    }

    void ranksThatAProgramStartsItselfAreNoRanksOfTheJob()
    {
        const Ringmaster ringmaster(runtime());
        const QTemporaryDir stores;
        const auto done = ringmaster.run(line("spawns.py") << stores.filePath("store"));
        QVERIFY2(done.exitCode == 0, done.error);
        const auto told = ringmaster.run({"show", "--events"});
        for (const char* rank : {"0", "1"}) {
            const QByteArray sentence =
                QByteArray("The program of rank ") + rank + " starts 3 ranks of its own";
            QCOMPARE(told.output.count(sentence), 1);
        }
        for (const QJsonValue& row : operationsOf(ringmaster)["bandwidth"].toArray()) {
            QCOMPARE(row["members"].toArray().size(), 2);
            QVERIFY2(row["operation"] != "all_reduce" || row["bytes"] == 4000, "the job's own");
        }
    }

    void threeThousandGroupsAreRecorded()
    {
        const Ringmaster ringmaster(runtime());
        const auto done = ringmaster.run(line("many_groups.py") << "3000");
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output.count("used 3000"), 2);
        const QJsonObject operations = operationsOf(ringmaster);
        QCOMPARE(operations["lost"].toInt(), 0);
        QCOMPARE(operations["operations"].toInt(), 2 * 3001);
        const QJsonArray rows = operations["bandwidth"].toArray();
        QCOMPARE(rows.size(), 3001);
        for (const QJsonValue& row : rows)
            QCOMPARE(row["members"].toArray().size(), 2);
    }

    void aJobCanSwitchItOff()
    {
        for (const char* option : {"--no-record-operations", "--plain"}) {
            const Ringmaster ringmaster(runtime());
            const auto done = ringmaster.run(line("ddp.py", {option}));
            QVERIFY2(done.exitCode == 0, done.error);
            const auto shown = ringmaster.run({"show", "--operations"});
            QVERIFY2(shown.output.contains("No operations were recorded."), shown.output);
            const auto environment = ringmaster.run({"env", option, "train.py"});
            QVERIFY2(!environment.output.contains("RINGMASTER_HOOK"), environment.output);
        }
    }

    void stepsAgreeWithTheProgramAndASendTellsNoBandwidth()
    {
        const Ringmaster ringmaster(runtime());
        const auto done = ringmaster.run(line("figures.py"));
        QVERIFY2(done.exitCode == 0, done.error);
        const QJsonObject operations = operationsOf(ringmaster);
        const QJsonObject steps = operations["steps"].toObject()["0"].toObject();
        QCOMPARE(steps["operations"].toInt(), 4);
        QVERIFY2(steps["steps"].toInt() >= 60, qPrintable(steps["steps"].toVariant().toString()));
        const OwnSteps own = ownStepsOf(done.output, steps["steps"].toInt(), false);
        QVERIFY2(doAgree(steps, own), qPrintable(inWords(steps, own)));
        bool hasSend = false;
        for (const QJsonValue& row : operations["bandwidth"].toArray()) {
            QVERIFY(row["share"].toDouble() <= 1);
            const bool isSend = row["operation"] == "send";
            hasSend = hasSend || isSend;
            if (isSend)
                QVERIFY(row["algbw"].isNull() && row["felt"].isNull());
            if (row["operation"] == "recv")
                QVERIFY(row["algbw"].toDouble() > 0);
        }
        QVERIFY(hasSend);
    }

    void stepsAgreeWithHoweverAProgramTrains_data()
    {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"ddp", "two_models", "four_at_once", "gan", "evaluation", "fsdp2",
                                 "accumulation", "buffers", "pipeline"})
            QTest::newRow(kind) << QString(kind);
    }

    void stepsAgreeWithHoweverAProgramTrains()
    {
        QFETCH(QString, kind);
        const Ringmaster ringmaster(runtime());
        const auto done = ringmaster.run(line("paces.py") << kind);
        QVERIFY2(done.exitCode == 0, done.error);
        const QJsonObject steps = operationsOf(ringmaster)["steps"].toObject()["0"].toObject();
        // Of a training with evaluations whole periods are counted, from the first on.
        const OwnSteps own = ownStepsOf(done.output, steps["steps"].toInt(), kind == "evaluation");
        const QString text = kind + ": " + inWords(steps, own);
        qInfo("%s", qPrintable(text));
        QVERIFY2(doAgree(steps, own), qPrintable(text));
    }

    void aStoppedRankIsNamedInSeconds()
    {
        const Ringmaster ringmaster(runtime());
        QFile pidFile(ringmaster.folder() + "/pid");
        const auto process = ringmaster.start(line("steps.py") << pidFile.fileName());
        QTRY_VERIFY_WITH_TIMEOUT(pidFile.exists(), 120'000);
        QVERIFY(pidFile.open(QIODevice::ReadOnly));
        const auto pid = static_cast<pid_t>(pidFile.readAll().toInt());
        QVERIFY(pid > 1);
        QElapsedTimer timer;
        timer.start();
        QCOMPARE(::kill(pid, SIGSTOP), 0);
        QByteArray error;
        while (!error.contains("which is stopped") && timer.elapsed() < 240'000) {
            process->waitForReadyRead(100);
            error += process->readAllStandardError();
        }
        // Three seconds by design; how long a busy machine takes is no matter here.
        qInfo("named after %lld ms", timer.elapsed());
        ::kill(pid, SIGCONT);
        QVERIFY2(error.contains("rank 1, which is stopped."), error);
        process->terminate();
        (void)Ringmaster::finish(*process);
    }

    void callsThatDontFitAreNamedBothSides()
    {
        const Ringmaster ringmaster(runtime());
        const auto process = ringmaster.start(line("mismatch.py"));
        QVERIFY(waitForText(*process, "don't agree about operation #2", QProcess::StandardError));
        process->terminate();
        (void)Ringmaster::finish(*process);
        const auto shown = ringmaster.run({"show", "--events"});
        QVERIFY2(shown.output.contains("all_reduce (float32, 1000 elements, sum)") &&
                     shown.output.contains("all_reduce (float32, 10 elements, sum)"),
                 shown.output);
    }
};

QTEST_GUILESS_MAIN(tst_recorded_job)
#include "tst_recorded_job.moc"
