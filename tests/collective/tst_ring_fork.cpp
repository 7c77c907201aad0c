#include "tests/collective/RankProcesses.h"

#include <QtTest>

using ringmaster::ring::testing::RankProcesses;

class tst_ring_fork : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aForkedProcessIsToldThatTheGroupIsItsParents_data()
    {
        QTest::addColumn<QString>("hosts");
        QTest::newRow("one host") << "aa";
        QTest::newRow("two hosts") << "ab";
    }

    void aForkedProcessIsToldThatTheGroupIsItsParents()
    {
        QFETCH(QString, hosts);
        RankProcesses ranks(hosts, "fork", "auto", 8, -1, 0);
        for (int rank = 0; rank < ranks.size(); ++rank)
            QVERIFY2(ranks.waitFor(rank), qPrintable(QString("rank %1 hangs").arg(rank)));
        QCOMPARE(ranks.output(0), QString("joined\n"
                                          "send: GroupOfParentProcess\n"
                                          "receive: GroupOfParentProcess\n"
                                          "receive from any: GroupOfParentProcess\n"
                                          "collective: GroupOfParentProcess\n"
                                          "left\n"
                                          "done"));
        QCOMPARE(ranks.output(1), QString("joined\ndone"));
    }
};

QTEST_GUILESS_MAIN(tst_ring_fork)
#include "tst_ring_fork.moc"
