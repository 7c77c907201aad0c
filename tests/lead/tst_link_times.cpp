#include "engine/lead/LinkTimes.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

class tst_link_times : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void allFollowFromTheNodeTimeout()
    {
        const LinkTimes usual(20s);
        QVERIFY(usual.shown == 3s);
        QVERIFY(usual.renewed == 5s);
        QVERIFY(usual.leftOut == 20s);
        QVERIFY(usual.heldTimeout == 21s);
        QCOMPARE(usual.aliveSeconds(3), 2);
        QVERIFY(LinkTimes(60s).renewed == 15s);
        QCOMPARE(LinkTimes(60s).aliveSeconds(3), 5);
        QCOMPARE(usual.connectSeconds(), 2);
        QCOMPARE(LinkTimes(60s).connectSeconds(), 6);
        QCOMPARE(LinkTimes(1h).connectSeconds(), 15);
    }

    /// A connection is never given up before its host is said to be silent, nor after it is left
    /// out; and with the heartbeat's interval of a second that is said within five.
    void theirOrderHoldsForAnyTimeout()
    {
        for (const auto timeout : {1s, 2s, 3s, 5s, 8s, 20s, 120s, 3600s}) {
            const LinkTimes times(timeout);
            QVERIFY(times.shown >= 1s && times.shown <= 4s - 1s);
            QVERIFY(times.renewed >= times.shown);
            QVERIFY(times.leftOut >= times.renewed);
            QVERIFY(times.aliveSeconds(3) >= 1);
            QVERIFY(times.connectSeconds() >= 2);
        }
    }
};

QTEST_GUILESS_MAIN(tst_link_times)
#include "tst_link_times.moc"
