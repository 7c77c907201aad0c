#include "engine/diagnose/Rhythm.h"

#include <QtTest>

using namespace ringmaster::diagnose;

/// Where steps begin in calls that repeat.
class tst_rhythm : public QObject
{
    Q_OBJECT

private:
    static constexpr std::int64_t Call = 1'000'000;

    /// Each call lasts half a millisecond, and half a one is between two; 0 is a pause of twenty.
    static std::vector<RhythmCall> callsOf(const std::vector<std::uint64_t>& signatures)
    {
        std::vector<RhythmCall> calls;
        std::int64_t ns = Call;
        for (const std::uint64_t signature : signatures) {
            ns += signature == 0 ? 20 * Call : Call;
            if (signature != 0)
                calls.push_back({.id = calls.size() + 1,
                                 .signature = signature,
                                 .enqueuedNs = ns,
                                 .endedNs = ns + Call / 2});
        }
        return calls;
    }

    static std::vector<std::uint64_t> repeated(const std::vector<std::uint64_t>& step, int times)
    {
        std::vector<std::uint64_t> all;
        for (int i = 0; i < times; ++i)
            all.insert(all.end(), step.begin(), step.end());
        return all;
    }

    static std::vector<std::uint64_t> joined(std::vector<std::uint64_t> one,
                                             const std::vector<std::uint64_t>& more)
    {
        one.insert(one.end(), more.begin(), more.end());
        return one;
    }

private Q_SLOTS:
    void fewerThanFourStepsAreNone()
    {
        QVERIFY(!Rhythm::of({}));
        QVERIFY(!Rhythm::of(callsOf(repeated({1, 2, 3, 0}, 3))));
        QVERIFY(bool(Rhythm::of(callsOf(repeated({1, 2, 3, 0}, 4)))));
    }

    void aStepBeginsAfterThePause()
    {
        const Rhythm rhythm = Rhythm::of(callsOf(repeated({2, 3, 0, 1}, 20)));
        QCOMPARE(rhythm.length(), size_t(3));
        QCOMPARE(rhythm.begins()[1] - rhythm.begins()[0], size_t(3));
        QCOMPARE(rhythm.begins().front(), size_t(2)); // that is: 1, 2, 3
    }

    void anEvaluationBetweenStepsIsNoStep()
    {
        std::vector<std::uint64_t> all;
        for (int epoch = 0; epoch < 10; ++epoch) {
            const auto steps = repeated({1, 2, 3, 0}, 20);
            all.insert(all.end(), steps.begin(), steps.end());
            all.insert(all.end(), {9, 9, 9, 9, 0});
        }
        const Rhythm rhythm = Rhythm::of(callsOf(all));
        QCOMPARE(rhythm.length(), size_t(3));
        QVERIFY2(rhythm.begins().size() >= 195,
                 qPrintable(QString::number(rhythm.begins().size())));
    }

    /// One call a step, and many calls of an evaluation.
    void aLongEvaluationBetweenManyStepsIsAPhase()
    {
        const auto epoch = joined(repeated({1, 0}, 20), repeated({9, 0}, 5));
        for (const int epochs : {2, 3, 4, 12}) {
            const Rhythm rhythm = Rhythm::of(callsOf(repeated(epoch, epochs)));
            QCOMPARE(rhythm.length(), size_t(1));
            QCOMPARE(rhythm.begins().size(), static_cast<size_t>(20 * epochs));
            const auto [from, until] = rhythm.wholePhases();
            QVERIFY(from == 0 && until == static_cast<size_t>(20 * (epochs - 1)));
        }
    }

    void aFirstPhaseThatIsLongerCountsFromItsLastWholePart()
    {
        const auto epoch = joined(repeated({1, 0}, 20), repeated({9, 0}, 5));
        const auto all = joined(repeated({1, 0}, 3), repeated(epoch, 4));
        const auto [from, until] = Rhythm::of(callsOf(all)).wholePhases();
        QCOMPARE(from, size_t(3));
        QCOMPARE(until, size_t(63));
    }

    /// As a layer's gathers are, forward and backward.
    void partsOfAStepThatComeManyTimesInARowAreNoSteps()
    {
        auto calls = callsOf(repeated(joined(repeated({1}, 16), repeated({1, 2}, 16)), 10));
        for (RhythmCall& call : calls)
            call.bytes = 1000;
        QCOMPARE(Rhythm::of(calls).length(), size_t(48));

        // A few of one network, then one of another.
        QCOMPARE(Rhythm::of(callsOf(repeated({1, 0, 1, 0, 1, 0, 1, 0, 2, 0}, 20))).length(),
                 size_t(5));
    }

    void setUpIsBeforeTheFirstStep()
    {
        auto all = repeated({5, 6, 7, 8}, 1);
        const auto steps = repeated({1, 2, 0}, 30);
        all.insert(all.end(), steps.begin(), steps.end());
        const Rhythm rhythm = Rhythm::of(callsOf(all));
        QCOMPARE(rhythm.length(), size_t(2));
        QCOMPARE(rhythm.begins().front(), size_t(4));
    }

    /// As with gradients that are summed over three micro-batches by hand.
    void equalCallsWithoutAPauseBetweenAreOneStep()
    {
        const Rhythm rhythm = Rhythm::of(callsOf(repeated({4, 4, 4, 0}, 40)));
        QCOMPARE(rhythm.length(), size_t(3));
    }

    /// Four micro-batches go through a pipeline of two stages; then all gradients are summed.
    void microBatchesThatArePassedOnAreNoSteps()
    {
        auto calls = callsOf(repeated(joined(repeated({1, 2}, 4), {3}), 30));
        for (RhythmCall& call : calls)
            call.isPointToPoint = call.signature != 3;
        QCOMPARE(Rhythm::of(calls).length(), size_t(9));
    }

    void whatNeverRepeatsHasNone()
    {
        std::vector<std::uint64_t> all;
        for (std::uint64_t i = 1; i <= 200; ++i)
            all.push_back(i * i % 211);
        QVERIFY(!Rhythm::of(callsOf(all)));
    }
};

QTEST_GUILESS_MAIN(tst_rhythm)
#include "tst_rhythm.moc"
