#include "engine/base/Codes.h"
#include "engine/node/Codes.h"
#include "engine/node/SweepReports.h"

#include <QtTest>

using namespace ringmaster;

namespace {

SweepRequest request()
{
    return {.collectives = {"all_reduce", "sendrecv"},
            .backends = {"gloo", "ring"},
            .smallest = 8,
            .largest = 16,
            .ranks = 4};
}

JobSpec job()
{
    return sweepJob(request(), {.program = "/bin/ringmaster-sweep"});
}

HookReport report(const char* kind, std::map<std::string, std::string> facts)
{
    return {.part = "sweep", .kind = kind, .rank = 0, .pid = 1, .facts = std::move(facts)};
}

HookReport row(int index, const std::map<std::string, std::string>& other = {})
{
    std::map<std::string, std::string> facts{{"index", std::to_string(index)},
                                             {"device", "cpu"},
                                             {"bytes", "8"},
                                             {"count", "2"},
                                             {"algorithm", "tree"},
                                             {"iterations", "20"},
                                             {"time_ns", "4000"},
                                             {"min_ns", "3000"},
                                             {"p50_ns", "3900"},
                                             {"p99_ns", "9000"},
                                             {"wrong", "0"}};
    for (const auto& [name, value] : other)
        facts[name] = value;
    return report("row", std::move(facts));
}

} // namespace

/// What becomes of what a sweep's worker says.
class tst_sweep_reports : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rowsAreThePlansWithTheWorkersFigures()
    {
        SweepReports reports(job());
        reports.attemptStarted(2, 4);
        const auto planned = reports.heard(report("plan", {{"backends", "ring"}}));
        QVERIFY(planned.has_value());
        const auto plan = std::get<SweepPlan>(*planned);
        QCOMPARE(plan.backends, std::vector<std::string>{"ring"});
        QCOMPARE(plan.rows(), std::uint64_t{4});
        QCOMPARE(plan.attempt, 2);

        const auto first = std::get<SweepRow>(reports.heard(row(0)).value());
        QCOMPARE(first.collective, std::string("all_reduce"));
        QCOMPARE(first.backend, std::string("ring"));
        QCOMPARE(first.reduction, std::string("sum"));
        QCOMPARE(first.wantedBytes, std::int64_t{8});
        QCOMPARE(first.algorithmBandwidth, 2e6);
        QCOMPARE(first.busBandwidth, 3e6); // 2 (n - 1) / n
        QVERIFY(reports.heard(row(1)).has_value());
        const auto third = std::get<SweepRow>(reports.heard(row(2)).value());
        QCOMPARE(third.collective, std::string("sendrecv"));
        QCOMPARE(third.busBandwidth, 2e6);
        QVERIFY(third.reduction.empty());
        QVERIFY(reports.heard(row(3)).has_value());
        QVERIFY(!reports.heard(row(4)).has_value());
    }

    void onSeveralHostsAllTheirWorkersCount()
    {
        SweepReports reports(job());
        reports.attemptStarted(0, 8);
        const auto plan =
            std::get<SweepPlan>(reports.heard(report("plan", {{"backends", "gloo"}})).value());
        QCOMPARE(plan.ranks, 8);
        QCOMPARE(plan.hosts, 2);
        const auto first = std::get<SweepRow>(reports.heard(row(0)).value());
        QCOMPARE(first.ranks, 8);
        QCOMPARE(first.busBandwidth, 2e6 * 2 * 7 / 8);
    }

    void aRefusedRowHasItsReasonAndTheNextOneFollows()
    {
        SweepReports reports(job());
        (void)reports.heard(report("plan", {{"backends", "gloo,ring"}}));
        const auto refused = reports.heard(report("row", {{"index", "0"},
                                                          {"device", "cpu"},
                                                          {"bytes", "8"},
                                                          {"count", "2"},
                                                          {"problem", "gloo has no such type"}}));
        const auto problem = std::get<SweepRow>(refused.value());
        QVERIFY(!problem.isMeasured());
        QVERIFY(problem.problem.code == code::SweepRowRefused);
        QCOMPARE(problem.timeNs, std::int64_t{0});
        QVERIFY(reports.heard(row(1)).has_value());
    }

    void aBackendThatIsLeftOutIsANotice()
    {
        SweepReports reports(job());
        const auto told = reports.heard(report("left_out", {{"backend", "nccl"}, {"reason", "x"}}));
        QVERIFY(std::get<Notice>(told.value()).message.code == code::SweepBackendLeftOut);
    }

    void nothingIsBelieved_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("value");
        QTest::newRow("another index") << "index"
                                       << "3";
        QTest::newRow("no number") << "time_ns"
                                   << "fast";
        QTest::newRow("no time") << "time_ns"
                                 << "0";
        QTest::newRow("too large") << "bytes"
                                   << "9";
        QTest::newRow("negative") << "count"
                                  << "-1";
        QTest::newRow("percentiles in disorder") << "p50_ns"
                                                 << "10000";
        QTest::newRow("unknown algorithm") << "algorithm"
                                           << "magic";
        QTest::newRow("unknown device") << "device"
                                        << "abacus";
        QTest::newRow("overflow") << "p99_ns"
                                  << "99999999999999999999";
        QTest::newRow("wrong") << "wrong"
                               << "-2";
    }

    void nothingIsBelieved()
    {
        QFETCH(const QString, name);
        QFETCH(const QString, value);
        SweepReports reports(job());
        (void)reports.heard(report("plan", {{"backends", "gloo,ring"}}));
        QVERIFY(!reports.heard(row(0, {{name.toStdString(), value.toStdString()}})).has_value());
        QVERIFY(reports.heard(row(0)).has_value());
    }

    void nothingComesBeforeThePlanOrFromAnotherJob()
    {
        SweepReports reports(job());
        QVERIFY(!reports.heard(row(0)).has_value());
        QVERIFY(!reports.heard(report("plan", {{"backends", "mpi"}})).has_value());
        QVERIFY(reports.heard(report("plan", {{"backends", "gloo"}})).has_value());
        QVERIFY(!reports.heard(report("plan", {{"backends", "ring"}})).has_value());
        SweepReports other{JobSpec{}};
        QVERIFY(!other.heard(report("plan", {{"backends", "gloo"}})).has_value());
    }

    void aNewAttemptBeginsAnew()
    {
        SweepReports reports(job());
        (void)reports.heard(report("plan", {{"backends", "gloo"}}));
        (void)reports.heard(row(0));
        reports.attemptStarted(1, 4);
        QVERIFY(!reports.heard(row(1)).has_value());
        QVERIFY(reports.heard(report("plan", {{"backends", "gloo"}})).has_value());
        QCOMPARE(std::get<SweepRow>(reports.heard(row(0)).value()).attempt, 1);
    }
};

QTEST_GUILESS_MAIN(tst_sweep_reports)
#include "tst_sweep_reports.moc"
