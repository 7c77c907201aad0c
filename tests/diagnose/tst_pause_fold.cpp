#include "engine/diagnose/PauseFold.h"

#include <QtTest>

#include <cmath>
#include <random>
#include <vector>

using namespace ringmaster::diagnose;

/// How many equal rounds are one step, by what is between them on a machine that has other work.
class tst_pause_fold : public QObject
{
    Q_OBJECT

private:
    static constexpr size_t LeastSteps = 4;

    struct Program
    {
        int together = 1;
        double within = 0;   ///< Milliseconds between two rounds of a step, as most are.
        double between = 0;  ///< And between two steps.
        double inFlight = 0; ///< The part of the rounds within a step that begin in flight.
        double spread = 0;   ///< Of the logarithms.
        int steps = 60;
    };

    static std::vector<RoundPause> pausesOf(const Program& program, unsigned seed)
    {
        std::mt19937 random(seed);
        std::normal_distribution<double> noise(0, program.spread);
        std::uniform_real_distribution<double> chance(0, 1);
        std::vector<RoundPause> pauses;
        for (int step = 0; step < program.steps; ++step) {
            for (int round = 0; round < program.together; ++round) {
                const double usual = round == 0 ? program.between : program.within;
                const double ms = usual * std::exp(noise(random));
                const bool isInFlight = round != 0 && chance(random) < program.inFlight;
                pauses.push_back(
                    {isInFlight ? 0 : static_cast<std::int64_t>(ms * 1e6), isInFlight});
            }
        }
        // What is seen may begin in the middle of a step.
        pauses.erase(pauses.begin(), pauses.begin() + program.together / 2);
        return pauses;
    }

private Q_SLOTS:
    void findsHowManyRoundsAreAStep_data()
    {
        QTest::addColumn<int>("together");
        QTest::addColumn<double>("within");
        QTest::addColumn<double>("between");
        QTest::addColumn<double>("inFlight");
        QTest::addColumn<double>("spread");
        QTest::newRow("two, quiet") << 2 << 0.3 << 6.0 << 0.0 << 0.1;
        QTest::newRow("two, busy") << 2 << 0.5 << 8.0 << 0.6 << 1.0;
        QTest::newRow("two that are slow to come") << 2 << 3.0 << 9.0 << 0.5 << 0.8;
        QTest::newRow("four, always in flight") << 4 << 0.1 << 10.0 << 1.0 << 0.5;
        QTest::newRow("eight, busy") << 8 << 0.5 << 8.0 << 0.5 << 1.0;
        QTest::newRow("six that wait for each other") << 6 << 0.05 << 6.0 << 0.0 << 1.0;
        QTest::newRow("hardly a pause") << 2 << 0.2 << 0.9 << 0.9 << 0.4;
    }
    void findsHowManyRoundsAreAStep()
    {
        QFETCH(int, together);
        QFETCH(double, within);
        QFETCH(double, between);
        QFETCH(double, inFlight);
        QFETCH(double, spread);
        for (unsigned seed = 1; seed <= 20; ++seed) {
            const auto fold = foldOf(pausesOf({.together = together,
                                               .within = within,
                                               .between = between,
                                               .inFlight = inFlight,
                                               .spread = spread},
                                              seed),
                                     LeastSteps);
            QVERIFY2(fold.has_value(), qPrintable(QString("seed %1").arg(seed)));
            QCOMPARE(fold->together, static_cast<size_t>(together));
            QCOMPARE(fold->first, static_cast<size_t>((together - together / 2) % together));
        }
    }

    /// As where the data comes late at each so many steps.
    void stepsOfWhichSomeTakeLongAreNoRounds_data()
    {
        QTest::addColumn<int>("together");
        QTest::addColumn<double>("within");
        QTest::addColumn<double>("between");
        QTest::newRow("each fourth") << 4 << 5.0 << 40.0;
        QTest::newRow("each tenth") << 10 << 10.0 << 60.0;
        QTest::newRow("each other") << 2 << 5.0 << 25.0;
    }
    void stepsOfWhichSomeTakeLongAreNoRounds()
    {
        QFETCH(int, together);
        QFETCH(double, within);
        QFETCH(double, between);
        for (unsigned seed = 1; seed <= 20; ++seed) {
            const auto fold = foldOf(
                pausesOf(
                    {.together = together, .within = within, .between = between, .spread = 0.3},
                    seed),
                LeastSteps);
            QVERIFY(!fold);
        }
    }

    void whatIsAllAlikeHasNone()
    {
        QVERIFY(!foldOf({}, LeastSteps));
        QVERIFY(!foldOf(std::vector<RoundPause>(200, RoundPause{.ns = 100'000}), LeastSteps));
        for (unsigned seed = 1; seed <= 50; ++seed)
            QVERIFY(
                !foldOf(pausesOf({.together = 1, .between = 0.5, .spread = 1, .steps = 500}, seed),
                        LeastSteps));
    }
};

QTEST_GUILESS_MAIN(tst_pause_fold)
#include "tst_pause_fold.moc"
