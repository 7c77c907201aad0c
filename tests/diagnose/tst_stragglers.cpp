#include "Scenario.h"
#include "engine/diagnose/Codes.h"
#include "engine/diagnose/StragglerWatch.h"

#include <QtTest>

#include <random>

using namespace ringmaster;
using namespace ringmaster::diagnose;

namespace {

const Scenario::Call Bucket{.caller = ledger::Caller::GoesOn};

/// Steps of training: `arrival(step, rank)` is the second of the step at which the rank comes.
using Arrival = std::function<double(int step, int rank)>;

struct Training
{
    int ranks = 4;
    int steps = 40;
    double period = 0.5;
    int buckets = 1; ///< Operations a step, called one after the other and waited for together.
    Arrival arrival{};
};

QString namedIn(const Training& training, RankClock clock = {})
{
    Scenario scenario(training.ranks);
    for (int rank = 0; rank < training.ranks; ++rank)
        scenario.view(rank).clock = rank % 2 == 0 ? RankClock() : clock;
    StragglerWatch watch;
    QStringList named;
    for (int step = 0; step < training.steps; ++step) {
        const double begin = step * training.period;
        double last = 0;
        for (int rank = 0; rank < training.ranks; ++rank)
            last = std::max(last, training.arrival(step, rank));
        std::vector<std::pair<int, std::uint64_t>> running;
        for (int bucket = 0; bucket < training.buckets; ++bucket) {
            for (int rank = 0; rank < training.ranks; ++rank)
                running.emplace_back(
                    rank, scenario.enter(
                              rank,
                              begin + training.arrival(step, rank) + bucket * 0.002 -
                                  static_cast<double>(scenario.view(rank).clock.offsetNs) / 1e9,
                              training.buckets > 1 ? Bucket : Scenario::Sum));
        }
        for (const auto& [rank, operation] : running)
            scenario.leave(rank,
                           begin + last + 0.01 -
                               static_cast<double>(scenario.view(rank).clock.offsetNs) / 1e9,
                           operation);
        named.clear();
        for (const VerdictCandidate& found : watch.look(scenario.views()))
            named += QString::fromStdString(describe(found.verdict.statement));
    }
    return named.join('\n');
}

/// Up to `most` seconds, the same in every run.
double noise(int step, int rank, double most)
{
    std::mt19937 random(static_cast<unsigned>(step * 131 + rank));
    return std::uniform_real_distribution<double>(0, most)(random);
}

struct StragglersCase
{
    const char* name;
    Training training;
    const char* named; ///< "": nobody.
};

std::vector<StragglersCase> cases()
{
    return {
        {"200 ms in one rank's backward",
         {.arrival = [](int step,
                        int rank) { return noise(step, rank, 0.02) + (rank == 2) * 0.2; }},
         "Rank 2 comes last to group default in 100 % of its rounds"},
        {"the same among two",
         {.ranks = 2,
          .arrival = [](int step,
                        int rank) { return noise(step, rank, 0.02) + (rank == 1) * 0.2; }},
         "Rank 1 comes last"},
        {"the same among eight, with seven buckets",
         {.ranks = 8,
          .buckets = 7,
          .arrival = [](int step,
                        int rank) { return noise(step, rank, 0.03) + (rank == 5) * 0.2; }},
         "Rank 5 comes last to group default in 100 % of its rounds"},
        {"late in two of three steps",
         {.arrival =
              [](int step, int rank) {
                  return noise(step, rank, 0.01) + (rank == 0 && step % 3 != 0) * 0.1;
              }},
         "Rank 0 comes last"},
        {"fast steps, for a second and a half",
         {.steps = 80,
          .period = 0.02,
          .arrival = [](int, int rank) { return (rank == 1) * 0.008; }},
         ""},
        {"fast steps, for eight seconds",
         {.steps = 400,
          .period = 0.02,
          .arrival =
              [](int step, int rank) {
                  return noise(step, rank, 0.002) + (rank == 1 && step % 6 != 0) * 0.008;
              }},
         "Rank 1 comes last"},
        {"late for three seconds and a half",
         {.ranks = 8,
          .steps = 135,
          .period = 0.1,
          .arrival = [](int step, int rank) { return (rank == 1 && step >= 100) * 0.05; }},
         ""},
        {"all about the same", {.arrival = [](int s, int r) { return noise(s, r, 0.03); }}, ""},
        {"two about the same",
         {.ranks = 2, .arrival = [](int s, int r) { return noise(s, r, 0.05); }},
         ""},
        {"uneven steps: another rank each time",
         {.arrival = [](int step, int rank) { return (step % 4 == rank) * 0.2; }},
         ""},
        {"an evaluation on rank 0 every tenth step",
         {.period = 3,
          .arrival =
              [](int step, int rank) {
                  return noise(step, rank, 0.01) + (rank == 0 && step % 10 == 0) * 2.0;
              }},
         ""},
        {"a checkpoint by rank 0 every twentieth step",
         {.period = 6,
          .arrival =
              [](int step, int rank) {
                  return noise(step, rank, 0.01) + (rank == 0 && step % 20 == 19) * 5.0;
              }},
         ""},
        {"rank 0 logs for a millisecond in each step",
         {.arrival = [](int step,
                        int rank) { return noise(step, rank, 0.0005) + (rank == 0) * 0.001; }},
         ""},
        {"late by less than a twentieth of the step",
         {.period = 4,
          .arrival = [](int step,
                        int rank) { return noise(step, rank, 0.01) + (rank == 1) * 0.1; }},
         ""},
        {"too few steps to tell",
         {.steps = 15, .arrival = [](int /*step*/, int rank) { return (rank == 1) * 0.2; }},
         ""},
        {"two late ones: half of the ranks wait for the other half",
         {.arrival = [](int step,
                        int rank) { return noise(step, rank, 0.02) + (rank >= 2) * 0.2; }},
         ""},
    };
}

} // namespace

/// Who is late again and again, by when each rank calls.
class tst_stragglers : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// A wire that is slow one way lets one of two go late, who then comes late again.
    void whoWasLetGoLateIsNoStraggler()
    {
        for (const double computes : {0.0, 0.05}) {
            Scenario scenario(2);
            StragglerWatch watch;
            QStringList named;
            double left = 0;
            for (int step = 0; step < 60; ++step) {
                const auto one = scenario.enter(0, left - 0.03, Scenario::Sum);
                const auto other = scenario.enter(1, left + computes, Scenario::Sum);
                scenario.leave(0, left + computes + 0.01, one);
                left += computes + 0.04;
                scenario.leave(1, left, other);
                named.clear();
                for (const VerdictCandidate& found : watch.look(scenario.views()))
                    named += QString::fromStdString(describe(found.verdict.statement));
            }
            QVERIFY2(named.isEmpty() == (computes == 0), qPrintable(named.join('\n')));
        }
    }

    void namesWhoIsLateAndNobodyElse_data()
    {
        QTest::addColumn<int>("index");
        const auto all = cases();
        for (size_t i = 0; i < all.size(); ++i)
            QTest::newRow(all[i].name) << static_cast<int>(i);
    }
    void namesWhoIsLateAndNobodyElse()
    {
        QFETCH(int, index);
        const StragglersCase one = cases()[static_cast<size_t>(index)];
        const QString named = namedIn(one.training);
        if (QLatin1String(one.named).isEmpty())
            QCOMPARE(named, QString());
        else
            QVERIFY2(named.startsWith(QLatin1String(one.named)) && !named.contains('\n'),
                     qPrintable(named));
    }

    void twentyRunsNameTheSameRank()
    {
        for (int run = 0; run < 20; ++run) {
            const QString named = namedIn({.arrival = [run](int step, int rank) {
                return noise(step + 1000 * run, rank, 0.06) + (rank == 3) * 0.2;
            }});
            QVERIFY2(named.startsWith("Rank 3 ") && !named.contains('\n'), qPrintable(named));
        }
    }

    void saysHowLateAndWhatItCosts()
    {
        const QString named =
            namedIn({.arrival = [](int /*step*/, int rank) { return (rank == 1) * 0.2; }});
        QCOMPARE(named, QString("Rank 1 comes last to group default in 100 % of its rounds, 200.0 "
                                "ms after the others, who lose 40 % of their time by it."));
    }

    void whoHadNoProcessorIsSaidToHaveHadNone_data()
    {
        QTest::addColumn<double>("own");
        QTest::addColumn<double>("others");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("it alone") << 0.4 << 0.05 << true;
        QTest::newRow("all alike: it is slow by itself") << 0.4 << 0.4 << false;
        QTest::newRow("less than it lost") << 0.1 << 0.0 << false;
        QTest::newRow("nobody") << 0.0 << 0.0 << false;
    }
    void whoHadNoProcessorIsSaidToHaveHadNone()
    {
        QFETCH(double, own);
        QFETCH(double, others);
        QFETCH(bool, isTold);
        Scenario scenario(3);
        for (int rank = 0; rank < 3; ++rank)
            scenario.process(rank).processorWait = rank == 1 ? own : others;
        StragglerWatch watch;
        std::vector<VerdictCandidate> found;
        for (int step = 0; step < 40; ++step) {
            const double begin = step * 0.5; // rank 1 costs the others 40 % of it
            std::vector<std::uint64_t> calls;
            for (int rank = 0; rank < 3; ++rank)
                calls.push_back(scenario.enter(rank, begin + (rank == 1) * 0.2, Scenario::Sum));
            for (int rank = 0; rank < 3; ++rank)
                scenario.leave(rank, begin + 0.21, calls[static_cast<size_t>(rank)]);
            found = watch.look(scenario.views());
        }
        QCOMPARE(found.size(), size_t{1});
        const Verdict& verdict = found.front().verdict;
        QCOMPARE(verdict.evidence.back().code == code::StragglerWithoutProcessor, isTold);
        QCOMPARE(verdict.remedy.code == code::RemedyStragglerProcessor, isTold);
    }

    void anotherHostsClockIsSetRight()
    {
        const auto late = [](int step, int rank) {
            return noise(step, rank, 0.01) + (rank == 2) * 0.2;
        };
        const RankClock ahead{.offsetNs = -7'300'000'000, .errorNs = 1'000'000};
        QVERIFY(namedIn({.arrival = late}, ahead).startsWith("Rank 2 "));
    }

    void withinTheClocksErrorNobodyIsNamed()
    {
        const auto late = [](int step, int rank) {
            return noise(step, rank, 0.01) + (rank == 1) * 0.1;
        };
        QVERIFY(namedIn({.arrival = late}, {.errorNs = 20'000'000}).startsWith("Rank 1 "));
        QCOMPARE(namedIn({.arrival = late}, {.errorNs = 150'000'000}), QString());
    }

    void theThirdToComeMayHaveBeenTheLast()
    {
        // Ranks 1 and 3 are on a host with a poor clock: by it they come at once with the others.
        const auto late = [](int step, int rank) {
            return noise(step, rank, 0.001) + (rank == 2) * 0.1;
        };
        const RankClock poor{.errorNs = 150'000'000, .host = "b"};
        QCOMPARE(namedIn({.arrival = late}, poor), QString());
        const RankClock good{.errorNs = 20'000'000, .host = "b"};
        QVERIFY(namedIn({.arrival = late}, good).startsWith("Rank 2 "));
    }

    void aNameIsWithdrawnWhenTheRankKeepsUp()
    {
        const auto late = [](int step, int rank) {
            return noise(step, rank, 0.01) + (rank == 1 && step < 40) * 0.2;
        };
        QVERIFY(!namedIn({.steps = 50, .arrival = late}).isEmpty());
        QCOMPARE(namedIn({.steps = 140, .arrival = late}), QString());
    }

    void oneLateArrivalAStepIsEnough()
    {
        const Scenario::Call fromFirst{.kind = ledger::OperationKind::Broadcast,
                                       .elements = 1,
                                       .reduction = ledger::Reduction::None,
                                       .peer = 0};
        Scenario scenario(3);
        StragglerWatch watch;
        std::vector<VerdictCandidate> found;
        for (int step = 0; step < 40; ++step) {
            const double begin = step * 0.3;
            scenario.together(begin, Scenario::Sum);
            scenario.together(begin + 0.02, {.elements = 50});
            std::vector<std::uint64_t> calls;
            for (int rank = 0; rank < 3; ++rank)
                calls.push_back(scenario.enter(rank, begin + 0.04 + (rank == 2) * 0.2, fromFirst));
            for (int rank = 0; rank < 3; ++rank)
                scenario.leave(rank, begin + 0.25, calls[static_cast<size_t>(rank)]);
            found = watch.look(scenario.views());
        }
        QCOMPARE(found.size(), size_t(1));
        QCOMPARE(found[0].verdict.guilty, std::vector<int>{2});
        QCOMPARE(found[0].verdict.statement.parameters.at("percent"), std::string("100"));
    }

    void whoTakeTurnsWithinAStepAreNotNamed()
    {
        Scenario scenario(2);
        StragglerWatch watch;
        for (int step = 0; step < 60; ++step) {
            for (int half = 0; half < 2; ++half) {
                const double begin = step * 0.5 + half * 0.2;
                const Scenario::Call call{.elements = half == 0 ? 10U : 20U};
                const auto early = scenario.enter(half, begin, call);
                const auto late = scenario.enter(1 - half, begin + 0.15 + half * 0.001, call);
                scenario.leave(half, begin + 0.16, early);
                scenario.leave(1 - half, begin + 0.16, late);
            }
            QVERIFY(watch.look(scenario.views()).empty());
        }
    }

    void lateForABroadcastIsLateWhereTheRootWaits()
    {
        const Scenario::Call fromFirst{.kind = ledger::OperationKind::Broadcast,
                                       .reduction = ledger::Reduction::None,
                                       .peer = 0};
        for (const bool rootWaits : {true, false}) {
            Scenario scenario(2);
            for (int step = 0; step < 40; ++step) {
                const double begin = step * 0.5;
                const auto root = scenario.enter(0, begin, fromFirst);
                const auto late = scenario.enter(1, begin + 0.2, fromFirst);
                scenario.leave(0, begin + (rootWaits ? 0.21 : 0.001), root);
                scenario.leave(1, begin + 0.21, late);
            }
            QCOMPARE(StragglerWatch().look(scenario.views()).empty(), !rootWaits);
        }
    }

    void aMemberThatIsNotRecordedLeavesItOpen()
    {
        Scenario scenario(2);
        scenario.view(1).isRecorded = false;
        for (int step = 0; step < 40; ++step)
            scenario.together(step, Scenario::Sum);
        QVERIFY(StragglerWatch().look(scenario.views()).empty());
    }
};

QTEST_GUILESS_MAIN(tst_stragglers)
#include "tst_stragglers.moc"
