#include "tests/cli/Ringmaster.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QtTest>

#include <csignal>

/// `ringmaster sweep` as a user runs it: real workers, small sizes.
class tst_sweep : public QObject
{
    Q_OBJECT

private:
    static QStringList line(const QStringList& options)
    {
        return QStringList{"sweep", "--ranks", "2", "--iters", "3", "--warmup", "1"} + options;
    }

    static QJsonArray rowsOf(const QByteArray& json)
    {
        return QJsonDocument::fromJson(json)["rows"].toArray();
    }

    static void writeProgram(const QString& path, const char* text)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
        file.write(QByteArray("#!/bin/sh\n") + text);
        QVERIFY(file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
    }

    static bool isBuilt() { return QFile::exists(RINGMASTER_BUILD_DIR "/bin/ringmaster-sweep"); }

private Q_SLOTS:
    void saysThatItIsNotBuilt()
    {
        // The worker is looked for beside the executable: a copy has none, whatever was built.
        const Ringmaster ringmaster;
        const QString alone = ringmaster.folder() + "/ringmaster";
        QVERIFY(QFile::copy(Ringmaster::executable(), alone));
        QProcess process;
        process.setProcessEnvironment(ringmaster.environment());
        process.setStandardInputFile(QProcess::nullDevice());
        process.start(alone, line({}));
        const auto done = Ringmaster::finish(process);
        QCOMPARE(done.exitCode, 2);
        QVERIFY2(done.error.contains("RINGMASTER_PYTHON"), done.error);
    }

    /// An installed worker has no run path: it is shown where the active interpreter's torch is.
    void anInstalledWorkerIsShownTorch()
    {
        const Ringmaster ringmaster;
        const QString folder = ringmaster.folder();
        const QString alone = folder + "/ringmaster";
        QVERIFY(QFile::copy(Ringmaster::executable(), alone));
        for (const char* part : {"ringmaster-keeper", "ringmaster-hook", "ringmaster-warm"})
            QVERIFY(QFile::link(RINGMASTER_BUILD_DIR "/bin/" + QString(part), folder + "/" + part));
        QVERIFY(QFile::copy(RINGMASTER_BUILD_DIR "/tests/worker_of_torch",
                            folder + "/ringmaster-sweep"));
        QVERIFY(QDir(folder).mkpath("active/bin"));
        const QString python = folder + "/active/bin/python";
        const auto sweepWith = [&](const char* answer) {
            writeProgram(python, answer);
            QProcess process;
            QProcessEnvironment environment = ringmaster.environment();
            environment.insert("VIRTUAL_ENV", folder + "/active");
            process.setProcessEnvironment(environment);
            process.setStandardInputFile(QProcess::nullDevice());
            process.start(alone, line({"--max", "8"}));
            return Ringmaster::finish(process);
        };
        const auto without = sweepWith("exit 0");
        QVERIFY(without.exitCode != 0);
        QVERIFY2(without.error.contains(python.toUtf8() + " has no torch"), without.error);
        const auto with = sweepWith("printf " RINGMASTER_BUILD_DIR "/tests/torch_of_worker");
        QVERIFY2(with.exitCode == 0, with.error);
    }

    void refusesWhatCannotBe()
    {
        const Ringmaster ringmaster;
        const auto done = ringmaster.run(
            {"sweep", "--ranks", "1", "--dtype", "float7", "--max", "2", "--backend", "mpi"});
        QCOMPARE(done.exitCode, 2);
        for (const char* what : {"ranks", "float7", "largest", "mpi"})
            QVERIFY2(done.error.contains(what), done.error);
        QVERIFY(ringmaster.runs().isEmpty());
        QCOMPARE(ringmaster.run({"sweep", "--min", "some"}).exitCode, 2);
    }

    void refusesWhatMemoryDoesNotHold()
    {
        if (!isBuilt())
            QSKIP("the sweep's worker isn't built");
        const Ringmaster ringmaster;
        const auto done = ringmaster.run(line({"--min", "900G", "--max", "900G"}));
        QCOMPARE(done.exitCode, 2);
        QVERIFY2(done.error.contains("MiB are free"), done.error);
    }

    void everyCollectiveIsRightOnBothBackends()
    {
        if (!isBuilt())
            QSKIP("the sweep's worker isn't built");
        const Ringmaster ringmaster;
        const auto done =
            ringmaster.run(line({"--collective", "all", "--backend", "gloo,ring", "--min", "64",
                                 "--max", "4K", "--factor", "64", "--json"}));
        QVERIFY2(done.exitCode == 0, done.error);
        const QJsonArray rows = rowsOf(done.output);
        QCOMPARE(rows.size(), 9 * 2 * 2);
        for (const QJsonValue& row : rows) {
            QVERIFY2(row["problem"].isNull(), QJsonDocument(row.toObject()).toJson());
            QCOMPARE(row["wrong"].toInt(), 0);
            QVERIFY(row["timeNs"].toDouble() > 0 && row["busBandwidth"].toDouble() > 0);
            QVERIFY(row["p50Ns"].toDouble() <= row["p99Ns"].toDouble());
            const bool hasWay = row["backend"] == "ring" && row["collective"] != "sendrecv";
            QCOMPARE(row["algorithm"].toString().isEmpty(), !hasWay);
        }
    }

    void itIsARunWhoseTableIsShownAgain()
    {
        if (!isBuilt())
            QSKIP("the sweep's worker isn't built");
        const Ringmaster ringmaster;
        const QString csv = ringmaster.folder() + "/rows.csv";
        const auto done = ringmaster.run(line({"--backend", "ring", "--algorithm", "tree", "--min",
                                               "8", "--max", "64", "--csv", csv}));
        QVERIFY2(done.exitCode == 0, done.error);
        QVERIFY2(done.output.contains("# all_reduce on ring: 2 ranks, float32 (cpu)"), done.output);
        QVERIFY2(done.output.contains("# Out of bounds values : 0 OK"), done.output);
        const auto shown = ringmaster.run({"show"});
        QVERIFY2(shown.output.contains(done.output), shown.output + done.output);
        QFile file(csv);
        QVERIFY(file.open(QIODevice::ReadOnly));
        const QByteArray text = file.readAll();
        QCOMPARE(text.count("\r\nall_reduce,ring,tree,cpu,float32,sum,"), 4);
        const QString again = ringmaster.folder() + "/again.csv";
        QCOMPARE(ringmaster.run({"show", "--csv", again}).exitCode, 0);
        QFile copy(again);
        QVERIFY(copy.open(QIODevice::ReadOnly));
        QCOMPARE(copy.readAll(), text);
        const auto json = ringmaster.run({"show", "--json"});
        QCOMPARE(QJsonDocument::fromJson(json.output)["sweep"]["rows"].toArray().size(), 4);
    }

    void whatWasNotCheckedIsNotCalledRight()
    {
        if (!isBuilt())
            QSKIP("the sweep's worker isn't built");
        const Ringmaster ringmaster;
        const auto done =
            ringmaster.run(line({"--backend", "ring", "--min", "8", "--max", "64", "--no-check"}));
        QVERIFY2(done.exitCode == 0, done.error);
        QVERIFY2(done.output.contains("# Out of bounds values : N/A (not checked)\n"), done.output);
        const auto json = ringmaster.run({"show", "--json"});
        QVERIFY(QJsonDocument::fromJson(json.output)["sweep"]["wrong"].isNull());
    }

    void anythingElseHasFiguresInsteadOfRows()
    {
        const Ringmaster ringmaster;
        QCOMPARE(ringmaster.run({"run", "--standalone", "--no-python", "true"}).exitCode, 0);
        const QString path = ringmaster.folder() + "/figures.csv";
        const auto shown = ringmaster.run({"show", "--csv", path});
        QVERIFY2(shown.exitCode == 0, shown.error);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QVERIFY(file.readLine() == "seconds,attempt,rank,node,figure,detail,value\r\n");
    }

    void aBackendWithoutADeviceIsLeftOut()
    {
        if (!QFile::exists(RINGMASTER_BUILD_DIR "/bin/ringmaster-sweep-nccl.so") ||
            QFile::exists("/dev/nvidiactl"))
            QSKIP("nccl isn't built, or has a device");
        const Ringmaster ringmaster;
        const auto done = ringmaster.run(line({"--backend", "nccl,ring", "--max", "8", "--json"}));
        QVERIFY2(done.exitCode == 0, done.error);
        QVERIFY2(done.error.contains("goes on without nccl"), done.error);
        QCOMPARE(rowsOf(done.output).size(), 1);
        const auto alone = ringmaster.run(line({"--backend", "nccl"}));
        QCOMPARE(alone.exitCode, 2);
        QVERIFY2(alone.error.contains("nccl needs GPUs"), alone.error);
    }

    void aRefusedTypeCostsItsRowAlone()
    {
        if (!isBuilt())
            QSKIP("the sweep's worker isn't built");
        const Ringmaster ringmaster;
        const auto done =
            ringmaster.run(line({"--collective", "all_reduce,broadcast", "--backend", "gloo",
                                 "--dtype", "int32", "--op", "avg", "--max", "8", "--json"}));
        QVERIFY2(done.exitCode == 0, done.error);
        const QJsonArray rows = rowsOf(done.output);
        QCOMPARE(rows.size(), 2);
        QVERIFY2(!rows[0]["problem"].isNull(), done.output);
        QVERIFY(rows[1]["problem"].isNull());
    }

    void aWorkerThatDiesEndsIt()
    {
        if (!isBuilt())
            QSKIP("the sweep's worker isn't built");
        for (const char* backend : {"ring", "gloo"}) {
            const Ringmaster ringmaster;
            const auto process = ringmaster.start({"sweep", "--ranks", "2", "--backend", backend,
                                                   "--iters", "100000", "--max", "1M"});
            QByteArray pid;
            const auto isUp = [&] {
                if (pid.isEmpty())
                    pid = workerOf(ringmaster);
                return !pid.isEmpty();
            };
            QTRY_VERIFY(isUp());
            QCOMPARE(::kill(pid.toInt(), SIGKILL), 0);
            const auto done = Ringmaster::finish(*process);
            QCOMPARE(done.exitCode, 1);
            QVERIFY2(done.error.contains("SIGKILL"), done.error);
            QTRY_COMPARE(processesWith(ringmaster.folder().toUtf8()), 0);
        }
    }

    void aCalibrationIsKept()
    {
        if (!isBuilt())
            QSKIP("the sweep's worker isn't built");
        const Ringmaster ringmaster;
        QVERIFY(ringmaster.run({"calibrate", "--show"}).output.contains("Nothing is calibrated"));
        const auto done = ringmaster.run({"calibrate", "--ranks", "2", "--backend", "ring"});
        QVERIFY2(done.exitCode == 0, done.error);
        const auto shown = ringmaster.run({"calibrate", "--show", "--json"});
        const auto kept = QJsonDocument::fromJson(shown.output).array();
        QCOMPARE(kept.size(), 1);
        QCOMPARE(kept[0]["backend"].toString(), QString("ring"));
        QCOMPARE(kept[0]["ranks"].toInt(), 2);
        QCOMPARE(kept[0]["points"].toArray().size(), 12);
        QCOMPARE(ringmaster.runs(), QStringList{kept[0]["run"].toString()});
    }

private:
    /// Of the latest run's rank 1, once it works.
    static QByteArray workerOf(const Ringmaster& ringmaster)
    {
        const auto shown = ringmaster.run({"show", "--json"});
        const auto workers = QJsonDocument::fromJson(shown.output)["workers"].toArray();
        if (workers.size() != 2 || workers[1]["state"] != "HEALTHY")
            return {};
        return QByteArray::number(workers[1]["pid"].toInt());
    }
};

QTEST_GUILESS_MAIN(tst_sweep)
#include "tst_sweep.moc"
