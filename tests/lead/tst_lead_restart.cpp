#include "tests/TestMain.h"
#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchTest.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
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
        QByteArray text;
        const auto told = [&]() -> QByteArray& { return text += job->readAllStandardError(); };
        // They may be told to wait for rank 2 before that, too, as long as it still starts.
        static const QRegularExpression waits(" s in all_reduce #2 .* for rank 2");
        const auto isWaitTold = [&] { return QString::fromUtf8(told()).contains(waits); };
        QTRY_VERIFY2_WITH_TIMEOUT(isWaitTold(), text, 240'000);
        QCOMPARE(ringmaster.run({"restart"}).exitCode, 0);
        QTRY_VERIFY2_WITH_TIMEOUT(told().contains("attempt 1: "), text, 240'000);
        text.remove(0, text.indexOf("attempt 1: "));
        QTRY_VERIFY2_WITH_TIMEOUT(isWaitTold(), text, 240'000);
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
