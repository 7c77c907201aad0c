#include "engine/ledger/Codes.h"
#include "engine/ledger/DurationHistogram.h"
#include "engine/ledger/Moments.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/ledger/OperationDecoder.h"
#include "engine/ledger/OperationFold.h"
#include "engine/ledger/OperationNames.h"
#include "engine/ledger/Packing.h"

#include <QtTest>

#include <random>

using namespace ringmaster;
using namespace ringmaster::ledger;

namespace {

Record recordOf(RecordKind kind, std::uint64_t operation, std::uint64_t number = 1)
{
    Record record{};
    record.record = kind;
    record.operation = operation;
    record.number = number;
    record.kind = OperationKind::AllReduce;
    record.enqueuedNs = 100;
    return record;
}

OperationBatch randomBatch(std::mt19937_64& random, size_t count)
{
    OperationBatch batch{.attempt = 3, .rank = 1023, .lost = random() % 10};
    batch.sites = {{1, "/home/me/train.py", "step", 88}, {2, "model.py", "forward", 7}};
    batch.groups = {{0, "default", {0, 1, 2, 3}}, {7, "pair", {3, 0}}, {8, "unknown", {}}};
    for (size_t i = 0; i < count; ++i) {
        Operation operation;
        operation.id = random();
        operation.kind = static_cast<OperationKind>(random() % OperationKinds);
        operation.type = static_cast<DataType>(random() % DataTypes);
        operation.reduction = static_cast<Reduction>(random() % Reductions);
        operation.algorithm = static_cast<Algorithm>(random() % Algorithms);
        operation.caller = static_cast<Caller>(random() % Callers);
        operation.backend = static_cast<Backend>(random() % Backends);
        operation.site = static_cast<std::uint16_t>(random());
        operation.outcome = static_cast<Operation::Outcome>(random() % 4);
        operation.group = static_cast<std::uint32_t>(random());
        operation.peer = static_cast<std::int32_t>(random());
        operation.tag = static_cast<std::int32_t>(random());
        operation.number = random();
        operation.bytes = random() >> (random() % 64);
        operation.elements = random() >> (random() % 64);
        operation.enqueuedNs = static_cast<std::int64_t>(random() >> 4U);
        operation.startedNs = random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() >> 4U);
        operation.endedNs = random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() >> 4U);
        operation.returnedNs = random() % 2 == 0 ? 0 : static_cast<std::int64_t>(random() >> 4U);
        operation.name = random() % 4 == 0 ? "other" : "";
        batch.operations.push_back(operation);
    }
    return batch;
}

/// As eight buckets a step of a training, with some noise in the times.
OperationBatch training(size_t count)
{
    std::mt19937_64 random(1);
    OperationBatch batch{.groups = {{0, "0", {0, 1, 2, 3, 4, 5, 6, 7}}},
                         .sites = {{1, "/home/me/project/train.py", "step", 88}}};
    std::int64_t now = 1'000'000'000'000'000;
    for (size_t i = 0; i < count; ++i) {
        now += 10'000'000 + static_cast<std::int64_t>(random() % 2'000'000);
        batch.operations.push_back(
            {.id = 2 * i,
             .kind = OperationKind::AllReduce,
             .type = DataType::Float32,
             .reduction = Reduction::Sum,
             .backend = Backend::Gloo,
             .outcome = Operation::Outcome::Done,
             .number = i + 1,
             .bytes = (i % 8) * 4'000'000,
             .elements = (i % 8) * 1'000'000,
             .site = 1,
             .enqueuedNs = now,
             .startedNs = now + static_cast<std::int64_t>(random() % 40'000),
             .endedNs = now + 6'000'000 + static_cast<std::int64_t>(random() % 1'000'000)});
        batch.operations.back().returnedNs =
            batch.operations.back().endedNs + static_cast<std::int64_t>(random() % 60'000);
    }
    return batch;
}

} // namespace

class tst_operations : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void anOperationRunsUntilItsEndIsRead()
    {
        OperationDecoder decoder;
        QVERIFY(!decoder.take(recordOf(RecordKind::Open, 5)));
        QCOMPARE(decoder.running().size(), size_t(1));
        QCOMPARE(decoder.running().at(5).outcome, Operation::Outcome::Running);
        Record done = recordOf(RecordKind::Done, 5);
        done.endedNs = 300;
        const auto ended = decoder.take(done);
        QVERIFY(ended.has_value());
        QCOMPARE(ended->outcome, Operation::Outcome::Done);
        QCOMPARE(ended->endedNs, std::int64_t(300));
        QVERIFY(decoder.running().empty());
        QCOMPARE(decoder.last()->id, std::uint64_t(5));
        QCOMPARE(decoder.take(recordOf(RecordKind::Failed, 9))->outcome,
                 Operation::Outcome::Failed); // its beginning was lost
    }

    void whatAReplacedProcessWasInIsAbandoned()
    {
        OperationDecoder decoder;
        decoder.take(recordOf(RecordKind::Open, 5));
        Record attached = recordOf(RecordKind::Attached, 4711);
        attached.recorder = Recorder::Compiled;
        std::memcpy(attached.name, "2.11.0", 6);
        decoder.take(attached);
        QVERIFY(decoder.running().empty());
        QCOMPARE(decoder.writer()->pid, 4711);
        QCOMPARE(decoder.writer()->version, std::string("2.11.0"));
        const std::vector<Operation> abandoned = decoder.takeTold();
        QCOMPARE(abandoned.size(), size_t(1));
        QCOMPARE(abandoned[0].outcome, Operation::Outcome::Abandoned);
        QVERIFY(decoder.takeTold().empty());
    }

    void anOperationIsToldWhenItsCallerHasReturned()
    {
        OperationDecoder decoder;
        decoder.take(recordOf(RecordKind::Open, 5));
        Record done = recordOf(RecordKind::Done, 5);
        done.endedNs = 300;
        done.isAwaited = 1;
        QVERIFY(decoder.take(done).has_value());
        QVERIFY(decoder.running().empty());
        QCOMPARE(decoder.last()->id, std::uint64_t(5));
        QVERIFY(decoder.takeTold().empty());
        Record returned = recordOf(RecordKind::Returned, 5);
        returned.returnedNs = 450;
        QVERIFY(!decoder.take(returned));
        const std::vector<Operation> told = decoder.takeTold();
        QCOMPARE(told.size(), size_t(1));
        QVERIFY(told[0].endedNs == 300 && told[0].returnedNs == 450);
        QVERIFY(!decoder.take(returned));
        QVERIFY(decoder.takeTold().empty());
    }

    void aCallerThatNeverReturnsIsGivenUp()
    {
        OperationDecoder decoder;
        for (const std::uint64_t id : {1U, 2U, 3U}) {
            Record done = recordOf(RecordKind::Done, id);
            done.endedNs = static_cast<std::int64_t>(id) * 100;
            done.isAwaited = 1;
            decoder.take(done);
        }
        decoder.giveUpReturns(300);
        QCOMPARE(decoder.takeTold().size(), size_t(2));
        decoder.take(recordOf(RecordKind::Attached, 4711));
        const std::vector<Operation> told = decoder.takeTold();
        QCOMPARE(told.size(), size_t(1));
        QVERIFY(told[0].id == 3 && told[0].outcome == Operation::Outcome::Done);
        QCOMPARE(told[0].returnedNs, std::int64_t(0));
        for (std::uint64_t id = 10; id < 70'010; ++id) {
            Record done = recordOf(RecordKind::Done, id);
            done.endedNs = 1000;
            done.isAwaited = 1;
            decoder.take(done);
        }
        QCOMPARE(decoder.takeTold().size(), size_t(70'000 - 65'536));
    }

    void endsThatAreNeverReadDontPileUp()
    {
        OperationDecoder decoder;
        for (std::uint64_t i = 0; i < 70'000; ++i)
            decoder.take(recordOf(RecordKind::Open, i));
        QCOMPARE(decoder.running().size(), size_t(65'536));
        QVERIFY(decoder.running().contains(69'999));
    }

    void aBlockHoldsWhatWasPacked()
    {
        std::mt19937_64 random(11);
        for (const size_t count : {0U, 1U, 2U, 100U, 5000U}) {
            const OperationBatch batch = randomBatch(random, count);
            const auto unpacked = unpackOperations(packOperations(batch));
            QVERIFY(unpacked.has_value());
            QVERIFY(*unpacked == batch);
        }
    }

    void aHistogramKnowsAnyShareToAFifth()
    {
        DurationHistogram histogram;
        QCOMPARE(histogram.quantile(0.5), std::int64_t(0));
        std::mt19937_64 random(5);
        std::vector<std::int64_t> all;
        for (int i = 0; i < 10'000; ++i) {
            all.push_back(static_cast<std::int64_t>((random() >> 20U) >> (random() % 44)));
            histogram.add(all.back());
        }
        std::ranges::sort(all);
        QCOMPARE(histogram.count(), std::uint64_t(10'000));
        for (const size_t percent : {1U, 50U, 90U, 99U, 100U}) {
            const auto exact = static_cast<double>(all[percent * 100 - 1]);
            const auto told = static_cast<double>(histogram.quantile(double(percent) / 100));
            QVERIFY2(told >= exact && told <= exact * 1.25 + 2,
                     qPrintable(QString("%1 %: %2, %3").arg(percent).arg(exact).arg(told)));
        }
        DurationHistogram twice = histogram;
        twice.add(histogram);
        QCOMPARE(twice.count(), std::uint64_t(20'000));
        QCOMPARE(twice.quantile(0.5), histogram.quantile(0.5));
        histogram.add(-1);
        histogram.add(std::numeric_limits<std::int64_t>::max());
        QVERIFY(histogram.quantile(1) > 0);
    }

    void anHourOfEightRanksFitsInFiftyMegabytes()
    {
        // Blocks of two seconds at a hundred operations a second.
        const double bytes = double(packOperations(training(200)).size()) + 30;
        QVERIFY2(bytes / 200 * 100 * 3600 * 8 < 45e6, qPrintable(QString::number(bytes / 200)));
    }

    void damagedBlocksAreRefusedOrReadAsSomethingElse()
    {
        std::mt19937_64 random(3);
        const std::string block = packOperations(training(500));
        QVERIFY(!unpackOperations(""));
        QVERIFY(!unpackOperations("not a block at all"));
        QVERIFY(!unpackOperations(std::string_view(block).substr(0, block.size() / 2)));
        QCOMPARE(unpackOperations(block.substr(1)).error().code, code::LedgerDamaged);
        for (int round = 0; round < 2000; ++round) {
            std::string damaged = block;
            for (int i = 0; i < 3; ++i)
                damaged[random() % damaged.size()] = static_cast<char>(random());
            if (const auto read = unpackOperations(damaged))
                QVERIFY(read->operations.size() <= MostOperationsOfABlock);
        }
    }

    void whatNoClockShowsIsDamage()
    {
        OperationBatch batch = training(3);
        batch.operations[1].endedNs = LatestNs;
        QVERIFY(unpackOperations(packOperations(batch)).has_value());
        batch.operations[1].endedNs = LatestNs + 1;
        QCOMPARE(unpackOperations(packOperations(batch)).error().code, code::LedgerDamaged);
        batch.operations[1].endedNs = INT64_MIN;
        QCOMPARE(unpackOperations(packOperations(batch)).error().code, code::LedgerDamaged);
        batch.operations[1].endedNs = 0;
        batch.operations[1].returnedNs = LatestNs + 1;
        QCOMPARE(unpackOperations(packOperations(batch)).error().code, code::LedgerDamaged);

        OperationFold fold{.firstNs = 1, .untilNs = LatestNs, .groups = {{0, "0", {0, 1}}}};
        fold.rows.push_back({.transferNs = LatestNs, .feltNs = 1});
        QVERIFY(unpackFold(packFold(fold)).has_value());
        fold.rows.back().feltNs = INT64_MAX;
        QCOMPARE(unpackFold(packFold(fold)).error().code, code::LedgerDamaged);
        fold.rows.clear();
        fold.untilNs = INT64_MIN;
        QCOMPARE(unpackFold(packFold(fold)).error().code, code::LedgerDamaged);
    }

    /// Its rows don't say how much of the time an operation was in flight.
    void anOlderFoldIsRead()
    {
        packing::Packer packer;
        packer.number(1); // The version.
        packer.difference(2);
        packer.difference(10);
        packer.difference(20);
        packer.number(3);
        packGroups(packer, {{0, "0", {0, 1}}});
        packer.number(1);
        for (const std::uint64_t number : {0U, 1U, 8U, 1U, 0U, 1U, 64U, 3U, 300U})
            packer.number(number);
        packer.difference(5);
        packer.difference(7);
        packer.number(0);
        const auto fold = unpackFold(packing::compressed(packer.bytes()));
        QVERIFY(fold.has_value());
        QCOMPARE(fold->rows.at(0).bytes, std::uint64_t(300));
        QCOMPARE(fold->rows[0].transferNs, std::int64_t(5));
        QCOMPARE(fold->rows[0].coveredNs, std::int64_t(7));
        QVERIFY(unpackFold(packFold(*fold)) == *fold);
    }

    /// Its operations don't say when their callers returned.
    void anOlderBlockIsRead()
    {
        packing::Packer packer;
        packer.number(3); // The version.
        packer.difference(0);
        packer.difference(1);
        packer.number(0);
        packGroups(packer, {{0, "0", {0, 1}}});
        packSites(packer, {});
        packer.number(1);
        for (const std::uint64_t number : {1U, 8U, 1U, 16U, 1U, 0U})
            packer.number(number);
        packer.difference(-1);
        for (const std::uint64_t number : {64U, 16U})
            packer.number(number);
        packer.text("");
        for (const std::uint64_t number : {1U, 0U})
            packer.number(number);
        packer.difference(0);
        packer.number(1);
        for (const std::int64_t column : {0, 7, 3, 1000, 0, 0, 0, 0})
            packer.column({packing::zigzag(column)});
        const auto batch = unpackOperations(packing::compressed(packer.bytes()));
        QVERIFY(batch.has_value());
        QCOMPARE(batch->operations.size(), size_t(1));
        const Operation& operation = batch->operations[0];
        QVERIFY(operation.id == 7 && operation.number == 3 && operation.enqueuedNs == 1000);
        QVERIFY(operation.kind == OperationKind::AllReduce && operation.bytes == 64);
        QCOMPARE(operation.returnedNs, std::int64_t(0));
        QVERIFY(unpackOperations(packOperations(*batch)) == *batch);
    }

    void durationsAddUpToANumber()
    {
        QCOMPARE(sumNs(1, 2), std::int64_t(3));
        QCOMPARE(sumNs(LatestNs, -1), LatestNs - 1);
        QCOMPARE(sumNs(INT64_MAX, INT64_MAX), LatestNs);
        QCOMPARE(sumNs(INT64_MIN, -1), -LatestNs);
    }

    /// Half a kilobyte must not become hundreds of megabytes.
    void aBlockOfMillionsOfGroupsIsDamage()
    {
        packing::Packer packer;
        packer.number(2); // The version.
        packer.difference(0);
        packer.difference(0);
        packer.number(0);
        constexpr std::uint64_t Groups = 5'000'000;
        packer.number(Groups);
        const std::string block =
            packing::compressed(packer.bytes() + std::string(3 * Groups, '\0'));
        QVERIFY(block.size() < 2000);
        QCOMPARE(unpackOperations(block).error().code, code::LedgerDamaged);
    }

    void everyKindHasANameOfItsOwn()
    {
        for (int kind = 0; kind < OperationKinds; ++kind) {
            const auto asKind = static_cast<OperationKind>(kind);
            QVERIFY(!nameOf(asKind).empty());
            QCOMPARE(operationKindOf(nameOf(asKind)), asKind);
        }
        QCOMPARE(nameOf(static_cast<OperationKind>(999)), std::string_view("operation"));
        for (int type = 1; type < DataTypes; ++type)
            QVERIFY(!nameOf(static_cast<DataType>(type)).empty());
        QCOMPARE(sizeOf(DataType::Bfloat16), 2U);
        for (int backend = 1; backend < Backends; ++backend)
            QCOMPARE(backendNamed(nameOf(static_cast<Backend>(backend))),
                     static_cast<Backend>(backend));
        QCOMPARE(backendNamed("xccl"), Backend::Other);
        QCOMPARE(wayText(Backend::Ring, Algorithm::Tree), std::string("ring, tree"));
        QCOMPARE(wayText(Backend::Gloo, Algorithm::Unknown), std::string("gloo"));
        QCOMPARE(wayText(Backend::Unknown, Algorithm::Unknown), std::string());
    }

    void busBandwidthHasTheFactorsOfNcclTests()
    {
        QCOMPARE(busFactor(OperationKind::AllReduce, 4), 1.5);
        QCOMPARE(busFactor(OperationKind::AllGatherIntoTensor, 4), 0.75);
        QCOMPARE(busFactor(OperationKind::ReduceScatter, 2), 0.5);
        QCOMPARE(busFactor(OperationKind::AllToAll, 8), 0.875);
        QCOMPARE(busFactor(OperationKind::Broadcast, 8), 1.0);
        QCOMPARE(busFactor(OperationKind::Send, 2), 1.0);
        QCOMPARE(busFactor(OperationKind::AllReduce, 1), 0.0);
        QCOMPARE(busFactor(OperationKind::Barrier, 8), 0.0);
    }
};

QTEST_GUILESS_MAIN(tst_operations)
#include "tst_operations.moc"
