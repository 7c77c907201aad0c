#include "engine/node/ExpectedBandwidth.h"
#include "tests/diagnose/Scenario.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::diagnose;
using ledger::Backend;
using ledger::OperationKind;

namespace {

constexpr std::uint64_t Mebibyte = 1U << 20U;

Calibration calibrated(const std::string& backend, double gigabytes,
                       std::vector<std::string> hosts = {"here"})
{
    Calibration calibration{
        .backend = backend, .hosts = std::move(hosts), .ranks = 2, .run = "2026-1"};
    calibration.points = {{"all_reduce", 1 << 16, gigabytes * 1e9 / 4},
                          {"all_reduce", 1 << 20, gigabytes * 1e9 / 2},
                          {"all_reduce", 1 << 24, gigabytes * 1e9},
                          {"no_such_operation", 1 << 24, 1e12}};
    return calibration;
}

Operation sumOf(std::uint64_t bytes, Backend backend)
{
    return {.kind = OperationKind::AllReduce, .backend = backend, .bytes = bytes};
}

/// Bytes a second; 0: nothing is promised.
double promised(const std::vector<WirePromise>& promises, const Operation& operation, int ranks,
                const std::vector<std::string>& hosts = {})
{
    const auto expected = promisedBandwidth(promises, operation, ranks, hosts);
    return expected ? expected->busBandwidth : 0;
}

/// All_reduces of 1 MiB by two ranks, of which the quickest tenth takes `milliseconds`.
std::vector<VerdictCandidate>
foundWith(double milliseconds, int operations = 60, Backend backend = Backend::Gloo,
          std::vector<WirePromise> promises = promisesOf({calibrated("gloo", 2)}),
          const std::vector<std::string>& machines = {"", ""})
{
    Scenario scenario(2);
    LinkMonitor watch;
    for (int rank = 0; rank < 2; ++rank)
        scenario.view(rank).machine = machines[static_cast<size_t>(rank)];
    std::vector<VerdictCandidate> found;
    const Scenario::Call call{.elements = Mebibyte / 4, .backend = backend};
    for (int i = 0; i < operations; ++i) {
        const double begin = i * 0.2;
        const double took = (i % 5 == 0 ? milliseconds : milliseconds * 3) / 1e3;
        const auto early = scenario.enter(0, begin, call);
        const auto late = scenario.enter(1, begin + 0.05, call);
        scenario.leave(0, begin + 0.05 + took, early);
        scenario.leave(1, begin + 0.05 + took, late);
        found = watch.look(scenario.views(), promises);
    }
    return found;
}

} // namespace

/// What a wire can, and when it does less.
class tst_expected_bandwidth : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachBackendHasItsOwnPromise()
    {
        const auto promises =
            promisesOf({calibrated("ring", 9), calibrated("gloo", 2), calibrated("nccl", 100)});
        QCOMPARE(promised(promises, sumOf(1 << 24, Backend::Gloo), 2), 2e9);
        QCOMPARE(promised(promises, sumOf(1 << 24, Backend::Ring), 2), 9e9);
        QCOMPARE(promised(promises, sumOf(1 << 24, Backend::Nccl), 2), 100e9);
        QCOMPARE(promised(promises, sumOf(1 << 24, Backend::Unknown), 2), 0.0);
        QCOMPARE(promised(promisesOf({calibrated("", 2), calibrated("new", 2)}),
                          sumOf(1 << 24, Backend::Other), 2),
                 0.0);
    }

    void eachPairOfHostsHasItsOwn()
    {
        const auto promises =
            promisesOf({calibrated("gloo", 8), calibrated("gloo", 2, {"here", "there"}),
                        calibrated("gloo", 1, {"elsewhere", "there"})});
        const Operation large = sumOf(1 << 24, Backend::Gloo);
        QCOMPARE(promised(promises, large, 2), 8e9);
        QCOMPARE(promised(promises, large, 2, {"here", "there"}), 2e9);
        QCOMPARE(promised(promises, large, 2, {"elsewhere", "there"}), 1e9);
        QCOMPARE(promised(promises, large, 2, {"elsewhere", "here"}), 0.0);
        QCOMPARE(promised(promises, large, 4, {"here", "there"}), 0.0);
        // A network carries what is larger as well; a processor's cache doesn't hold it.
        QCOMPARE(promised(promises, sumOf(1 << 26, Backend::Gloo), 2, {"here", "there"}), 2e9);
        QCOMPARE(promised(promises, sumOf(1 << 26, Backend::Gloo), 2), 0.0);
        QCOMPARE(promised(promises, sumOf(1 << 10, Backend::Gloo), 2, {"here", "there"}), 0.0);
    }

    void betweenTwoSizesItIsBetween()
    {
        const auto promises = promisesOf({calibrated("gloo", 2)});
        const auto of = [&](std::uint64_t bytes) {
            return promised(promises, sumOf(bytes, Backend::Gloo), 2);
        };
        QCOMPARE(of(Mebibyte), 1e9);
        QCOMPARE(of(4 * Mebibyte), 1.5e9);
        QCOMPARE(of(100), 0.0);
        QCOMPARE(of(64 * Mebibyte), 0.0);
        Operation broadcast = sumOf(Mebibyte, Backend::Gloo);
        broadcast.kind = OperationKind::Broadcast;
        QCOMPARE(promised(promises, broadcast, 2), 0.0);
        QCOMPARE(promised(promises, sumOf(Mebibyte, Backend::Gloo), 4), 0.0);
    }

    void whatFsdpCallsIsPromised()
    {
        Calibration calibration = calibrated("gloo", 2);
        for (Calibration::Point& point : calibration.points)
            point.collective = point.bytes == 1 << 24 ? "reduce_scatter" : "all_gather";
        const auto promises = promisesOf({calibration});
        Operation gather = sumOf(Mebibyte, Backend::Gloo);
        gather.kind = OperationKind::AllGatherIntoTensor;
        QCOMPARE(promised(promises, gather, 2), 1e9);
        Operation scatter = sumOf(1 << 24, Backend::Gloo);
        scatter.kind = OperationKind::ReduceScatterTensor;
        QVERIFY(promised(promises, scatter, 2) > 0);
        QCOMPARE(promised(promises, sumOf(Mebibyte, Backend::Gloo), 2), 0.0);
    }

    void aPairBelowThePromiseIsNamed()
    {
        const auto found = foundWith(4); // 0.26 of 1 GB/s
        QCOMPARE(found.size(), size_t(1));
        QVERIFY(found[0].verdict.isSure && found[0].verdict.kind == Verdict::Kind::SlowWire);
        QCOMPARE(
            describe(found[0].verdict.statement),
            std::string("all_reduce between ranks 0 and 1 moves 0.26 GB/s at best, 26 % of what "
                        "the calibration promised (1.00 GB/s)."));
    }

    void aPairOfHostsIsJudgedByItsOwnCalibration()
    {
        const auto pair = promisesOf({calibrated("gloo", 2, {"lab1", "lab2"})});
        const auto found = foundWith(4, 60, Backend::Gloo, pair, {"lab2", "lab1"});
        QCOMPARE(found.size(), size_t(1));
        const Verdict& verdict = found[0].verdict;
        QVERIFY(verdict.isSure);
        QCOMPARE(describe(verdict.statement),
                 std::string("all_reduce between lab1 and lab2 (ranks 0 and 1) moves 0.26 GB/s at "
                             "best, 26 % of what the calibration of these two promised (1.00 "
                             "GB/s)."));
        QCOMPARE(verdict.evidence.size(), size_t(1));
        QVERIFY(describe(verdict.evidence[0])
                    .find("took 4.0 ms; as calibrated in run 2026-1 it takes 1.0 ms") !=
                std::string::npos);
        QVERIFY(describe(verdict.remedy).find("calibrate --hosts lab1,lab2") != std::string::npos);
        QVERIFY(foundWith(1.2, 60, Backend::Gloo, pair, {"lab1", "lab2"}).empty());
        // Of another pair, or of this machine, it says nothing.
        QVERIFY(foundWith(4, 60, Backend::Gloo, pair, {"lab1", "lab3"}).empty());
        QVERIFY(foundWith(4, 60, Backend::Gloo, pair, {"lab1", "lab1"}).empty());
        const auto own = promisesOf({calibrated("gloo", 2)});
        QVERIFY(foundWith(4, 60, Backend::Gloo, own, {"lab1", "lab2"}).empty());
        QVERIFY(foundWith(4, 60, Backend::Gloo, own, {"lab1", "lab1"}).empty());
        QCOMPARE(foundWith(4, 60, Backend::Gloo, own, {"localhost", "localhost"}).size(),
                 size_t(1));
    }

    void ofMoreHostsOneOfTheirWaysIsSlow_data()
    {
        QTest::addColumn<double>("milliseconds");
        QTest::addColumn<bool>("knowsAllPairs");
        QTest::addColumn<bool>("isNamed");
        QTest::newRow("a fifth") << 6.5 << true << true;
        QTest::newRow("half: a ring of three has more steps than a pair's") << 2.6 << true << false;
        QTest::newRow("a pair was never measured") << 6.5 << false << false;
    }

    void ofMoreHostsOneOfTheirWaysIsSlow()
    {
        QFETCH(const double, milliseconds);
        QFETCH(const bool, knowsAllPairs);
        QFETCH(const bool, isNamed);
        std::vector<Calibration> pairs{calibrated("gloo", 2, {"lab1", "lab2"}),
                                       calibrated("gloo", 4, {"lab1", "lab3"})};
        if (knowsAllPairs)
            pairs.push_back(calibrated("gloo", 4, {"lab2", "lab3"}));
        Scenario scenario(3);
        for (int rank = 0; rank < 3; ++rank)
            scenario.view(rank).machine = "lab" + std::to_string(rank + 1);
        LinkMonitor watch;
        std::vector<VerdictCandidate> found;
        for (int i = 0; i < 60; ++i) {
            std::vector<std::uint64_t> calls;
            for (int rank = 0; rank < 3; ++rank)
                calls.push_back(scenario.enter(rank, i * 0.2, {.elements = Mebibyte / 4}));
            for (int rank = 0; rank < 3; ++rank)
                scenario.leave(rank, i * 0.2 + milliseconds / 1e3,
                               calls[static_cast<size_t>(rank)]);
            found = watch.look(scenario.views(), promisesOf(pairs));
        }
        QCOMPARE(found.size(), isNamed ? size_t(1) : size_t(0));
        if (!isNamed)
            return;
        QVERIFY(!found[0].verdict.isSure);
        const std::string said = describe(found[0].verdict.statement);
        QVERIFY2(said.starts_with("One of the ways between lab1,lab2,lab3 is slow"), said.c_str());
    }

    void waitingForALateRankIsNoSlowness() { QVERIFY(foundWith(1.2).empty()); }
    void aFewOperationsSayNothing() { QVERIFY(foundWith(4, 20).empty()); }
    void anotherBackendThanTheCalibratedOneSaysNothing()
    {
        QVERIFY(foundWith(4, 60, Backend::Ring).empty());
        QVERIFY(foundWith(4, 60, Backend::Unknown).empty());
    }
    void withoutACalibrationNothingIsSaid()
    {
        QVERIFY(foundWith(4, 60, Backend::Gloo, {}).empty());
    }
};

QTEST_GUILESS_MAIN(tst_expected_bandwidth)
#include "tst_expected_bandwidth.moc"
