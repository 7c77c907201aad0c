#include "tests/ledger/RecordedJob.h"
#include "tests/support/TorchTest.h"

#include <QRegularExpression>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <map>

/// How long collectives take by the recording and by the program's own timers, on a machine that
/// does nothing else: other load comes between the two.
class tst_felt : public ringmaster::test::TorchTest
{
    Q_OBJECT

private:
    struct Felt
    {
        qint64 calls = 0;
        double ns = 0; ///< Of all calls, mean over the two ranks.
    };

    /// By operation and size: "felt OPERATION SIZE CALLS NANOSECONDS", a line of each rank.
    static std::map<std::pair<QString, qint64>, Felt> feltBy(const QByteArray& output)
    {
        static const QRegularExpression line(QStringLiteral("felt (\\w+) (\\d+) (\\d+) (\\d+)"));
        std::map<std::pair<QString, qint64>, Felt> all;
        auto found = line.globalMatch(QString::fromUtf8(output));
        while (found.hasNext()) {
            const auto match = found.next();
            Felt& felt = all[{match.captured(1), match.captured(2).toLongLong()}];
            felt.calls = match.captured(3).toLongLong();
            felt.ns += match.captured(4).toDouble() / 2;
        }
        return all;
    }

private Q_SLOTS:
    void whatIsFeltAgreesWithTheProgramsOwnTimers_data()
    {
        QTest::addColumn<QString>("backend");
        QTest::newRow("gloo") << "gloo";
        QTest::newRow("ring") << "ring";
    }

    void whatIsFeltAgreesWithTheProgramsOwnTimers()
    {
        QFETCH(QString, backend);
        const Ringmaster ringmaster(runtime());
        const auto done =
            ringmaster.run(lineOfRecordedJob(python(), "felt.py") << backend << "65536"
                                                                  << "1048576"
                                                                  << "16777216");
        QVERIFY2(done.exitCode == 0, done.error);
        const QJsonArray rows = operationsOf(ringmaster)["bandwidth"].toArray();
        const auto own = feltBy(done.output);
        QCOMPARE(own.size(), size_t(3 * (backend == "gloo" ? 7 : 8)));
        for (const auto& [what, felt] : own) {
            const auto found = std::ranges::find_if(rows, [&, &what = what](const QJsonValue& one) {
                return one["operation"] == what.first && one["bucket"].toInteger() == what.second &&
                       one["backend"] == backend;
            });
            QVERIFY2(found != rows.end(), qPrintable(what.first));
            const QJsonObject row = found->toObject();
            QCOMPARE(row["count"].toInteger(), felt.calls);
            const double recorded = row["felt_ns"].toDouble() / double(felt.calls);
            const double told = felt.ns / double(felt.calls);
            const QString text = QString("%1 of %2 bytes: %3 us, by the program's own timer %4 us")
                                     .arg(what.first)
                                     .arg(what.second)
                                     .arg(recorded / 1e3, 0, 'f', 1)
                                     .arg(told / 1e3, 0, 'f', 1);
            qInfo("%s", qPrintable(text));
            QVERIFY2(std::abs(recorded - told) <= std::max(0.05 * told, 50e3), qPrintable(text));
            QVERIFY2(row["wire_ns"].toDouble() <= row["felt_ns"].toDouble(), qPrintable(text));
        }
    }
};

QTEST_GUILESS_MAIN(tst_felt)
#include "tst_felt.moc"
