#include "engine/diagnose/Bandwidth.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::diagnose;
using ledger::OperationKind;

namespace {

constexpr std::int64_t Millisecond = 1'000'000;

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

class tst_Bandwidth : public QObject
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
        QCOMPARE(rows[0].insideNs, 400 * Millisecond);
        QCOMPARE(rows[0].algorithmBandwidth(), 1e8);
        QCOMPARE(rows[0].busBandwidth(), 1.5e8);
        QCOMPARE(rows[0].effectiveBandwidth(), 2.5e7);
        QCOMPARE(table.wallNs(), 950 * Millisecond);
        QVERIFY(qAbs(rows[0].share - 400.0 / 950) < 1e-9);
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
        add([](Operation& operation) { operation.outcome = Operation::Outcome::Failed; });
        add([](Operation& operation) { operation.endedNs = 0; });
        QCOMPARE(table.rows().size(), size_t(6));
        QCOMPARE(table.rows()[0].count, std::uint64_t(2));
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

QTEST_GUILESS_MAIN(tst_Bandwidth)
#include "tst_bandwidth.moc"
