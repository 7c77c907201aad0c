#include "engine/ledger/OperationFold.h"

#include "engine/ledger/Moments.h"
#include "engine/ledger/Packing.h"

namespace ringmaster {

using packing::Packer;
using packing::Unpacker;

namespace {

constexpr std::uint64_t FoldVersion = 2;
constexpr std::uint64_t WithoutCover = 1;
constexpr std::uint64_t MostRows = 1U << 20U;
constexpr std::uint64_t MostSteps = 256;

/// One that isn't known yet is read as that.
template <class Kind>
Kind known(std::uint64_t value, std::uint64_t count, Kind otherwise)
{
    return value < count ? static_cast<Kind>(value) : otherwise;
}

void packRow(Packer& packer, const OperationFold::Row& row)
{
    packer.number(row.group);
    packer.number(static_cast<std::uint64_t>(row.kind));
    packer.number(static_cast<std::uint64_t>(row.type));
    packer.number(static_cast<std::uint64_t>(row.backend));
    packer.number(static_cast<std::uint64_t>(row.algorithm));
    packer.number(row.isWire ? 1 : 0);
    packer.number(row.bucket);
    packer.number(row.count);
    packer.number(row.bytes);
    packer.difference(row.transferNs);
    packer.difference(row.feltNs);
    packer.difference(row.coveredNs);
    packer.number(row.transfers.steps().size());
    for (const auto& [step, times] : row.transfers.steps()) {
        packer.number(step);
        packer.number(times);
    }
}

OperationFold::Row unpackRow(Unpacker& unpacker, size_t groups, std::uint64_t version)
{
    using namespace ledger;
    OperationFold::Row row;
    row.group = static_cast<std::uint32_t>(unpacker.below(groups));
    row.kind = known(unpacker.below(1U << 16U), OperationKinds, OperationKind::Other);
    row.type = known(unpacker.below(256), DataTypes, DataType::Other);
    row.backend = known(unpacker.below(256), Backends, Backend::Other);
    row.algorithm = known(unpacker.below(256), Algorithms, Algorithm::Unknown);
    row.isWire = unpacker.below(2) == 1;
    row.bucket = unpacker.number();
    row.count = unpacker.number();
    row.bytes = unpacker.number();
    row.transferNs = unpacker.difference();
    row.feltNs = unpacker.difference();
    // Of an older one the sum is what there is.
    row.coveredNs = version == WithoutCover ? row.feltNs : unpacker.difference();
    if (!isMoment(row.transferNs) || !isMoment(row.feltNs) || !isMoment(row.coveredNs))
        unpacker.refuse();
    const std::uint64_t steps = unpacker.below(MostSteps + 1);
    for (std::uint64_t i = 0; i < steps && unpacker.isFine(); ++i) {
        const auto step = static_cast<std::uint8_t>(unpacker.below(MostSteps));
        row.transfers.addTo(step, unpacker.number());
    }
    return row;
}

} // namespace

std::string packFold(const OperationFold& fold)
{
    Packer packer;
    packer.number(FoldVersion);
    packer.difference(fold.attempt);
    packer.difference(fold.firstNs);
    packer.difference(fold.untilNs);
    packer.number(fold.operations);
    packGroups(packer, fold.groups);
    packer.number(fold.rows.size());
    for (const OperationFold::Row& row : fold.rows)
        packRow(packer, row);
    return packing::compressed(packer.bytes());
}

Result<OperationFold> unpackFold(std::string_view block)
{
    const std::string bytes = RM_TRY(packing::decompressed(block));
    Unpacker unpacker(bytes);
    const std::uint64_t version = unpacker.number();
    if (version != FoldVersion && version != WithoutCover)
        return packing::damaged("a fold is of another version");
    OperationFold fold;
    fold.attempt = static_cast<int>(unpacker.difference());
    fold.firstNs = unpacker.difference();
    fold.untilNs = unpacker.difference();
    if (!isMoment(fold.firstNs) || !isMoment(fold.untilNs))
        unpacker.refuse();
    fold.operations = unpacker.number();
    fold.groups = unpackGroups(unpacker);
    const std::uint64_t rows = unpacker.below(MostRows);
    while (fold.rows.size() < rows && unpacker.isFine())
        fold.rows.push_back(unpackRow(unpacker, fold.groups.size(), version));
    if (!unpacker.isFine() || !unpacker.isAtEnd())
        return packing::damaged("a fold ends too early or too late");
    return fold;
}

} // namespace ringmaster
