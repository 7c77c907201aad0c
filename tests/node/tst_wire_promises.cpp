#include "engine/node/WirePromises.h"
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
    Calibration calibration{.backend = backend, .hosts = std::move(hosts), .ranks = 2};
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

/// All_reduces of 1 MiB by two ranks, of which the quickest tenth takes `milliseconds`.
std::vector<Found>
foundWith(double milliseconds, int operations = 60, Backend backend = Backend::Gloo,
          std::vector<WirePromise> promises = promisesOf({calibrated("gloo", 2)}))
{
    Scenario scenario(2);
    WireWatch watch;
    std::vector<Found> found;
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
class tst_WirePromises : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachBackendHasItsOwnPromise()
    {
        const auto promises =
            promisesOf({calibrated("ring", 9), calibrated("gloo", 2), calibrated("nccl", 100)});
        QCOMPARE(promisedBandwidth(promises, sumOf(1 << 24, Backend::Gloo), 2), 2e9);
        QCOMPARE(promisedBandwidth(promises, sumOf(1 << 24, Backend::Ring), 2), 9e9);
        QCOMPARE(promisedBandwidth(promises, sumOf(1 << 24, Backend::Nccl), 2), 100e9);
        QCOMPARE(promisedBandwidth(promises, sumOf(1 << 24, Backend::Unknown), 2), 0.0);
        QCOMPARE(promisedBandwidth(promisesOf({calibrated("", 2), calibrated("new", 2)}),
                                   sumOf(1 << 24, Backend::Other), 2),
                 0.0);
    }

    void betweenHostsIsAnotherMatter()
    {
        QVERIFY(promisesOf({calibrated("gloo", 2, {"here", "there"})}).empty());
    }

    void betweenTwoSizesItIsBetween()
    {
        const auto promises = promisesOf({calibrated("gloo", 2)});
        const auto of = [&](std::uint64_t bytes) {
            return promisedBandwidth(promises, sumOf(bytes, Backend::Gloo), 2);
        };
        QCOMPARE(of(Mebibyte), 1e9);
        QCOMPARE(of(4 * Mebibyte), 1.5e9);
        QCOMPARE(of(100), 0.0);
        QCOMPARE(of(64 * Mebibyte), 0.0);
        Operation broadcast = sumOf(Mebibyte, Backend::Gloo);
        broadcast.kind = OperationKind::Broadcast;
        QCOMPARE(promisedBandwidth(promises, broadcast, 2), 0.0);
        QCOMPARE(promisedBandwidth(promises, sumOf(Mebibyte, Backend::Gloo), 4), 0.0);
    }

    void aPairBelowThePromiseIsNamed()
    {
        const auto found = foundWith(4); // 0.26 of 1 GB/s
        QCOMPARE(found.size(), size_t(1));
        QVERIFY(found[0].verdict.isSure && found[0].verdict.kind == Verdict::Kind::SlowWire);
        QCOMPARE(describe(found[0].verdict.statement),
                 std::string("all_reduce between ranks 0,1 moves 0.26 GB/s at best, 26 % of what "
                             "the calibration promised (1.00 GB/s)."));
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

QTEST_GUILESS_MAIN(tst_WirePromises)
#include "tst_wire_promises.moc"
