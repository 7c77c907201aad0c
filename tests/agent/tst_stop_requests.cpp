#include "engine/agent/StopRequests.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;

namespace {

using Kind = StopRequests::Kind;
constexpr std::int64_t Millisecond = 1'000'000;

} // namespace

class tst_stop_requests : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoAsksAgainDoesNotWantToWait()
    {
        StopRequests requests;
        QVERIFY(!requests.any());
        QVERIFY(requests.signalled(SIGTERM, 0) == Kind::First);
        QVERIFY(requests.any());
        QVERIFY(requests.signalled(SIGTERM, 1000 * Millisecond) == Kind::Again);
    }

    void aTerminalThatClosesAsksOnce()
    {
        StopRequests requests;
        QVERIFY(requests.signalled(SIGHUP, 0) == Kind::First);
        QVERIFY(requests.signalled(SIGHUP, 99 * Millisecond) == Kind::Echo);
        QVERIFY(requests.signalled(SIGHUP, 5000 * Millisecond) == Kind::Echo);
        QVERIFY(requests.signalled(SIGTERM, 5001 * Millisecond) == Kind::Again);
    }

    void theSameSignalAtOnceIsItsEcho()
    {
        StopRequests requests;
        QVERIFY(requests.signalled(SIGTERM, 0) == Kind::First);
        QVERIFY(requests.signalled(SIGTERM, 99 * Millisecond) == Kind::Echo);
        QVERIFY(requests.signalled(SIGTERM, 199 * Millisecond) == Kind::Again);
    }

    void anotherSignalIsNoEcho()
    {
        StopRequests requests;
        QVERIFY(requests.signalled(SIGTERM, 0) == Kind::First);
        QVERIFY(requests.signalled(SIGINT, Millisecond) == Kind::Again);
    }

    void commandsAndSignalsAreCountedTogether()
    {
        StopRequests requests;
        QVERIFY(requests.asked() == Kind::First);
        QVERIFY(requests.signalled(SIGINT, 0) == Kind::Again);
        QVERIFY(requests.asked() == Kind::Again);
    }
};

QTEST_GUILESS_MAIN(tst_stop_requests)
#include "tst_stop_requests.moc"
