#include "engine/control/LocalCluster.h"
#include "engine/control/OperationReading.h"
#include "engine/control/OperationTally.h"
#include "engine/diagnose/OperationAggregator.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/record/Codes.h"
#include "engine/record/RunFileWriter.h"
#include "engine/record/RunFolder.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <future>

using namespace ringmaster;
using ledger::OperationKind;

namespace {

constexpr int Ranks = 4;

/// Rank 3 is 40 ms late to each; the wire needs 10 ms for 1 MB.
Operation operationOf(int rank, std::uint64_t number, std::int64_t endedNs)
{
    return {.kind = OperationKind::AllReduce,
            .type = ledger::DataType::Float32,
            .outcome = Operation::Outcome::Done,
            .number = number,
            .bytes = 1'000'000,
            .enqueuedNs = endedNs - (rank == 3 ? 10 : 50) * Millisecond,
            .startedNs = 0,
            .endedNs = endedNs};
}

/// One operation every `everyNs`.
OperationBatch batchOf(int attempt, int rank, std::uint64_t first, std::uint64_t last,
                       std::int64_t everyNs = Second)
{
    OperationBatch batch{.attempt = attempt, .rank = rank};
    batch.groups.push_back({.group = 0, .name = "0", .members = {0, 1, 2, 3}});
    for (std::uint64_t number = first; number <= last; ++number)
        batch.operations.push_back(
            operationOf(rank, number, static_cast<std::int64_t>(number) * everyNs));
    return batch;
}

} // namespace

/// What a run's recorded operations amount to, from its file to the Cluster's answer.
class tst_operation_summary : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    /// What was folded after the folds were read stands in neither.
    void whatIsFoldedWhileItIsReadIsReadAnew()
    {
        OperationPart part{.foldedBefore = 2, .folds = RunFileReader::Folded{.beforeNs = 1}};
        OperationReading reading;
        QVERIFY(!reading.take(part));
        QVERIFY(reading.isNew());
        part.folds->beforeNs = 2;
        QVERIFY(!reading.take(part));
        QVERIFY(!reading.isNew());
    }

    void theSeriesHasTheWiresTimeNotTheWait()
    {
        OperationTally tally;
        for (int rank = 0; rank < Ranks; ++rank)
            tally.add(batchOf(0, rank, 1, 5));
        const OperationSummary summary = tally.summary();
        QCOMPARE(summary.series.size(), size_t(1));
        QCOMPARE(summary.series[0].points.size(), size_t(5));
        const OperationSummary::Point& point = summary.series[0].points[2];
        QCOMPARE(point.fromNs, 3 * Second);
        QCOMPARE(point.count, std::uint64_t(1));
        QCOMPARE(point.transferNs, 10 * Millisecond);
        QCOMPARE(point.busBandwidth(), 1.5e8);
        QCOMPARE(summary.rows[0].busBandwidth(), point.busBandwidth());
    }

    void aSendThatOnlyHandsItsDataOverHasNoBandwidth_data()
    {
        QTest::addColumn<ledger::Backend>("backend");
        QTest::addColumn<bool>("isTold");
        QTest::newRow("gloo") << ledger::Backend::Gloo << false;
        QTest::newRow("nccl") << ledger::Backend::Nccl << true;
    }
    void aSendThatOnlyHandsItsDataOverHasNoBandwidth()
    {
        QFETCH(ledger::Backend, backend);
        QFETCH(bool, isTold);
        OperationTally tally;
        OperationBatch batch{.rank = 0};
        batch.groups.push_back({.group = 0, .name = "0", .members = {0, 1}});
        Operation send = operationOf(0, 1, Second);
        send.kind = OperationKind::Send;
        send.backend = backend;
        send.peer = 1;
        batch.operations.push_back(send);
        tally.add(batch);
        const OperationSummary summary = tally.summary();
        const OperationSummary::Point& point = summary.series.at(0).points.at(0);
        QCOMPARE(point.count, std::uint64_t(1));
        QCOMPARE(point.bytes, 1e6);
        QCOMPARE(point.busBandwidth() > 0, isTold);
        QCOMPARE(summary.rows.at(0).busBandwidth() > 0, isTold);
    }

    void aLongRunsSpansBecomeLongerAndNothingIsLost()
    {
        OperationTally tally;
        for (int rank = 0; rank < Ranks; ++rank)
            tally.add(batchOf(0, rank, 1, 3'600));
        const OperationSummary summary = tally.summary();
        const auto& points = summary.series[0].points;
        QVERIFY(points.size() <= size_t(OperationTally::MostSpans));
        QVERIFY(points.size() > size_t(OperationTally::MostSpans) / 3);
        std::uint64_t count = 0;
        double bytes = 0;
        for (const OperationSummary::Point& point : points) {
            count += point.count;
            bytes += point.bytes;
            QCOMPARE(point.fromNs % summary.spanNs, std::int64_t(0));
        }
        QCOMPARE(count, std::uint64_t(3'600));
        QCOMPARE(bytes, 3.6e9);
    }

    void timesOfAnyKindKeepItBounded()
    {
        OperationTally tally;
        OperationBatch batch{.attempt = 0, .rank = 0};
        batch.groups.push_back({.group = 0, .name = "0", .members = {0}});
        for (const std::int64_t ended : {std::numeric_limits<std::int64_t>::max(), Second})
            batch.operations.push_back(operationOf(0, static_cast<std::uint64_t>(ended), ended));
        tally.add(batch);
        QCOMPARE(tally.summary().series[0].points.size(), size_t(2));
    }

    void onlyTheLatestAttemptCounts()
    {
        OperationTally tally;
        tally.add(batchOf(0, 0, 1, 5));
        tally.add(batchOf(1, 0, 1, 2));
        tally.add(batchOf(0, 1, 1, 5));
        QCOMPARE(tally.summary().attempt, 1);
        QCOMPARE(tally.summary().operations, std::uint64_t(2));
    }

    void theSeriesKeepsEachAttempt()
    {
        OperationTally tally;
        for (int rank = 0; rank < Ranks; ++rank)
            tally.add(batchOf(0, rank, 1, 20));
        for (int rank = 0; rank < Ranks; ++rank)
            tally.add(batchOf(1, rank, 31, 40));
        const OperationSummary whole = tally.summary();
        QCOMPARE(whole.attempt, 1);
        QCOMPARE(whole.rows[0].count, std::uint64_t(10));
        const auto& points = whole.series[0].points;
        QCOMPARE(points.size(), size_t(30));
        QCOMPARE(points.front().fromNs, Second);
        QCOMPARE(points[19].fromNs, 20 * Second);
        QCOMPARE(points[20].fromNs, 31 * Second);
    }

    void aSpanOverARestartHasBothAttempts()
    {
        OperationTally tally;
        for (int attempt = 0; attempt < 2; ++attempt) {
            for (int rank = 0; rank < Ranks; ++rank)
                tally.add(batchOf(attempt, rank, attempt == 0 ? 1 : 31, attempt == 0 ? 20 : 40));
        }
        const OperationSummary part = tally.summary({{11 * Second, 36 * Second}});
        QCOMPARE(part.rows[0].count, std::uint64_t(15));
        QCOMPARE(part.wallNs, 25 * Second);
        QCOMPARE(tally.summary({{1 * Second, 6 * Second}}).rows.at(0).count, std::uint64_t(5));
        QVERIFY(tally.summary({{22 * Second, 29 * Second}}).rows.empty());
    }

    void tellsWhoCameLastToEachOperation()
    {
        OperationTally tally;
        for (int rank = 0; rank < Ranks; ++rank)
            tally.add(batchOf(0, rank, 1, 100));
        const OperationSummary summary = tally.summary();
        QCOMPARE(summary.collectives.size(), size_t(1));
        const auto& collectives = summary.collectives[0].collectives;
        QCOMPARE(collectives.size(), ArrivalTally::Kept);
        QCOMPARE(collectives.back().number, std::uint64_t(100));
        QCOMPARE(collectives.front().number, std::uint64_t(37));
        for (const OperationSummary::Collective& collective : collectives) {
            QCOMPARE(collective.arrivals.size(), size_t(Ranks));
            QCOMPARE(collective.last().rank, 3);
            QCOMPARE(collective.skewNs(), 40 * Millisecond);
        }
    }

    void anOperationThatARankHasNotToldOfIsLeftOut()
    {
        OperationTally tally;
        for (int rank = 0; rank < Ranks; ++rank)
            tally.add(batchOf(0, rank, 1, rank == 2 ? 4U : 5U));
        QCOMPARE(tally.summary().collectives[0].collectives.size(), size_t(4));
        tally.add(batchOf(0, 2, 5, 5));
        QCOMPARE(tally.summary().collectives[0].collectives.size(), size_t(5));
    }

    void groupsThatAreMadeAnewAllTheTimeAreBounded()
    {
        OperationTally tally;
        for (int group = 0; group < 1000; ++group) {
            for (int rank = 0; rank < 2; ++rank) {
                OperationBatch batch = batchOf(0, rank, 1, 1, (group + 1) * Second);
                batch.groups = {{.group = 0, .name = std::to_string(group), .members = {0, 1}}};
                tally.add(batch);
            }
        }
        const auto collectives = tally.summary().collectives;
        QCOMPARE(collectives.size(), ArrivalTally::MostGroups);
        QCOMPARE(collectives.front().group.name, std::string("999"));
    }

    void tellsWhereEachRankStands()
    {
        OperationTally tally;
        OperationBatch batch = batchOf(0, 1, 1, 3);
        for (std::uint64_t id = 0; id < batch.operations.size(); ++id)
            batch.operations[id].id = id;
        Operation running = operationOf(1, 4, 0);
        running.id = 9;
        running.outcome = Operation::Outcome::Running;
        running.enqueuedNs = 7 * Second;
        batch.operations.insert(batch.operations.begin() + 1, running);
        tally.add(batch);
        const OperationSummary::Place inside = tally.summary().places.at(0);
        QCOMPARE(inside.rank, 1);
        QCOMPARE(inside.number, std::uint64_t(4));
        QVERIFY(inside.isInside);
        QCOMPARE(inside.sinceNs, 7 * Second);
        QCOMPARE(tally.summary().rows.at(0).count, std::uint64_t(3));
        running.outcome = Operation::Outcome::Done;
        running.endedNs = 8 * Second;
        batch.operations = {running};
        tally.add(batch);
        QVERIFY(!tally.summary().places.at(0).isInside);
        QCOMPARE(tally.summary().places.at(0).sinceNs, 8 * Second);
        QCOMPARE(tally.summary().rows.at(0).count, std::uint64_t(4));
    }

    void readsAFileWhileItGrows()
    {
        QTemporaryDir folder;
        const std::filesystem::path runs = folder.path().toStdString();
        const RunFolder run =
            RunFolder::create(runs, "train", AgentRecord::current("/x"), SystemClock().now())
                .value();
        const auto writer = RunFileWriter::open(run.runFile(), {.run = run.id()}).value();
        LocalCluster cluster({.runs = runs});
        QCOMPARE(ask(cluster, run.id()).value().attempt, -1);
        for (int rank = 0; rank < Ranks; ++rank)
            append(*writer, batchOf(0, rank, 1, 10));
        QVERIFY(writer->flush().has_value());
        QCOMPARE(ask(cluster, run.id()).value().rows.at(0).count, std::uint64_t(10));
        QCOMPARE(ask(cluster, run.id()).value().operations, std::uint64_t(40));
        for (int rank = 0; rank < Ranks; ++rank)
            append(*writer, batchOf(0, rank, 11, 15));
        writer->appendOperations({.attempt = 0, .globalRank = 0, .count = 7, .block = "no block"});
        QVERIFY(writer->finish().has_value());
        const OperationSummary last = ask(cluster, run.id()).value();
        QCOMPARE(last.rows.at(0).count, std::uint64_t(15));
        QCOMPARE(last.damaged, std::uint64_t(1));
        QVERIFY(!last.isMore);
    }

    void whatIsFoldedCountsAsMuch()
    {
        diagnose::OperationAggregator folder;
        OperationTally exact;
        OperationTally folded;
        folded.setFoldedBefore(100 * Second);
        std::vector<OperationBatch> batches;
        for (int rank = 0; rank < Ranks; ++rank)
            batches.push_back(batchOf(0, rank, 1, 200));
        for (const OperationBatch& batch : batches) {
            folder.add(batch);
            exact.add(batch);
        }
        for (const OperationFold& fold : folder.takeAll()) {
            if (fold.untilNs <= 100 * Second)
                folded.add(fold);
        }
        for (const OperationBatch& batch : batches)
            folded.add(batch);
        const OperationSummary whole = exact.summary();
        const OperationSummary sums = folded.summary();
        QCOMPARE(sums.operations, whole.operations);
        QCOMPARE(sums.rows.at(0).count, whole.rows.at(0).count);
        QCOMPARE(sums.rows.at(0).transferNs, whole.rows.at(0).transferNs);
        QVERIFY(sums.foldedNs > 99 * Second && whole.foldedNs == 0);
        const auto count = [](const OperationSummary& summary) {
            std::uint64_t sum = 0;
            for (const OperationSummary::Point& point : summary.series.at(0).points)
                sum += point.count;
            return sum;
        };
        QCOMPARE(count(sums), count(whole));
        // Later attempts have their own.
        folded.add(batchOf(1, 0, 300, 301));
        QCOMPARE(folded.summary().operations, std::uint64_t(2));
    }

    void aSpanHasItsOwnFigures()
    {
        OperationTally tally;
        for (int rank = 0; rank < Ranks; ++rank)
            tally.add(batchOf(0, rank, 1, 200));
        const OperationSummary part = tally.summary({{20 * Second + 1, 30 * Second}});
        QCOMPARE(part.range->fromNs, 20 * Second);
        QCOMPARE(part.range->untilNs, 30 * Second);
        QCOMPARE(part.rows.size(), size_t(1));
        QCOMPARE(part.rows[0].count, std::uint64_t(10));
        QCOMPARE(part.rows[0].transferNs, 100 * Millisecond);
        QCOMPARE(part.wallNs, 10 * Second);
        QCOMPARE(part.foldedNs, std::int64_t(0));
        QVERIFY(std::abs(part.rows[0].share - 0.04) < 1e-9);
        QCOMPARE(part.series[0].points.size(), tally.summary().series[0].points.size());
        QVERIFY(tally.summary({{500 * Second, 600 * Second}}).rows.empty());
        QVERIFY(!tally.summary().range);
    }

    void aSpanIsExactWhenTheSpansHaveBecomeLonger()
    {
        OperationTally tally;
        for (int rank = 0; rank < Ranks; ++rank)
            tally.add(batchOf(0, rank, 1, 3'600));
        const OperationSummary part = tally.summary({{1'000 * Second, 1'001 * Second}});
        const std::int64_t length = part.range->untilNs - part.range->fromNs;
        QCOMPARE(length, part.spanNs);
        QCOMPARE(part.rows[0].count, static_cast<std::uint64_t>(length / Second));
    }

    void aSpanOfSumsIsWidenedToTheirs()
    {
        diagnose::OperationAggregator folder;
        OperationTally tally;
        tally.setFoldedBefore(100 * Second);
        for (int rank = 0; rank < Ranks; ++rank)
            folder.add(batchOf(0, rank, 1, 200));
        for (const OperationFold& fold : folder.takeAll()) {
            if (fold.untilNs <= 100 * Second)
                tally.add(fold);
        }
        for (int rank = 0; rank < Ranks; ++rank)
            tally.add(batchOf(0, rank, 100, 200));
        const OperationSummary sums = tally.summary({{33 * Second, 34 * Second}});
        QCOMPARE(sums.range->fromNs, 30 * Second);
        QCOMPARE(sums.range->untilNs, 40 * Second);
        QCOMPARE(sums.rows.at(0).count, std::uint64_t(10));
        QCOMPARE(sums.foldedNs, 10 * Second);
        const OperationSummary both = tally.summary({{93 * Second, 105 * Second}});
        QCOMPARE(both.range->fromNs, 90 * Second);
        QCOMPARE(both.rows.at(0).count, std::uint64_t(15));
        QCOMPARE(both.foldedNs, 10 * Second);
    }

    void aLargeFileIsReadInParts()
    {
        QTemporaryDir folder;
        const std::filesystem::path runs = folder.path().toStdString();
        const RunFolder run =
            RunFolder::create(runs, "train", AgentRecord::current("/x"), SystemClock().now())
                .value();
        const auto writer = RunFileWriter::open(run.runFile(), {.run = run.id()}).value();
        for (std::uint64_t number = 1; number <= 200; ++number)
            append(*writer, batchOf(0, 0, number, number));
        QVERIFY(writer->finish().has_value());
        LocalCluster cluster({.runs = runs});
        int calls = 0;
        OperationSummary summary;
        do {
            const std::uint64_t before = summary.operations;
            summary = ask(cluster, run.id()).value();
            QVERIFY(!summary.isMore || summary.operations > before);
            ++calls;
        } while (summary.isMore);
        QCOMPARE(summary.operations, std::uint64_t(200));
        QVERIFY(calls > 1);
    }

    void aRunThatIsNotThereIsAnError()
    {
        QTemporaryDir folder;
        LocalCluster cluster({.runs = folder.path().toStdString()});
        QVERIFY(ask(cluster, "none").error().code == code::RunNotFound);
    }

private:
    static void append(RunFileWriter& writer, const OperationBatch& batch)
    {
        writer.appendOperations({.attempt = batch.attempt,
                                 .globalRank = batch.rank,
                                 .count = batch.operations.size(),
                                 .block = packOperations(batch)});
    }

    static Result<OperationSummary> ask(Cluster& cluster, const std::string& run)
    {
        std::promise<Result<OperationSummary>> promise;
        cluster.readOperations(run, {}, [&](Result<OperationSummary> result) {
            promise.set_value(std::move(result));
        });
        return promise.get_future().get();
    }
};

QTEST_GUILESS_MAIN(tst_operation_summary)
#include "tst_operation_summary.moc"
