#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchTest.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

/// A user restarts a job that has a lead: what its ranks waited for is kept. The lead and its agent
/// are real; the only host is this machine.
class tst_lead_restart : public ringmaster::test::TorchTest
{
    Q_OBJECT

private Q_SLOTS:
    void keepsWhatTheRanksWaitedFor()
    {
        const Ringmaster ringmaster;
        const auto job = ringmaster.start(
            {"run", "--hosts", "localhost", "--nproc-per-node", "3", "--grace", "1", "--python",
             python(), QStringLiteral(RINGMASTER_SOURCE_DIR) + "/tests/node/programs/absent.py",
             "lock"});
        QVERIFY(waitForText(*job, " for rank 2", QProcess::StandardError, 240'000));
        QCOMPARE(ringmaster.run({"restart"}).exitCode, 0);
        QVERIFY(waitForText(*job, "attempt 1: ", QProcess::StandardError, 240'000));
        QVERIFY(waitForText(*job, " for rank 2", QProcess::StandardError, 240'000));
        job->terminate();
        (void)Ringmaster::finish(*job);

        const auto events =
            QJsonDocument::fromJson(ringmaster.run({"show", "--events", "--json"}).output);
        std::vector<QJsonObject> causes;
        for (const QJsonValue& event : events["events"].toArray()) {
            if (event["kind"] == "firstCause")
                causes.push_back(event.toObject());
        }
        QCOMPARE(causes.size(), size_t(1));
        QCOMPARE(causes[0].value("attempt").toInt(), 0);
        QCOMPARE(causes[0].value("rank").toInt(), 2);
        const QString waited = causes[0].value("cause").toObject().value("text").toString();
        QVERIFY2(waited.contains(" s in all_reduce #") && waited.contains(" for rank 2"),
                 qPrintable(waited));
        const QByteArray shown = ringmaster.run({"show"}).output;
        QVERIFY2(shown.contains("Restarted   after attempt 0: " + waited.toUtf8()), shown);
    }
};

QTEST_GUILESS_MAIN(tst_lead_restart)
#include "tst_lead_restart.moc"
