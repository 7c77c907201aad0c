#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchTest.h"

#include <QDir>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

/// What the real torch writes, opened by `ringmaster import`.
class tst_import_torch : public ringmaster::test::TorchTest
{
    Q_OBJECT

private Q_SLOTS:
    void itsDumpsNameWhoHasNotCalled_data()
    {
        QTest::addColumn<QString>("form");
        QTest::newRow("JSON") << QStringLiteral("json");
        QTest::newRow("pickle, which has the lines") << QStringLiteral("pkl");
    }

    void itsDumpsNameWhoHasNotCalled()
    {
        QFETCH(QString, form);
        const auto imported = m_ringmaster.run({"import", m_files.path() + "/" + form, "--json"});
        QVERIFY2(imported.exitCode == 0, imported.error);
        const QString run = QJsonDocument::fromJson(imported.output)["runs"][0]["run"].toString();
        const auto shown = m_ringmaster.run({"show", run});
        QVERIFY2(shown.exitCode == 0, shown.error);
        QVERIFY2(shown.output.contains("Ranks 0 and 2 are in all_reduce #10 (float32, 8 elements, "
                                       "group default), which rank 1 has not called."),
                 shown.output);
        QCOMPARE(shown.output.contains("record.py line"), form == QStringLiteral("pkl"));
        const auto operations = m_ringmaster.run({"show", run, "--operations"});
        QVERIFY2(operations.output.contains("all_reduce"), operations.output);
        const auto listed = m_ringmaster.run({"ps", "--all"});
        QVERIFY2(listed.output.contains(run.toUtf8()), listed.output);
    }

    void theTracesOfItsProfilerHaveTheBandwidth()
    {
        const auto imported = m_ringmaster.run({"import", m_files.path() + "/traces", "--json"});
        QVERIFY2(imported.exitCode == 0, imported.error);
        const QString run = QJsonDocument::fromJson(imported.output)["runs"][0]["run"].toString();
        const auto shown = m_ringmaster.run({"show", run, "--operations", "--json"});
        QVERIFY2(shown.exitCode == 0, shown.error);
        const QJsonObject operations =
            QJsonDocument::fromJson(shown.output)["operations"][0].toObject();
        QVERIFY2(operations["operations"].toInt() == 12, shown.output); // of 3 ranks, 4 each
        const QJsonArray rows = operations["bandwidth"].toArray();
        QVERIFY2(rows.size() == 2, shown.output);
        for (const auto& row : rows)
            QVERIFY2(row.toObject()["count"].toInt() == 2, shown.output); // each once, of all ranks
    }

    void torchrunsLogsNameWhoFailed()
    {
        QTemporaryDir folder;
        QFile script(folder.path() + "/train.py");
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("import os\n"
                     "from torch.distributed.elastic.multiprocessing.errors import record\n"
                     "@record\n"
                     "def main():\n"
                     "    print('step 1 of rank', os.environ['RANK'], flush=True)\n"
                     "    if os.environ['RANK'] == '1':\n"
                     "        raise ValueError('bad loss')\n"
                     "    import time\n"
                     "    time.sleep(600)\n" // torchrun ends it
                     "main()\n");
        script.close();
        QProcess torchrun;
        torchrun.setProcessChannelMode(QProcess::MergedChannels);
        torchrun.start(python(), {"-m", "torch.distributed.run", "--standalone", "--nproc-per-node",
                                  "2", "--log-dir", folder.path() + "/logs", "--redirects", "3",
                                  script.fileName()});
        QVERIFY(torchrun.waitForFinished(300'000));
        const auto imported = m_ringmaster.run({"import", folder.path() + "/logs", "--json"});
        QVERIFY2(imported.exitCode == 0, imported.error + torchrun.readAll());
        const QString run = QJsonDocument::fromJson(imported.output)["runs"][0]["run"].toString();
        QVERIFY(QDir(folder.path() + "/logs").removeRecursively()); // the run has copies
        const auto shown = m_ringmaster.run({"show", run});
        QVERIFY2(shown.output.contains("failed") && shown.output.contains("ValueError") &&
                     shown.output.contains("train.py line 7"),
                 shown.output);
        const auto printed = m_ringmaster.run({"logs", run});
        QVERIFY2(printed.output.contains("step 1 of rank 1"), printed.output + printed.error);
    }

private:
    void prepare() override
    {
        QProcess torch;
        torch.setProcessChannelMode(QProcess::MergedChannels);
        torch.start(python(),
                    {QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/import/programs/record.py"),
                     m_files.path()});
        QVERIFY(torch.waitForFinished(300'000));
        QVERIFY2(torch.exitCode() == 0, torch.readAll());
    }

    QTemporaryDir m_files;
    Ringmaster m_ringmaster;
};

QTEST_GUILESS_MAIN(tst_import_torch)
#include "tst_import_torch.moc"
