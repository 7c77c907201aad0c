#include "engine/hosts/Codes.h"
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
        QVERIFY(policy.nextDelay() == 500ms);
        QVERIFY(policy.nextDelay() == 1000ms);
        QVERIFY(policy.nextDelay() == 1500ms);
        QVERIFY(policy.nextDelay() == 1500ms);
        policy.answered();
        QVERIFY(policy.nextDelay() == 500ms);
    }

    void brokenConnectionIsSharedAgainAfterAnAnswer()
    {
        ReconnectPolicy policy(1s, 1s);
        QVERIFY(policy.connection() == Connection::Shared);
        policy.connectionFailed();
        QVERIFY(policy.connection() == Connection::Fresh);
        policy.answered();
        QVERIFY(policy.connection() == Connection::Shared);
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
        QCOMPARE(policy.silentLogins(), 2);
    }
};

QTEST_GUILESS_MAIN(tst_reconnect_policy)
#include "tst_reconnect_policy.moc"
