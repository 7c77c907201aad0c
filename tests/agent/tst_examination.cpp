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
            loop, [&](const Message&, Examination::Ending, auto told) { done = told; });
        int times = 0;
        examination.begin({}, Examination::Ending::Asked, 60s, [&] { ++times; });
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
        Examination examination(loop, [](const Message&, Examination::Ending, auto) {});
        examination.begin({}, Examination::Ending::Killed, 1ms, [&] { loop.stop(); });
        loop.run();
        QVERIFY(!examination.isOn());
    }

    void saysNothingOnceCancelled()
    {
        EventLoop loop;
        std::vector<std::function<void()>> done;
        Examination examination(
            loop, [&](const Message&, Examination::Ending, auto told) { done.push_back(told); });
        std::vector<int> over;
        examination.begin({}, Examination::Ending::Asked, 60s, [&] { over.push_back(1); });
        examination.cancel();
        examination.begin({}, Examination::Ending::Asked, 60s, [&] { over.push_back(2); });
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
        examination.begin({}, Examination::Ending::Asked, 60s, [&] { isOver = true; });
        QVERIFY(isOver);
    }

    void nobodyLooksWithoutPatience()
    {
        EventLoop loop;
        int looks = 0;
        Examination examination(loop, [&](const Message&, Examination::Ending, auto) { ++looks; });
        bool isOver = false;
        examination.begin({}, Examination::Ending::Killed, 0s, [&] { isOver = true; });
        QVERIFY(isOver && !examination.isOn());
        QCOMPARE(looks, 0);
    }
};

QTEST_GUILESS_MAIN(tst_examination)
#include "tst_examination.moc"
