#include "engine/ledger/OperationBlock.h"

#include "engine/ledger/Moments.h"
#include "engine/ledger/Packing.h"

#include <algorithm>
#include <array>
#include <map>
#include <span>
#include <tuple>

namespace ringmaster {

using packing::damaged;
using packing::Packer;
using packing::Unpacker;

namespace {

constexpr std::uint64_t Version = 4;
constexpr std::uint64_t WithoutReturns = 3;
constexpr std::uint64_t Tagless = 2;
constexpr std::uint64_t RowByRow = 1; ///< Without backends and call sites, too.

/// What many operations of a block have in common.
using Shape = std::tuple<std::uint16_t, std::uint8_t, std::uint8_t, std::uint64_t, std::uint8_t,
                         std::uint32_t, std::int32_t, std::uint64_t, std::uint64_t, std::string,
                         std::uint8_t, std::uint16_t, std::int32_t>;

/// How it was carried out and what the caller did meanwhile, in one number.
constexpr std::uint8_t MostAlgorithms = 16;
static_assert(ledger::Algorithms <= MostAlgorithms);

constexpr std::uint64_t MostWays = 256; ///< Then come the channels that it took.
static_assert(ledger::Callers * MostAlgorithms <= MostWays);

std::uint64_t wayOf(const Operation& operation)
{
    return operation.channels * MostWays +
           static_cast<std::uint64_t>(operation.caller) * MostAlgorithms +
           static_cast<std::uint64_t>(operation.algorithm);
}

Shape shapeOf(const Operation& operation)
{
    return {static_cast<std::uint16_t>(operation.kind),
            static_cast<std::uint8_t>(operation.type),
            static_cast<std::uint8_t>(operation.reduction),
            wayOf(operation),
            static_cast<std::uint8_t>(operation.outcome),
            operation.group,
            operation.peer,
            operation.bytes,
            operation.elements,
            operation.name,
            static_cast<std::uint8_t>(operation.backend),
            operation.site,
            operation.tag};
}

/// Differences wrap: any number comes back as it was.
std::int64_t between(std::uint64_t from, std::uint64_t to)
{
    return static_cast<std::int64_t>(to - from);
}
std::uint64_t after(std::uint64_t from, std::int64_t difference)
{
    return from + static_cast<std::uint64_t>(difference);
}

/// What the next operation is told apart from.
struct Before
{
    std::uint64_t id = 0;
    std::uint64_t enqueuedNs = 0;
    std::map<std::uint32_t, std::uint64_t> numbers{}; ///< By group.
};

std::uint64_t bits(std::int64_t value)
{
    return static_cast<std::uint64_t>(value);
}

/// What differs from one operation to the next, each in a column of its own.
enum Column {
    ShapeOf,
    Id,
    Number,
    Enqueued,
    HasStarted,
    Started,
    HasEnded,
    Ended,
    HasReturned,
    Returned,
    Columns
};
using Table = std::array<std::vector<std::uint64_t>, Columns>;

void addRow(Table& table, const Operation& operation, std::uint64_t shape, Before& before)
{
    table[ShapeOf].push_back(shape);
    table[Id].push_back(packing::zigzag(between(before.id, operation.id)));
    std::uint64_t& number = before.numbers[operation.group];
    table[Number].push_back(packing::zigzag(between(number, operation.number)));
    table[Enqueued].push_back(
        packing::zigzag(between(before.enqueuedNs, bits(operation.enqueuedNs))));
    // 0 is "unknown", and not a moment long ago.
    const auto addMoment = [&](Column has, Column column, std::int64_t ns) {
        table[has].push_back(ns == 0 ? 0 : 1);
        table[column].push_back(
            ns == 0 ? 0 : packing::zigzag(between(bits(operation.enqueuedNs), bits(ns))));
    };
    addMoment(HasStarted, Started, operation.startedNs);
    addMoment(HasEnded, Ended, operation.endedNs);
    // Mostly a little after the end, which says less than the whole.
    table[HasReturned].push_back(operation.returnedNs == 0 ? 0 : 1);
    table[Returned].push_back(
        operation.returnedNs == 0
            ? 0
            : packing::zigzag(between(bits(operation.endedNs), bits(operation.returnedNs))));
    before.id = operation.id;
    number = operation.number;
    before.enqueuedNs = bits(operation.enqueuedNs);
}

std::vector<Operation> unpackTable(Unpacker& unpacker, const std::vector<Operation>& shapes,
                                   std::uint64_t version)
{
    std::vector<Operation> operations;
    const size_t count = unpacker.below(MostOperationsOfABlock + 1);
    Table table;
    const auto columns = static_cast<size_t>(version == Version ? Columns : HasReturned);
    for (auto& column : std::span(table).first(columns))
        column = unpacker.column(count);
    if (version != Version)
        table[HasReturned] = table[Returned] = std::vector<std::uint64_t>(count);
    if (!unpacker.isFine())
        return operations;
    Before before;
    operations.reserve(count);
    for (size_t row = 0; row < count; ++row) {
        if (table[ShapeOf][row] >= shapes.size()) {
            unpacker.refuse();
            return operations;
        }
        Operation& operation = operations.emplace_back(shapes[table[ShapeOf][row]]);
        const auto from = [&](std::uint64_t base, Column column) {
            return after(base, packing::unzigzag(table[column][row]));
        };
        operation.id = before.id = from(before.id, Id);
        std::uint64_t& number = before.numbers[operation.group];
        operation.number = number = from(number, Number);
        before.enqueuedNs = from(before.enqueuedNs, Enqueued);
        const auto moment = [&](Column has, Column column) {
            return table[has][row] == 0
                       ? 0
                       : static_cast<std::int64_t>(from(before.enqueuedNs, column));
        };
        operation.enqueuedNs = static_cast<std::int64_t>(before.enqueuedNs);
        operation.startedNs = moment(HasStarted, Started);
        operation.endedNs = moment(HasEnded, Ended);
        if (table[HasReturned][row] != 0)
            operation.returnedNs =
                static_cast<std::int64_t>(from(bits(operation.endedNs), Returned));
    }
    return operations;
}

/// Of version 1: one after the other.
Operation unpackRow(Unpacker& unpacker, const std::vector<Operation>& shapes, Before& before)
{
    const size_t shape = unpacker.below(shapes.size());
    if (!unpacker.isFine())
        return {};
    Operation operation = shapes[shape];
    operation.id = before.id = after(before.id, unpacker.difference());
    std::uint64_t& number = before.numbers[operation.group];
    operation.number = number = after(number, unpacker.difference());
    before.enqueuedNs = after(before.enqueuedNs, unpacker.difference());
    operation.enqueuedNs = static_cast<std::int64_t>(before.enqueuedNs);
    const auto moment = [&]() -> std::int64_t {
        if (unpacker.below(2) == 0)
            return 0;
        return static_cast<std::int64_t>(after(before.enqueuedNs, unpacker.difference()));
    };
    operation.startedNs = moment();
    operation.endedNs = moment();
    return operation;
}

void packShapes(Packer& packer, const std::vector<Shape>& shapes)
{
    packer.number(shapes.size());
    for (const Shape& shape : shapes) {
        packer.number(std::get<0>(shape));
        packer.number(std::get<1>(shape));
        packer.number(std::get<2>(shape));
        packer.number(std::get<3>(shape));
        packer.number(std::get<4>(shape));
        packer.number(std::get<5>(shape));
        packer.difference(std::get<6>(shape));
        packer.number(std::get<7>(shape));
        packer.number(std::get<8>(shape));
        packer.text(std::get<9>(shape));
        packer.number(std::get<10>(shape));
        packer.number(std::get<11>(shape));
        packer.difference(std::get<12>(shape));
    }
}

std::vector<Operation> unpackShapes(Unpacker& unpacker, std::uint64_t version)
{
    using namespace ledger;
    std::vector<Operation> shapes;
    const size_t count = unpacker.below(MostOperationsOfABlock + 1);
    while (shapes.size() < count && unpacker.isFine()) {
        Operation shape;
        shape.kind = static_cast<OperationKind>(unpacker.below(OperationKinds));
        shape.type = static_cast<DataType>(unpacker.below(DataTypes));
        shape.reduction = static_cast<Reduction>(unpacker.below(Reductions));
        const std::uint64_t channelsAndWay = unpacker.below(MostWays << 32U);
        const std::uint64_t way = channelsAndWay % MostWays;
        shape.channels = static_cast<std::uint32_t>(channelsAndWay / MostWays);
        shape.algorithm = way % MostAlgorithms < Algorithms
                              ? static_cast<Algorithm>(way % MostAlgorithms)
                              : Algorithm::Unknown;
        shape.caller = way / MostAlgorithms < Callers ? static_cast<Caller>(way / MostAlgorithms)
                                                      : Caller::Unknown;
        shape.outcome = static_cast<Operation::Outcome>(unpacker.below(4));
        shape.group = static_cast<std::uint32_t>(unpacker.below(1ULL << 32U));
        shape.peer = static_cast<std::int32_t>(unpacker.difference());
        shape.bytes = unpacker.number();
        shape.elements = unpacker.number();
        shape.name = unpacker.text();
        if (version != RowByRow) {
            const std::uint64_t backend = unpacker.below(256);
            shape.backend = backend < Backends ? static_cast<Backend>(backend) : Backend::Other;
            shape.site = static_cast<std::uint16_t>(unpacker.below(1U << 16U));
        }
        if (version == Version || version == WithoutReturns)
            shape.tag = static_cast<std::int32_t>(unpacker.difference());
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

} // namespace

std::string packOperations(const OperationBatch& batch)
{
    std::map<Shape, std::uint64_t> known;
    std::vector<Shape> shapes;
    Table table;
    Before before;
    for (const Operation& operation : batch.operations) {
        Shape shape = shapeOf(operation);
        const auto [found, isNew] = known.try_emplace(shape, shapes.size());
        if (isNew)
            shapes.push_back(std::move(shape));
        addRow(table, operation, found->second, before);
    }
    Packer packer;
    packer.number(Version);
    packer.difference(batch.attempt);
    packer.difference(batch.rank);
    packer.number(batch.lost);
    packGroups(packer, batch.groups);
    packSites(packer, batch.sites);
    packShapes(packer, shapes);
    packer.number(batch.operations.size());
    for (const auto& column : table)
        packer.column(column);
    return packing::compressed(packer.bytes());
}

Result<OperationBatch> unpackOperations(std::string_view block)
{
    const std::string bytes = RM_TRY(packing::decompressed(block));
    Unpacker unpacker(bytes);
    const std::uint64_t version = unpacker.number();
    if (version < RowByRow || version > Version)
        return damaged("a block is of another version");
    OperationBatch batch;
    batch.attempt = static_cast<int>(unpacker.difference());
    batch.rank = static_cast<int>(unpacker.difference());
    batch.lost = unpacker.number();
    batch.groups = unpackGroups(unpacker);
    if (version != RowByRow)
        batch.sites = unpackSites(unpacker);
    const std::vector<Operation> shapes = unpackShapes(unpacker, version);
    if (version != RowByRow) {
        batch.operations = unpackTable(unpacker, shapes, version);
    } else {
        const size_t count = unpacker.below(MostOperationsOfABlock + 1);
        Before before;
        while (batch.operations.size() < count && unpacker.isFine())
            batch.operations.push_back(unpackRow(unpacker, shapes, before));
    }
    if (!unpacker.isFine() || !unpacker.isAtEnd())
        return damaged("a block ends too early or too late");
    const bool hasMoments = std::ranges::all_of(batch.operations, [](const Operation& operation) {
        return isMoment(operation.enqueuedNs) && isMoment(operation.startedNs) &&
               isMoment(operation.endedNs) && isMoment(operation.returnedNs);
    });
    if (!hasMoments)
        return damaged("a block has moments that no clock shows");
    return batch;
}

} // namespace ringmaster
