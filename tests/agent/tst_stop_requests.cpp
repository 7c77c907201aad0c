#include "engine/agent/StopRequests.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <csignal>

using namespace ringmaster;

namespace {

using Request = StopRequests::Kind;

} // namespace

class tst_stop_requests : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whoAsksAgainDoesNotWantToWait()
    {
        StopRequests requests;
        QVERIFY(!requests.any());
        QVERIFY(requests.signalled(SIGTERM, 0) == Request::First);
        QVERIFY(requests.any());
        QVERIFY(requests.signalled(SIGTERM, 1000 * Millisecond) == Request::Again);
    }

    void aTerminalThatClosesAsksOnce()
    {
        StopRequests requests;
        QVERIFY(requests.signalled(SIGHUP, 0) == Request::First);
        QVERIFY(requests.signalled(SIGHUP, 99 * Millisecond) == Request::Echo);
        QVERIFY(requests.signalled(SIGHUP, 5000 * Millisecond) == Request::Echo);
        QVERIFY(requests.signalled(SIGTERM, 5001 * Millisecond) == Request::Again);
    }

    void theSameSignalAtOnceIsItsEcho()
    {
        StopRequests requests;
        QVERIFY(requests.signalled(SIGTERM, 0) == Request::First);
        QVERIFY(requests.signalled(SIGTERM, 99 * Millisecond) == Request::Echo);
        QVERIFY(requests.signalled(SIGTERM, 199 * Millisecond) == Request::Again);
    }

    void anotherSignalIsNoEcho()
    {
        StopRequests requests;
        QVERIFY(requests.signalled(SIGTERM, 0) == Request::First);
        QVERIFY(requests.signalled(SIGINT, Millisecond) == Request::Again);
    }

    void commandsAndSignalsAreCountedTogether()
    {
        StopRequests requests;
        QVERIFY(requests.asked() == Request::First);
        QVERIFY(requests.signalled(SIGINT, 0) == Request::Again);
        QVERIFY(requests.asked() == Request::Again);
    }
};

QTEST_GUILESS_MAIN(tst_stop_requests)
#include "tst_stop_requests.moc"
