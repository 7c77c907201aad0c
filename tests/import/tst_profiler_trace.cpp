#include "engine/base/Files.h"
#include "engine/diagnose/Bandwidth.h"
#include "engine/import/Codes.h"
#include "engine/import/ProfilerRun.h"
#include "tests/import/ImportSamples.h"

#include <QtTest>

using namespace ringmaster;
using ledger::OperationKind;

namespace {

ProfilerTrace glooTrace(int rank)
{
    auto trace = parseProfilerTrace(
        samples::sample("profile-gloo-215-rank" + std::to_string(rank) + ".json"));
    trace->file = "/traces/" + std::to_string(rank) + ".json";
    return *trace;
}

} // namespace

class tst_profiler_trace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void glooCallsAreThoseOfTheCallersWithTheTimesOfItsThreads()
    {
        const ProfilerTrace trace = glooTrace(1);
        QCOMPARE(trace.rank, 1);
        QCOMPARE(trace.worldSize, 2);
        QVERIFY(!trace.areNumbered);
        QCOMPARE(trace.operations.size(), size_t{18}); // 15 collectives, 3 receives
        const Operation& first = trace.operations.front();
        QVERIFY(first.kind == OperationKind::AllReduce);
        QVERIFY(first.type == ledger::DataType::Float32);
        QCOMPARE(first.elements, std::uint64_t{65536});
        QVERIFY(first.enqueuedNs > 1'790'857'026'000'000'000);
        QVERIFY(first.startedNs >= first.enqueuedNs && first.endedNs > first.startedNs);
    }

    void theRanksAreOneRun()
    {
        const auto run = runOf({glooTrace(1), glooTrace(0)});
        QVERIFY(run);
        QCOMPARE(run->operations.size(), size_t{2});
        QCOMPARE(run->operations[0].rank, 0);
        QVERIFY(run->operations[0].groups.at(0).members == (std::vector{0, 1}));
        QCOMPARE(run->operations[0].operations.front().number, std::uint64_t{1});
        QVERIFY(run->end.state == RunState::Lost);
    }

    void ncclOperationsHaveTheirGroupNumberAndKernel()
    {
        const auto trace = parseProfilerTrace(
            readFile(RINGMASTER_SOURCE_DIR "/tests/fuzz/seeds/fuzz_profiler_trace/nccl.json")
                .value());
        QVERIFY(trace);
        QVERIFY(trace->areNumbered);
        QCOMPARE(trace->rank, 1);
        const Operation& operation = trace->operations.at(0);
        QVERIFY(operation.backend == ledger::Backend::Nccl);
        QCOMPARE(operation.number, std::uint64_t{4});
        QCOMPARE(operation.bytes, std::uint64_t{4000});
        QCOMPARE(operation.enqueuedNs, 1'790'857'026'000'010'500);
        QCOMPARE(operation.endedNs - operation.startedNs, 100'250);
        QVERIFY(trace->groups.at(0).members == (std::vector{0, 1}));
    }

    /// torch 2.11's kernels have groups and no numbers.
    void ncclKernelsWithoutNumbersAreCountedInTheirGroup()
    {
        std::vector<ProfilerTrace> traces;
        for (const int rank : {0, 1}) {
            traces.push_back(parseProfilerTrace(samples::sample("profile-nccl-211-rank" +
                                                                std::to_string(rank) + ".json"))
                                 .value());
            QVERIFY(traces.back().areNumbered && traces.back().areCounted);
            QCOMPARE(traces.back().rank, rank);
            QCOMPARE(traces.back().operations.size(), size_t{10});
            QCOMPARE(traces.back().operations.back().number, std::uint64_t{10});
        }
        QCOMPARE(traces[0].operations[1].endedNs - traces[0].operations[1].startedNs, 3'050'511);
        const auto run = runOf(traces);
        QVERIFY(run);
        QVERIFY(samples::isSaid(*run, code::ImportedTraceOrder));
        diagnose::BandwidthTable table;
        for (const OperationBatch& batch : run->operations) {
            table.described(batch.rank, batch.groups.at(0));
            for (const Operation& operation : batch.operations)
                table.add(batch.rank, operation);
        }
        const auto rows = table.rows();
        QCOMPARE(rows.size(), size_t{1});
        QCOMPARE(rows[0].count, std::uint64_t{10});
        // Each as long as on the rank that came last: the other's first waited for a second.
        QCOMPARE(rows[0].transferNs / 1'000'000, 29);
        traces[1].operations.erase(traces[1].operations.begin());
        const auto apart = runOf(traces);
        QVERIFY(apart);
        QVERIFY(samples::isSaid(*apart, code::ImportedTraceGroups));
        QVERIFY(apart->operations[0].groups.at(0).members.empty());
    }

    void ranksThatCalledDifferentThingsAreNotPutTogether()
    {
        ProfilerTrace other = glooTrace(1);
        other.operations.erase(other.operations.begin());
        const auto run = runOf({glooTrace(0), other});
        QVERIFY(run);
        QVERIFY(run->operations[0].groups.at(0).members.empty());
        QVERIFY(samples::isSaid(*run, code::ImportedTraceGroups));
    }

    void ofWhatIsNoOperationLittleIsKept_data()
    {
        QTest::addColumn<QString>("trace"); // %1: many values
        QTest::addColumn<bool>("isTaken");
        QTest::newRow("no member of a trace") << R"({"traceEvents": [], "other": [%1]})" << true;
        QTest::newRow("no event") << R"({"traceEvents": [%1]})" << true;
        QTest::newRow("about it")
            << R"({"traceEvents": [], "distributedInfo": {"pg_config": [%1]}})" << false;
        QTest::newRow("in an event") << R"({"traceEvents": [{"args": [%1]}]})" << false;
        QTest::newRow("no object") << "[%1]" << false;
    }

    void ofWhatIsNoOperationLittleIsKept()
    {
        QFETCH(QString, trace);
        QFETCH(bool, isTaken);
        const std::string text = trace.arg(QString("0,").repeated(300'000) + "0").toStdString();
        const auto parsed = parseProfilerTrace(text);
        QCOMPARE(parsed.has_value(), isTaken);
        if (!isTaken)
            QCOMPARE(parsed.error().parameters.at("reason"), std::string("it has too many values"));
    }

    void whatIsNoTraceIsRefused()
    {
        QVERIFY(parseProfilerTrace("").error().code == code::ImportDamaged);
        QVERIFY(parseProfilerTrace(R"({"schemaVersion": 1})").error().code == code::ImportDamaged);
        const std::string whole = samples::sample("profile-gloo-215-rank0.json");
        for (size_t length = 1; length < whole.size(); length += 997)
            QVERIFY(!parseProfilerTrace(whole.substr(0, length)));
        QVERIFY(runOf({glooTrace(0), glooTrace(0)}).error().code == code::ImportRankTwice);
        const auto empty = parseProfilerTrace(R"({"traceEvents": [{"ph": "X", "name": "mm"}]})");
        QVERIFY(empty && empty->operations.empty());
        ProfilerTrace nothing = *empty;
        nothing.rank = 0;
        QVERIFY(runOf({nothing}).error().code == code::ImportTraceEmpty);
    }
};

QTEST_GUILESS_MAIN(tst_profiler_trace)
#include "tst_profiler_trace.moc"
