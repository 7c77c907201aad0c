#include "engine/collective/WorkQueue.h"

#include <QtTest>

#include <atomic>
#include <latch>
#include <stdexcept>

using ringmaster::collective::WorkQueue;

class tst_work_queue : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void runsWhatCameInOrder()
    {
        std::vector<int> ran;
        {
            WorkQueue queue;
            for (int i = 0; i < 100; ++i)
                queue.run([&ran, i] { ran.push_back(i); },
                          i % 3 == 0 ? WorkQueue::Mode::AtOnce : WorkQueue::Mode::Background);
        }
        QCOMPARE(ran.size(), size_t{100});
        QVERIFY(std::is_sorted(ran.begin(), ran.end()));
    }

    void aJobMayBringAnotherThatRunsAtOnce_data()
    {
        QTest::addColumn<WorkQueue::Mode>("mode");
        QTest::newRow("at once") << WorkQueue::Mode::AtOnce;
        QTest::newRow("in the background") << WorkQueue::Mode::Background;
    }

    /// As a callback of a collective does that waits for a further one. When the next one came must
    /// not matter: that differs from rank to rank.
    void aJobMayBringAnotherThatRunsAtOnce()
    {
        QFETCH(const WorkQueue::Mode, mode);
        std::vector<int> ran;
        std::latch isSecondQueued(1);
        {
            WorkQueue queue;
            queue.run(
                [&] {
                    isSecondQueued.wait();
                    ran.push_back(1);
                    queue.run([&] { ran.push_back(3); }, mode);
                    ran.push_back(4);
                },
                WorkQueue::Mode::Background);
            queue.run([&] { ran.push_back(2); }, WorkQueue::Mode::Background);
            isSecondQueued.count_down();
        }
        QCOMPARE(ran, (std::vector<int>{1, 3, 4, 2}));
    }

    void goesOnAfterAJobThatThrows_data()
    {
        QTest::addColumn<bool>("hasThread");
        QTest::newRow("on the caller's thread") << false;
        QTest::newRow("on its own thread") << true;
    }

    void goesOnAfterAJobThatThrows()
    {
        QFETCH(bool, hasThread);
        std::atomic<int> ran = 0;
        WorkQueue queue;
        if (hasThread)
            queue.run(
                [&] {
                    ++ran;
                    QThread::yieldCurrentThread();
                },
                WorkQueue::Mode::Background);
        QVERIFY_EXCEPTION_THROWN(
            queue.run([] { throw std::runtime_error("broken"); }, WorkQueue::Mode::AtOnce),
            std::runtime_error);
        queue.run([] { throw std::runtime_error("broken"); }, WorkQueue::Mode::Background);
        queue.run([&] { ++ran; }, WorkQueue::Mode::Background);
        queue.run([&] { ++ran; }, WorkQueue::Mode::AtOnce);
        QCOMPARE(ran.load(), hasThread ? 3 : 2);
    }
};

QTEST_GUILESS_MAIN(tst_work_queue)
#include "tst_work_queue.moc"
