#include "engine/diagnose/Steps.h"

#include <QtTest>

#include <random>

using namespace ringmaster;
using namespace ringmaster::diagnose;

/// Steps of a program that says nothing of them.
class tst_steps : public QObject
{
    Q_OBJECT

private:
    /// Calls of the given sizes, again and again; `pauseNs` after each round.
    static std::optional<StepRate> rateOf(const std::vector<std::uint64_t>& sizes, int rounds,
                                          std::int64_t pauseNs, int odd = 0)
    {
        StepWatch watch;
        std::uint64_t id = 0;
        std::int64_t ns = 1'000'000'000;
        for (int round = 0; round < rounds; ++round) {
            for (const std::uint64_t bytes : sizes)
                watch.add({.id = ++id,
                           .kind = ledger::OperationKind::AllReduce,
                           .bytes = bytes,
                           .enqueuedNs = ns += 1'000'000});
            if (odd != 0 && round % odd == odd - 1)
                watch.add({.id = ++id,
                           .kind = ledger::OperationKind::Broadcast,
                           .bytes = 8,
                           .enqueuedNs = ns += 1'000'000});
            ns += pauseNs;
        }
        return watch.rate();
    }

private Q_SLOTS:
    void findsThePeriodOfDdp()
    {
        const auto rate = rateOf({100, 200, 200, 200, 100, 50, 4}, 60, 50'000'000);
        QVERIFY(rate.has_value());
        QCOMPARE(rate->operations, size_t(7));
        QCOMPARE(rate->bytes, 854.0);
        QCOMPARE(rate->periodNs, std::int64_t(57'000'000));
        QVERIFY(qAbs(rate->stepsPerSecond() - 17.54) < 0.01);
    }

    void oneCallAStepIsAStep()
    {
        const auto rate = rateOf({4096}, 30, 9'000'000);
        QVERIFY(rate && rate->operations == 1 && rate->steps == 29);
        QCOMPARE(rate->stepsPerSecond(), 100.0);
    }

    void whatSetsUpIsNoPartOfTheRhythm()
    {
        StepWatch watch;
        std::uint64_t id = 0;
        for (const std::uint64_t bytes : {8U, 16U, 24U, 4096U, 12U, 48U, 4U, 99U})
            watch.add({.id = ++id, .bytes = bytes, .enqueuedNs = static_cast<std::int64_t>(id)});
        for (int step = 0; step < 16; ++step) {
            for (const std::uint64_t bytes : {100U, 200U})
                watch.add(
                    {.id = ++id, .bytes = bytes, .enqueuedNs = static_cast<std::int64_t>(id)});
        }
        const auto rate = watch.rate();
        QVERIFY(rate && rate->operations == 2 && rate->periodNs == 2);
    }

    void aRareCallBetweenDisturbsNothing()
    {
        const auto rate = rateOf({100, 200, 300}, 300, 10'000'000, 60);
        QVERIFY(rate && rate->operations == 3);
    }

    void callsInADifferentOrderOfTheirEndsAreTheSame()
    {
        StepWatch watch;
        for (std::uint64_t step = 0; step < 20; ++step) {
            for (const std::uint64_t call : {2U, 1U, 3U})
                watch.add({.id = step * 3 + call,
                           .bytes = call,
                           .enqueuedNs = static_cast<std::int64_t>(1 + step * 3 + call)});
        }
        QCOMPARE(watch.rate()->operations, size_t(3));
    }

    void withoutARhythmThereAreNoSteps()
    {
        QVERIFY(!StepWatch().rate());
        QVERIFY(!rateOf({1, 2, 3, 4, 5}, 3, 1));
        std::mt19937_64 random(7);
        StepWatch watch;
        for (std::uint64_t id = 1; id < 5000; ++id)
            watch.add(
                {.id = id, .bytes = random() % 50, .enqueuedNs = static_cast<std::int64_t>(id)});
        QVERIFY(!watch.rate());
    }
};

QTEST_GUILESS_MAIN(tst_steps)
#include "tst_steps.moc"
