#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"

#include <QtTest>

#include <csignal>
#include <thread>

#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

class tst_event_loop : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsPostedTasksInOrderFromAnyThread()
    {
        EventLoop loop;
        std::vector<int> seen;
        std::thread other([&] {
            for (int i = 0; i < 1000; ++i)
                loop.post([&seen, i] { seen.push_back(i); });
            loop.post([&loop] { loop.stop(); });
        });
        loop.run();
        other.join();
        QCOMPARE(seen.size(), size_t{1000});
        QVERIFY(std::is_sorted(seen.begin(), seen.end()));
    }

    void firesTimersInTimeAndForgetsCancelledOnes()
    {
        EventLoop loop;
        bool cancelled = true;
        auto never = loop.callAfter(1ms, [&] { cancelled = false; });
        never.cancel();
        const auto end = loop.callAfter(20ms, [&] { loop.stop(); });
        const auto start = std::chrono::steady_clock::now();
        loop.run();
        QVERIFY(std::chrono::steady_clock::now() - start >= 20ms);
        QVERIFY(cancelled);
    }

    void watchesBothDirectionsOfOneSocket()
    {
        EventLoop loop;
        auto pair = makeSocketPair(SOCK_STREAM);
        QVERIFY(pair.has_value());
        int writable = 0;
        std::string got;
        EventLoop::Registration write = loop.watchWritable(pair->first.get(), [&] {
            ++writable;
            write.cancel();
            QVERIFY(writeAll(pair->second.get(), "hello").has_value());
        });
        const auto readable = loop.watchReadable(pair->first.get(), [&] {
            char buffer[16];
            const ssize_t count = ::read(pair->first.get(), buffer, sizeof buffer);
            got.assign(buffer, static_cast<size_t>(std::max<ssize_t>(count, 0)));
            loop.stop();
        });
        loop.run();
        QCOMPARE(writable, 1);
        QCOMPARE(got, std::string("hello"));
    }

    void keepsCallingWhileInputIsLeft()
    {
        EventLoop loop;
        auto pipe = makePipe();
        QVERIFY(writeAll(pipe->writeEnd.get(), "abc").has_value());
        std::string got;
        const auto readable = loop.watchReadable(pipe->readEnd.get(), [&] {
            char one = 0;
            QCOMPARE(::read(pipe->readEnd.get(), &one, 1), ssize_t{1});
            got += one;
            if (got.size() == 3)
                loop.stop();
        });
        loop.run();
        QCOMPARE(got, std::string("abc"));
    }

    void remembersAStopThatComesBeforeRun()
    {
        EventLoop loop;
        loop.stop();
        loop.run();
        bool ran = false;
        loop.post([&] {
            ran = true;
            loop.stop();
        });
        loop.run();
        QVERIFY(ran);
    }

    void deliversSignals()
    {
        EventLoop loop;
        int seen = 0;
        const auto watch = loop.watchSignals({SIGUSR1}, [&](int signal) {
            seen = signal;
            loop.stop();
        });
        loop.post([] { ::kill(::getpid(), SIGUSR1); });
        loop.run();
        QCOMPARE(seen, SIGUSR1);
    }
};

QTEST_GUILESS_MAIN(tst_event_loop)
#include "tst_event_loop.moc"
