#include "engine/ledger/OperationBlock.h"

#include "engine/ledger/Codes.h"

#include <map>
#include <tuple>

#include <zstd.h>

namespace ringmaster {

namespace {

constexpr std::uint64_t Version = 1;
constexpr int Level = 3;
constexpr size_t LargestBlock = 16U << 20U; ///< Unpacked.
constexpr size_t LongestText = 256;

class Packer
{
public:
    void number(std::uint64_t value)
    {
        while (value >= 0x80) {
            m_bytes += static_cast<char>(value | 0x80U);
            value >>= 7U;
        }
        m_bytes += static_cast<char>(value);
    }
    /// Small for small negative ones, too.
    void difference(std::int64_t value)
    {
        number((static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63));
    }
    void text(std::string_view value)
    {
        value = value.substr(0, LongestText);
        number(value.size());
        m_bytes += value;
    }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

class Unpacker
{
public:
    explicit Unpacker(std::string_view bytes) : m_bytes(bytes) {}

    std::uint64_t number()
    {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            if (m_at == m_bytes.size())
                break;
            const auto byte = static_cast<unsigned char>(m_bytes[m_at++]);
            value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
            if ((byte & 0x80U) == 0)
                return value;
        }
        m_isFine = false;
        return 0;
    }
    std::int64_t difference()
    {
        const std::uint64_t value = number();
        return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1));
    }
    /// A number that something is allocated or chosen by.
    std::uint64_t below(std::uint64_t limit)
    {
        const std::uint64_t value = number();
        if (value < limit)
            return value;
        m_isFine = false;
        return 0;
    }
    std::string text()
    {
        const size_t size = below(LongestText + 1);
        if (size > m_bytes.size() - m_at) {
            m_isFine = false;
            return {};
        }
        m_at += size;
        return std::string(m_bytes.substr(m_at - size, size));
    }
    bool isFine() const { return m_isFine; }
    bool isAtEnd() const { return m_at == m_bytes.size(); }

private:
    std::string_view m_bytes;
    size_t m_at = 0;
    bool m_isFine = true;
};

/// What many operations of a block have in common.
using Shape = std::tuple<std::uint16_t, std::uint8_t, std::uint8_t, std::uint8_t, std::uint8_t,
                         std::uint32_t, std::int32_t, std::uint64_t, std::uint64_t, std::string>;

/// How it was carried out and what the caller did meanwhile, in one number.
constexpr std::uint8_t MostAlgorithms = 16;
static_assert(ledger::Algorithms <= MostAlgorithms);

std::uint8_t wayOf(const Operation& operation)
{
    return static_cast<std::uint8_t>(static_cast<std::uint8_t>(operation.caller) * MostAlgorithms +
                                     static_cast<std::uint8_t>(operation.algorithm));
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
            operation.name};
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

void packOperation(Packer& packer, const Operation& operation, std::uint64_t shape, Before& before)
{
    packer.number(shape);
    packer.difference(between(before.id, operation.id));
    std::uint64_t& number = before.numbers[operation.group];
    packer.difference(between(number, operation.number));
    packer.difference(between(before.enqueuedNs, bits(operation.enqueuedNs)));
    // 0 is "unknown", and not a moment long ago.
    packer.number(operation.startedNs == 0 ? 0 : 1);
    if (operation.startedNs != 0)
        packer.difference(between(bits(operation.enqueuedNs), bits(operation.startedNs)));
    packer.number(operation.endedNs == 0 ? 0 : 1);
    if (operation.endedNs != 0)
        packer.difference(between(bits(operation.enqueuedNs), bits(operation.endedNs)));
    before.id = operation.id;
    number = operation.number;
    before.enqueuedNs = bits(operation.enqueuedNs);
}

void unpackTimes(Unpacker& unpacker, Operation& operation, Before& before)
{
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
}

void packGroups(Packer& packer, const std::vector<LedgerGroup>& groups)
{
    packer.number(groups.size());
    for (const LedgerGroup& group : groups) {
        packer.number(group.group);
        packer.text(group.name);
        packer.number(group.members.size());
        int last = 0;
        for (const int member : group.members) {
            packer.difference(std::int64_t(member) - last);
            last = member;
        }
    }
}

std::vector<LedgerGroup> unpackGroups(Unpacker& unpacker)
{
    std::vector<LedgerGroup> groups;
    const size_t count = unpacker.below(LargestBlock);
    while (groups.size() < count && unpacker.isFine()) {
        LedgerGroup group{.group = static_cast<std::uint32_t>(unpacker.below(1ULL << 32U)),
                          .name = unpacker.text()};
        const size_t members = unpacker.below(MostGroupMembers + 1);
        std::int64_t last = 0;
        while (group.members.size() < members && unpacker.isFine()) {
            last += unpacker.difference() % (std::int64_t(1) << 32U);
            group.members.push_back(static_cast<int>(last));
        }
        groups.push_back(std::move(group));
    }
    return groups;
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
    }
}

std::vector<Operation> unpackShapes(Unpacker& unpacker)
{
    using namespace ledger;
    std::vector<Operation> shapes;
    const size_t count = unpacker.below(MostOperationsOfABlock + 1);
    while (shapes.size() < count && unpacker.isFine()) {
        Operation shape;
        shape.kind = static_cast<OperationKind>(unpacker.below(OperationKinds));
        shape.type = static_cast<DataType>(unpacker.below(DataTypes));
        shape.reduction = static_cast<Reduction>(unpacker.below(Reductions));
        const std::uint64_t way = unpacker.below(std::uint64_t(Callers) * MostAlgorithms);
        shape.algorithm = way % MostAlgorithms < Algorithms
                              ? static_cast<Algorithm>(way % MostAlgorithms)
                              : Algorithm::Unknown;
        shape.caller = static_cast<Caller>(way / MostAlgorithms);
        shape.outcome = static_cast<Operation::Outcome>(unpacker.below(4));
        shape.group = static_cast<std::uint32_t>(unpacker.below(1ULL << 32U));
        shape.peer = static_cast<std::int32_t>(unpacker.difference());
        shape.bytes = unpacker.number();
        shape.elements = unpacker.number();
        shape.name = unpacker.text();
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

tl::unexpected<Error> damaged(std::string_view what)
{
    return fail(code::LedgerDamaged, {{"path", "operations"}, {"what", std::string(what)}});
}

Result<std::string> decompressed(std::string_view block)
{
    const auto size = ZSTD_getFrameContentSize(block.data(), block.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > LargestBlock)
        return damaged("a block isn't compressed as it should be");
    std::string bytes(size, '\0');
    const size_t written = ZSTD_decompress(bytes.data(), bytes.size(), block.data(), block.size());
    if (ZSTD_isError(written) != 0 || written != bytes.size())
        return damaged("a block can't be unpacked");
    return bytes;
}

} // namespace

std::string packOperations(const OperationBatch& batch)
{
    std::map<Shape, std::uint64_t> known;
    std::vector<Shape> shapes;
    Packer operations;
    Before before;
    for (const Operation& operation : batch.operations) {
        Shape shape = shapeOf(operation);
        const auto [found, isNew] = known.try_emplace(shape, shapes.size());
        if (isNew)
            shapes.push_back(std::move(shape));
        packOperation(operations, operation, found->second, before);
    }
    Packer packer;
    packer.number(Version);
    packer.difference(batch.attempt);
    packer.difference(batch.rank);
    packer.number(batch.lost);
    packGroups(packer, batch.groups);
    packShapes(packer, shapes);
    packer.number(batch.operations.size());
    const std::string bytes = packer.bytes() + operations.bytes();
    std::string block(ZSTD_compressBound(bytes.size()), '\0');
    block.resize(ZSTD_compress(block.data(), block.size(), bytes.data(), bytes.size(), Level));
    return block;
}

Result<OperationBatch> unpackOperations(std::string_view block)
{
    const std::string bytes = RM_TRY(decompressed(block));
    Unpacker unpacker(bytes);
    if (unpacker.number() != Version)
        return damaged("a block is of another version");
    OperationBatch batch;
    batch.attempt = static_cast<int>(unpacker.difference());
    batch.rank = static_cast<int>(unpacker.difference());
    batch.lost = unpacker.number();
    batch.groups = unpackGroups(unpacker);
    const std::vector<Operation> shapes = unpackShapes(unpacker);
    const size_t count = unpacker.below(MostOperationsOfABlock + 1);
    Before before;
    while (batch.operations.size() < count && unpacker.isFine()) {
        const size_t shape = unpacker.below(shapes.size());
        if (!unpacker.isFine())
            break;
        Operation operation = shapes[shape];
        unpackTimes(unpacker, operation, before);
        batch.operations.push_back(std::move(operation));
    }
    if (!unpacker.isFine() || !unpacker.isAtEnd())
        return damaged("a block ends too early or too late");
    return batch;
}

} // namespace ringmaster
