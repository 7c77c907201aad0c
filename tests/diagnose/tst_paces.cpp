#include "engine/diagnose/Steps.h"
#include "engine/ledger/OperationBlock.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::diagnose;

/// Steps a second from the operations of real programs (see paces/record), on a quiet machine and
/// on a busy one, beside what each counted by its own clock.
class tst_paces : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void theRateIsTheProgramsOwn_data()
    {
        QTest::addColumn<QString>("file");
        const QDir folder(QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/diagnose/paces"));
        const QStringList files = folder.entryList({"*.json"}, QDir::Files, QDir::Name);
        QCOMPARE(files.size(), 28);
        for (const QString& file : files)
            QTest::newRow(qPrintable(file)) << folder.filePath(file);
    }
    void theRateIsTheProgramsOwn()
    {
        QFETCH(QString, file);
        QFile recorded(file);
        QVERIFY(recorded.open(QIODevice::ReadOnly));
        const QJsonDocument json = QJsonDocument::fromJson(recorded.readAll());
        const QByteArray block = QByteArray::fromBase64(json["operations"].toString().toLatin1());
        const auto batch = unpackOperations(block.toStdString());
        QVERIFY(batch && !batch->operations.empty());
        StepWatch watch;
        for (const Operation& operation : batch->operations)
            watch.add(operation);
        const auto rate = watch.rate();
        QVERIFY(rate.has_value());
        const double own = json["steps_a_second"].toDouble();
        const QString text = QString("%1 steps a second by %2 calls a step, the program's own: %3")
                                 .arg(rate->stepsPerSecond())
                                 .arg(rate->operations)
                                 .arg(own);
        qInfo("%s", qPrintable(text));
        QVERIFY2(qAbs(rate->stepsPerSecond() / own - 1) <= 0.05, qPrintable(text));
    }
};

QTEST_GUILESS_MAIN(tst_paces)
#include "tst_paces.moc"
