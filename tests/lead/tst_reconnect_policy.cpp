#include "engine/hosts/Codes.h"
#include "engine/lead/HostAgent.h"
#include "engine/lead/LinkTimes.h"
#include "engine/lead/ReconnectPolicy.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

class tst_reconnect_policy : public QObject
{
    Q_OBJECT

    using Connection = ReconnectPolicy::Connection;

private Q_SLOTS:
    void delayGrowsUntilItAnswers()
    {
        ReconnectPolicy policy(500ms, 1500ms);
        QVERIFY(policy.nextDelay(0s) == 500ms);
        QVERIFY(policy.nextDelay(0s) == 1000ms);
        QVERIFY(policy.nextDelay(0s) == 1500ms);
        QVERIFY(policy.nextDelay(0s) == 1500ms);
        policy.answered();
        QVERIFY(policy.nextDelay(0s) == 500ms);
    }

    /// From one try to the next; one that takes long is a delay already.
    void whatATryTookIsPartOfTheDelay()
    {
        ReconnectPolicy policy(500ms, 1000ms);
        QVERIFY(policy.nextDelay(200ms) == 300ms);
        QVERIFY(policy.nextDelay(200ms) == 800ms);
        QVERIFY(policy.nextDelay(5s) == 0ms);
    }

    void aHostThatIsBackInTimeIsConnectedInTime_data()
    {
        QTest::addColumn<int>("nodeTimeout"); ///< Seconds.
        QTest::addColumn<int>("cut");         ///< For so long all packets are lost.
        QTest::newRow("the usual one, and a host's cable") << 20 << 15;
        QTest::newRow("the usual one, and the lead's network") << 20 << 8;
        QTest::newRow("30 s") << 30 << 22;
        QTest::newRow("40 s") << 40 << 30;
        QTest::newRow("a minute") << 60 << 45;
        QTest::newRow("two minutes") << 120 << 90;
        QTest::newRow("ten minutes") << 600 << 450;
    }

    /// At whatever moment between two heartbeats the cut begins, ssh's packets come through early
    /// enough for a login before the others go on without the host.
    void aHostThatIsBackInTimeIsConnectedInTime()
    {
        QFETCH(int, nodeTimeout);
        QFETCH(int, cut);
        constexpr auto Login = 2500ms;
        const std::chrono::milliseconds limit = std::chrono::seconds(nodeTimeout) - Login;
        for (auto begin = 0ms; begin <= HostAgent::Setting().holdInterval; begin += 10ms) {
            const auto connected = connectedAfter(LinkTimes(std::chrono::seconds(nodeTimeout)),
                                                  begin + std::chrono::seconds(cut));
            QVERIFY2(connected <= limit, qPrintable(QString("cut at %1 ms: connected at %2 ms")
                                                        .arg(begin.count())
                                                        .arg(connected.count())));
        }
    }

    void brokenConnectionIsSharedAgainAfterAnAnswer()
    {
        ReconnectPolicy policy(1s, 1s);
        QVERIFY(policy.next(true).connection == Connection::Shared);
        policy.connectionFailed(code::HostUnreachable);
        QVERIFY(policy.next(true).connection == Connection::Fresh);
        policy.answered();
        QVERIFY(policy.next(true).connection == Connection::Shared);
    }

    /// Nor one that is tried for the first time: it may be far away.
    void aHostThatIsSlowOrNotAwaitedIsNotHurried()
    {
        ReconnectPolicy policy(1s, 1s);
        QVERIFY(!policy.next(true).isHurried);
        policy.connectionFailed(code::HostUnreachable);
        QVERIFY(policy.next(true).isHurried);
        QVERIFY(!policy.next(false).isHurried);
        policy.connectionFailed(code::HostSshdSilent);
        QVERIFY(!policy.next(true).isHurried);
        policy.connectionFailed(code::HostUnreachable);
        QVERIFY(policy.next(true).isHurried);
        QVERIFY(policy.mayPass(code::HostSshdSilent));
    }

    void wrongNameStaysWrong()
    {
        ReconnectPolicy policy(1s, 1s);
        QVERIFY(policy.mayPass(code::HostUnreachable));
        QVERIFY(!policy.mayPass(code::HostNameUnknown));
    }

    void bundleMayBeDamagedOnce()
    {
        ReconnectPolicy policy(1s, 1s);
        QVERIFY(policy.mayPass(code::HostBundleDamaged));
        QVERIFY(policy.isNew(code::HostBundleDamaged));
        QVERIFY(!policy.isNew(code::HostBundleDamaged));
        QVERIFY(!policy.mayPass(code::HostBundleDamaged));
        policy.forgetReasons();
        QVERIFY(policy.mayPass(code::HostBundleDamaged));
    }

    void silentLoginsAreCounted()
    {
        ReconnectPolicy policy(1s, 1s);
        policy.loginFailed(code::HostLoginSilent);
        policy.loginFailed(code::HostUnreachable);
        policy.loginFailed(code::HostLoginSilent);
        QCOMPARE(policy.next(false).silentLogins, 2);
    }

private:
    /// Since the last answer, until ssh's packets find a host that is back after so long.
    static std::chrono::milliseconds connectedAfter(const LinkTimes& times,
                                                    std::chrono::milliseconds back)
    {
        const HostAgent::Setting usual;
        ReconnectPolicy policy(usual.firstDelay, usual.longestDelay);
        const std::chrono::milliseconds connect = std::chrono::seconds(times.connectSeconds());
        std::chrono::milliseconds end = usual.holdInterval + times.renewed;
        if (back <= end)
            return back; // the connection that there is goes on
        for (auto took = end;; took = connect) {
            policy.connectionFailed(code::HostUnreachable);
            const auto begin = end + policy.nextDelay(took);
            // As the kernel repeats its first packet.
            for (auto sent = 0ms; sent < connect; sent = 2 * sent + 1s) {
                if (begin + sent >= back)
                    return begin + sent;
            }
            end = begin + connect;
        }
    }
};

QTEST_GUILESS_MAIN(tst_reconnect_policy)
#include "tst_reconnect_policy.moc"
