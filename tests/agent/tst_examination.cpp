#include "engine/agent/Examination.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

class tst_examination : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goesOnOnceWhenItIsDone()
    {
        EventLoop loop;
        std::function<void()> done;
        Examination examination(
            loop, [&](const Message&, Examination::Ending, auto told) { done = told; }, 60s);
        int times = 0;
        examination.begin({}, Examination::Ending::Asked, [&] { ++times; });
        QVERIFY(examination.isOn());
        QCOMPARE(times, 0);
        done();
        done();
        QCOMPARE(times, 1);
        QVERIFY(!examination.isOn());
    }

    void waitsNoLongerThanItsPatience()
    {
        EventLoop loop;
        Examination examination(
            loop, [](const Message&, Examination::Ending, auto) {}, 1ms);
        examination.begin({}, Examination::Ending::Killed, [&] { loop.stop(); });
        loop.run();
        QVERIFY(!examination.isOn());
    }

    void saysNothingOnceCancelled()
    {
        EventLoop loop;
        std::vector<std::function<void()>> done;
        Examination examination(
            loop, [&](const Message&, Examination::Ending, auto told) { done.push_back(told); },
            60s);
        std::vector<int> over;
        examination.begin({}, Examination::Ending::Asked, [&] { over.push_back(1); });
        examination.cancel();
        examination.begin({}, Examination::Ending::Asked, [&] { over.push_back(2); });
        done.at(0)();
        QCOMPARE(over, std::vector<int>{});
        done.at(1)();
        QCOMPARE(over, std::vector<int>{2});
    }

    void isOverAtOnceWhereNobodyLooks()
    {
        EventLoop loop;
        Examination examination(loop, {});
        bool isOver = false;
        examination.begin({}, Examination::Ending::Asked, [&] { isOver = true; });
        QVERIFY(isOver);
    }
};

QTEST_GUILESS_MAIN(tst_examination)
#include "tst_examination.moc"
