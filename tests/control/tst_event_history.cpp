#include "engine/control/EventHistory.h"

#include <QtTest>

using namespace ringmaster;

class tst_event_history : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keepsTheLatestOnes()
    {
        const EventHistory history = filled(4, 10);
        QCOMPARE(history.lastSequence(), std::uint64_t{10});
        QVERIFY(history.reachesBackTo(6));
        QVERIFY(!history.reachesBackTo(5));
        QCOMPARE(sequences(history.after(7, 100)), (std::vector<std::uint64_t>{8, 9, 10}));
        QCOMPARE(sequences(history.after(6, 2)), (std::vector<std::uint64_t>{7, 8}));
        QVERIFY(history.after(10, 100).empty());
        QVERIFY(history.after(99, 100).empty());
    }

    void refusesAGap()
    {
        EventHistory history = filled(4, 2);
        QVERIFY(!history.append({.runSequence = 4}));
        QVERIFY(!history.append({.runSequence = 2}));
        QVERIFY(history.append({.runSequence = 3}));
    }

    void anEmptyOneReachesBackToTheBeginningOnly()
    {
        const EventHistory history(4);
        QVERIFY(history.reachesBackTo(0));
        QVERIFY(!history.reachesBackTo(1));
    }

private:
    static EventHistory filled(size_t limit, std::uint64_t last)
    {
        EventHistory history(limit);
        for (std::uint64_t sequence = 1; sequence <= last; ++sequence)
            history.append({.runSequence = sequence});
        return history;
    }

    static std::vector<std::uint64_t>
    sequences(const std::vector<std::shared_ptr<const Event>>& events)
    {
        std::vector<std::uint64_t> numbers;
        for (const auto& event : events)
            numbers.push_back(event->runSequence);
        return numbers;
    }
};

QTEST_GUILESS_MAIN(tst_event_history)
#include "tst_event_history.moc"
