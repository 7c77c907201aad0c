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

    /// Every tenth step takes six times as long: the program waits for its data.
    void whatTakesLongNowAndThenCounts()
    {
        StepWatch watch;
        std::uint64_t id = 0;
        std::int64_t ns = 1'000'000'000;
        for (int step = 0; step <= 200; ++step) {
            for (const std::uint64_t bytes : {100U, 200U})
                watch.add({.id = ++id, .bytes = bytes, .enqueuedNs = ns, .endedNs = ns + 100'000});
            ns += step % 10 == 9 ? 60'000'000 : 10'000'000;
        }
        QCOMPARE(watch.rate()->periodNs, std::int64_t(15'000'000));
    }

    void aFirstStepThatSetsUpDoesntCount()
    {
        StepWatch watch;
        std::int64_t ns = 1'000'000'000;
        for (std::uint64_t id = 1; id <= 40; ++id) {
            watch.add({.id = id, .bytes = 8, .enqueuedNs = ns, .endedNs = ns + 1000});
            ns += id == 1 ? 400'000'000 : 10'000'000;
        }
        const auto rate = watch.rate();
        QVERIFY(rate && rate->steps == 38 && rate->periodNs == 10'000'000);
    }

    void oneThatIsToldTwiceIsOneCall()
    {
        StepWatch watch;
        std::int64_t ns = 1'000'000'000;
        for (std::uint64_t id = 1; id <= 20; ++id) {
            watch.add({.id = id, .bytes = 8, .enqueuedNs = ns});
            watch.add({.id = id, .bytes = 8, .enqueuedNs = ns, .endedNs = ns + 1000});
            ns += 10'000'000;
        }
        const auto rate = watch.rate();
        QVERIFY(rate && rate->steps == 19 && rate->periodNs == 10'000'000);
    }

    void onlyTheLatestCallsCount()
    {
        const int rounds = static_cast<int>(StepWatch::Remembered) * 3;
        const auto rate = rateOf({64}, rounds, 9'000'000);
        QVERIFY(rate && rate->steps < StepWatch::Remembered);
        QCOMPARE(rate->periodNs, std::int64_t(10'000'000));
    }

    void severalEqualCallsBackToBackAreOneStep_data()
    {
        QTest::addColumn<qint64>("betweenNs");
        QTest::addColumn<qint64>("durationNs");
        QTest::newRow("one after the other") << qint64(2'000'000) << qint64(1'900'000);
        QTest::newRow("all at once") << qint64(50'000) << qint64(3'000'000);
    }

    void severalEqualCallsBackToBackAreOneStep()
    {
        QFETCH(qint64, betweenNs);
        QFETCH(qint64, durationNs);
        StepWatch watch;
        std::uint64_t id = 0;
        for (std::int64_t step = 1; step <= 300; ++step) {
            for (std::int64_t call = 0; call < 4; ++call) {
                const std::int64_t ns = step * 20'000'000 + call * betweenNs;
                watch.add({.id = ++id, .bytes = 64, .enqueuedNs = ns, .endedNs = ns + durationNs});
            }
        }
        const auto rate = watch.rate();
        QVERIFY(rate.has_value());
        QCOMPARE(rate->operations, size_t(4));
        QCOMPARE(rate->stepsPerSecond(), 50.0);
    }

    void anEvaluationNowAndThenIsNoStep()
    {
        StepWatch watch;
        std::uint64_t id = 0;
        std::int64_t ns = 1;
        const auto call = [&](std::uint64_t bytes) {
            watch.add({.id = ++id, .bytes = bytes, .enqueuedNs = ns, .endedNs = ns + 1'000'000});
            ns += 2'000'000;
        };
        for (int step = 1; step <= 200; ++step) {
            call(100);
            call(200);
            for (int part = 0; step % 20 == 0 && part < 3; ++part)
                call(4);
        }
        const auto rate = watch.rate();
        QVERIFY(rate.has_value());
        QCOMPARE(rate->operations, size_t(2));
        QVERIFY(qAbs(rate->periodNs - 4'300'000) < 50'000); // with its time
    }

    void phasesOfEvaluationCountWithTheirTimeAndNotAsSteps()
    {
        StepWatch watch;
        std::uint64_t id = 0;
        std::int64_t ns = 1;
        const auto call = [&](std::uint64_t bytes, std::int64_t lasts) {
            watch.add({.id = ++id, .bytes = bytes, .enqueuedNs = ns, .endedNs = ns + 1'000'000});
            ns += lasts;
        };
        for (int epoch = 0; epoch < 4; ++epoch) {
            for (int step = 0; step < 20; ++step)
                call(4096, 10'000'000);
            for (int part = 0; part < 5; ++part)
                call(8, 20'000'000);
        }
        const auto rate = watch.rate();
        QVERIFY(rate.has_value());
        QCOMPARE(rate->operations, size_t(1));
        QCOMPARE(rate->steps, std::uint64_t(60)); // of whole epochs
        QCOMPARE(rate->periodNs, std::int64_t(15'000'000));
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
