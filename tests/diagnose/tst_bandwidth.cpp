#include "engine/diagnose/OperationAggregator.h"
#include "engine/ledger/Moments.h"
#include "tests/support/Nanoseconds.h"

#include <QtTest>

#include <random>

using namespace ringmaster;
using namespace ringmaster::diagnose;
using ledger::OperationKind;

namespace {

Operation operationOf(std::uint64_t number, std::int64_t from, std::int64_t milliseconds)
{
    return {.kind = OperationKind::AllReduce,
            .type = ledger::DataType::Float32,
            .outcome = Operation::Outcome::Done,
            .number = number,
            .bytes = 1'000'000,
            .enqueuedNs = from,
            .startedNs = from,
            .endedNs = from + milliseconds * Millisecond};
}

} // namespace

class tst_bandwidth : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void waitingForALateRankIsNoSlownessOfTheWire()
    {
        BandwidthTable table;
        for (int rank = 0; rank < 4; ++rank)
            table.described(rank, {0, "0", {0, 1, 2, 3}});
        for (std::uint64_t number = 1; number <= 10; ++number) {
            const auto from = static_cast<std::int64_t>(number) * 100 * Millisecond;
            for (int rank = 0; rank < 3; ++rank)
                table.add(rank, operationOf(number, from, 50));
            table.add(3, operationOf(number, from + 40 * Millisecond, 10));
        }
        const std::vector<BandwidthRow> rows = table.rows();
        QCOMPARE(rows.size(), size_t(1));
        QCOMPARE(rows[0].count, std::uint64_t(10));
        QVERIFY(rows[0].isWire);
        QCOMPARE(rows[0].transferNs, 100 * Millisecond);
        QCOMPARE(rows[0].feltNs, 400 * Millisecond);
        QCOMPARE(rows[0].algorithmBandwidth(), 1e8);
        QCOMPARE(rows[0].busBandwidth(), 1.5e8);
        QCOMPARE(rows[0].feltBandwidth(), 2.5e7);
        QCOMPARE(table.wallNs(), 950 * Millisecond);
        QVERIFY(qAbs(rows[0].share - 400.0 / 950) < 1e-9);
    }

    /// What comes before the backend's start and after its end is felt, too.
    void aCallersTimeIsMoreThanTheBackends()
    {
        BandwidthTable table;
        table.described(0, {0, "0", {0, 1}});
        table.described(1, {0, "0", {0, 1}});
        for (std::uint64_t number = 1; number <= 10; ++number) {
            Operation operation =
                operationOf(number, static_cast<std::int64_t>(number) * 100 * Millisecond, 50);
            operation.caller = ledger::Caller::Waits;
            operation.enqueuedNs -= 5 * Millisecond;
            operation.returnedNs = operation.endedNs + 15 * Millisecond;
            table.add(0, operation);
            operation.returnedNs += 10 * Millisecond;
            table.add(1, operation);
        }
        const BandwidthRow row = table.rows().at(0);
        QCOMPARE(row.transferNs, 500 * Millisecond);
        QCOMPARE(row.feltNs, 750 * Millisecond);
        QCOMPARE(row.coveredNs, 750 * Millisecond);
        QCOMPARE(table.wallNs(), 980 * Millisecond);
    }

    /// It computes between the call and the wait: the network isn't busy with that.
    void aCallerThatGoesOnCoversNoMoreThanTheBackend()
    {
        BandwidthTable table;
        table.described(0, {0, "0", {0, 1}});
        Operation operation = operationOf(1, 100 * Millisecond, 20);
        operation.caller = ledger::Caller::GoesOn;
        operation.returnedNs = operation.endedNs + 60 * Millisecond;
        table.add(0, operation);
        const BandwidthRow row = table.rows().at(0);
        QCOMPARE(row.feltNs, 80 * Millisecond);
        QCOMPARE(row.coveredNs, 20 * Millisecond);
        QCOMPARE(row.transferNs, 20 * Millisecond);
    }

    void whoNeverWaitsFeelsTheBackend()
    {
        Operation operation = operationOf(1, 100 * Millisecond, 20);
        operation.enqueuedNs -= 3 * Millisecond;
        QCOMPARE(feltOf(operation), 23 * Millisecond);
        QCOMPARE(durationOf(operation), 20 * Millisecond);
        // A GPU's queue is no time of the caller.
        operation.backend = ledger::Backend::Nccl;
        QCOMPARE(feltOf(operation), 20 * Millisecond);
        operation.returnedNs = operation.enqueuedNs - 1;
        QCOMPARE(feltOf(operation), std::int64_t(0));
    }

    /// Of four that are in flight together the time counts once.
    void theShareIsOfTheTimeInWhichOneWasInFlight()
    {
        BandwidthTable table;
        table.described(0, {0, "0", {0, 1}});
        table.described(1, {0, "0", {0, 1}});
        for (std::uint64_t number = 1; number <= 40; ++number) {
            const auto from = static_cast<std::int64_t>((number - 1) / 4 + 1) * 100 * Millisecond;
            for (int rank = 0; rank < 2; ++rank)
                table.add(rank, operationOf(number, from, 50));
        }
        const BandwidthRow row = table.rows().at(0);
        QCOMPARE(row.feltNs, 2000 * Millisecond);
        QCOMPARE(row.coveredNs, 500 * Millisecond);
        QVERIFY(qAbs(row.share - 500.0 / 950) < 1e-9);
    }

    /// As nccl's without a plugin, or where its moments are of no use.
    void whatNobodySawEndIsCountedAndNotTimed()
    {
        BandwidthTable table;
        OperationAggregator aggregator;
        OperationBatch batch{.groups = {{0, "0", {0, 1}}}};
        for (batch.rank = 0; batch.rank < 2; ++batch.rank) {
            table.described(batch.rank, batch.groups.front());
            batch.operations.clear();
            for (std::uint64_t number = 1; number <= 6; ++number) {
                Operation operation = operationOf(number, 100 * Millisecond, 20);
                if (number > 2)
                    operation.startedNs = operation.endedNs = 0;
                table.add(batch.rank, operation);
                batch.operations.push_back(operation);
            }
            aggregator.add(batch);
        }
        const auto folds = aggregator.takeAll();
        QCOMPARE(folds.size(), size_t(1));
        BandwidthTable folded;
        folded.add(folds[0]);
        for (const auto& rows : {table.rows(), folded.rows()}) {
            QCOMPARE(rows.size(), size_t(2));
            QVERIFY(rows[0].isTimed() && !rows[1].isTimed());
            QCOMPARE(rows[0].count, std::uint64_t(2));
            QCOMPARE(rows[0].transferNs, 40 * Millisecond);
            QCOMPARE(rows[1].count, std::uint64_t(4));
            QCOMPARE(rows[1].bytes, std::uint64_t(4'000'000));
            QVERIFY(!rows[1].isWire);
            QCOMPARE(rows[1].busBandwidth(), 0.0);
        }
    }

    void aSendThatReturnsEarlyTellsNoBandwidth()
    {
        BandwidthRow row{.kind = OperationKind::Send,
                         .backend = ledger::Backend::Gloo,
                         .count = 1,
                         .bytes = 1'000'000,
                         .transferNs = Millisecond,
                         .feltNs = Millisecond};
        QCOMPARE(row.algorithmBandwidth(), 0.0);
        QCOMPARE(row.busBandwidth(), 0.0);
        QCOMPARE(row.feltBandwidth(), 0.0);
        row.backend = ledger::Backend::Nccl;
        QCOMPARE(row.algorithmBandwidth(), 1e9);
        row.backend = ledger::Backend::Gloo;
        row.kind = OperationKind::Receive;
        QCOMPARE(row.feltBandwidth(), 1e9);
    }

    void keepsKindsTypesGroupsAndSizesApart()
    {
        BandwidthTable table;
        table.described(0, {0, "0", {0}});
        table.described(0, {1, "one", {0}});
        std::uint64_t number = 0;
        const auto add = [&](auto change) {
            Operation operation = operationOf(++number, Millisecond, 1);
            change(operation);
            table.add(0, operation);
        };
        add([](Operation&) {});
        add([](Operation&) {});
        add([](Operation& operation) { operation.kind = OperationKind::AllToAll; });
        add([](Operation& operation) { operation.type = ledger::DataType::Float16; });
        add([](Operation& operation) { operation.group = 1; });
        add([](Operation& operation) { operation.bytes *= 2; });
        add([](Operation& operation) { operation.bytes = 0; });
        add([](Operation& operation) { operation.backend = ledger::Backend::Ring; });
        add([](Operation& operation) {
            operation.backend = ledger::Backend::Ring;
            operation.algorithm = ledger::Algorithm::Tree;
        });
        add([](Operation& operation) { operation.outcome = Operation::Outcome::Failed; });
        add([](Operation& operation) { operation.endedNs = 0; });
        // The last, whose end nobody knows, is counted by itself.
        QCOMPARE(table.rows().size(), size_t(9));
        QCOMPARE(table.rows()[0].count, std::uint64_t(2));
        QVERIFY(!table.rows()[8].isTimed());
    }

    void aRankWhoseRecordsAreLostMakesNoWire()
    {
        BandwidthTable table;
        for (int rank = 0; rank < 2; ++rank)
            table.described(rank, {0, "0", {0, 1}});
        table.add(0, operationOf(1, Millisecond, 30));
        const std::vector<BandwidthRow> rows = table.rows();
        QCOMPARE(rows.size(), size_t(1));
        QVERIFY(!rows[0].isWire);
    }

    /// A worker may write anything into its ledger.
    void operationsOfATimeToComeFillNoMemory()
    {
        OperationAggregator folder;
        OperationBatch batch{.groups = {{0, "0", {0}}}};
        std::mt19937_64 random(1);
        for (std::uint64_t number = 1; number <= 5000; ++number) {
            batch.operations.push_back(operationOf(number, 1, 0));
            batch.operations.back().endedNs = static_cast<std::int64_t>(random() >> 4U);
        }
        batch.operations.back().endedNs = LatestNs;
        batch.operations.push_back(operationOf(5001, 1000 * Millisecond, 5));
        folder.add(batch);
        const std::vector<OperationFold> folds = folder.take(100'000 * Millisecond);
        QCOMPARE(folds.size(), size_t(1));
        QCOMPARE(folds[0].operations, std::uint64_t(1));
        QVERIFY(folder.takeAll().size() < OperationAggregator::MostSpans);
    }

    void durationsOfYearsAddUpToNoLessThanOne()
    {
        BandwidthTable table;
        table.described(0, {0, "0", {0}});
        for (std::uint64_t number = 1; number <= 100; ++number) {
            Operation operation = operationOf(number, 1, 0);
            operation.endedNs = LatestNs;
            table.add(0, operation);
        }
        QCOMPARE(table.rows().size(), size_t(1));
        QCOMPARE(table.rows()[0].transferNs, LatestNs);
        QCOMPARE(table.rows()[0].feltNs, LatestNs);
    }

    void whatIsFoldedAmountsToTheSame()
    {
        constexpr std::int64_t FoldedBefore = 250 * Second;
        OperationAggregator folder;
        BandwidthTable exact;
        BandwidthTable folded;
        folded.setFoldedBefore(FoldedBefore);
        std::vector<OperationFold> folds;
        // Blocks of three seconds; rank 1 comes half a second after rank 0, and tells a block
        // later.
        std::vector<OperationBatch> batches;
        for (std::uint64_t block = 0; block < 200; ++block) {
            for (int rank = 0; rank < 2; ++rank) {
                OperationBatch batch{.rank = rank, .groups = {{0, "0", {0, 1}}}};
                for (std::uint64_t i = 1; i <= 30; ++i) {
                    const std::uint64_t number = block * 30 + i;
                    const auto from = static_cast<std::int64_t>(number) * 100 * Millisecond;
                    Operation operation = operationOf(number, from, 40 + rank);
                    operation.backend =
                        number % 2 == 0 ? ledger::Backend::Gloo : ledger::Backend::Ring;
                    operation.bytes = 1'000 << (number % 3);
                    operation.kind =
                        number % 5 == 0 ? OperationKind::Send : OperationKind::AllReduce;
                    batch.operations.push_back(operation);
                }
                batches.push_back(batch);
            }
        }
        for (const OperationBatch& batch : batches) {
            folder.add(batch);
            for (OperationFold& fold : folder.take(batch.operations.back().endedNs))
                folds.push_back(std::move(fold));
        }
        QVERIFY(!folds.empty() && folds.back().untilNs < 600 * Second);
        for (OperationFold& fold : folder.takeAll())
            folds.push_back(std::move(fold));
        QVERIFY(folder.takeAll().empty());
        std::uint64_t operations = 0;
        for (const OperationFold& fold : folds) {
            operations += fold.operations;
            const OperationFold unpacked = unpackFold(packFold(fold)).value();
            QCOMPARE(unpacked, fold);
            if (unpacked.untilNs <= FoldedBefore)
                folded.add(unpacked);
        }
        QCOMPARE(operations, std::uint64_t(200 * 30 * 2));
        for (const OperationBatch& batch : batches) {
            for (BandwidthTable* table : {&exact, &folded})
                table->described(batch.rank, batch.groups[0]);
            for (const Operation& operation : batch.operations) {
                exact.add(batch.rank, operation);
                // Blocks go only when a minute has passed.
                if (batch.operations.back().endedNs >= FoldedBefore - 60 * Second)
                    folded.add(batch.rank, operation);
            }
        }
        QCOMPARE(folded.wallNs(), exact.wallNs());
        QCOMPARE(folded.foldedNs(), FoldedBefore - 100 * Millisecond);
        QCOMPARE(exact.foldedNs(), std::int64_t(0));
        const auto whole = exact.rows();
        const auto sums = folded.rows();
        QCOMPARE(sums.size(), whole.size());
        for (const BandwidthRow& row : whole) {
            const auto same = std::ranges::find_if(sums, [&](const BandwidthRow& sum) {
                return sum.kind == row.kind && sum.backend == row.backend &&
                       sum.bucket == row.bucket;
            });
            QVERIFY(same != sums.end());
            QCOMPARE(same->count, row.count);
            QCOMPARE(same->bytes, row.bytes);
            QCOMPARE(same->transferNs, row.transferNs);
            QCOMPARE(same->feltNs, row.feltNs);
            QCOMPARE(same->coveredNs, row.coveredNs);
            QCOMPARE(same->isWire, row.isWire);
            QVERIFY(same->transfers == row.transfers);
        }
    }

    void aDamagedFoldIsRefusedOrReadAsSomethingElse()
    {
        std::mt19937_64 random(3);
        OperationFold fold{.attempt = 1, .groups = {{0, "0", {0, 1}}}};
        fold.rows.push_back({.count = 3});
        fold.rows[0].transfers.add(5);
        const std::string block = packFold(fold);
        QVERIFY(!unpackFold("") && !unpackFold("no fold at all"));
        QVERIFY(!unpackFold(block.substr(0, block.size() - 1)));
        for (int round = 0; round < 2000; ++round) {
            std::string damaged = block;
            damaged[random() % damaged.size()] = static_cast<char>(random());
            if (const auto read = unpackFold(damaged)) {
                BandwidthTable table;
                table.add(*read);
                QVERIFY(table.rows().size() <= read->rows.size());
            }
        }
    }

    void bothSidesOfAPairAreSeen()
    {
        BandwidthTable table;
        for (int rank = 0; rank < 2; ++rank)
            table.described(rank, {0, "0", {0, 1}});
        Operation send = operationOf(1, Millisecond, 5);
        send.kind = OperationKind::Send;
        send.peer = 1;
        Operation receive = operationOf(1, Millisecond, 7);
        receive.kind = OperationKind::Receive;
        receive.peer = 0;
        table.add(0, send);
        table.add(1, receive);
        QCOMPARE(table.rows().size(), size_t(2));
        QVERIFY(!table.rows()[0].isWire);
        QCOMPARE(table.rows()[0].busBandwidth(), 1e6 / 0.007);
    }
};

QTEST_GUILESS_MAIN(tst_bandwidth)
#include "tst_bandwidth.moc"
