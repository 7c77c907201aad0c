#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <array>

namespace ringmaster::ledger {

namespace {

constexpr std::array<std::string_view, OperationKinds> KindNames{
    "operation",
    "all_reduce",
    "all_reduce_coalesced",
    "broadcast",
    "reduce",
    "all_gather",
    "all_gather_into_tensor",
    "all_gather_coalesced",
    "all_gather_into_tensor_coalesced",
    "reduce_scatter",
    "reduce_scatter_tensor",
    "reduce_scatter_tensor_coalesced",
    "all_to_all",
    "all_to_all_single",
    "gather",
    "scatter",
    "barrier",
    "monitored_barrier",
    "send",
    "recv",
    "recv (any)",
    "init_process_group",
    "new_group",
};

constexpr std::array<std::string_view, DataTypes> TypeNames{
    "",        "uint8",   "int8", "int16",     "int32",      "int64",  "float16", "bfloat16",
    "float32", "float64", "bool", "complex64", "complex128", "float8", "other"};

constexpr std::array<std::uint32_t, DataTypes> TypeSizes{0, 1, 1, 2, 4,  8, 2, 2,
                                                         4, 8, 1, 8, 16, 1, 0};

constexpr std::array<std::string_view, Reductions> ReductionNames{
    "", "sum", "avg", "product", "min", "max", "and", "or", "xor", "other"};

constexpr std::array<std::string_view, Algorithms> AlgorithmNames{"", "ring", "tree", "direct"};

/// A number from a file or from shared memory may be any.
template <class Value, std::size_t Size, class Kind>
Value at(const std::array<Value, Size>& values, Kind kind, Value otherwise)
{
    const auto index = static_cast<std::size_t>(kind);
    return index < Size ? values[index] : otherwise;
}

} // namespace

std::string_view nameOf(OperationKind kind)
{
    return at(KindNames, kind, KindNames[0]);
}

std::optional<OperationKind> operationKindOf(std::string_view name)
{
    const auto* const found = std::ranges::find(KindNames, name);
    if (found == KindNames.end())
        return std::nullopt;
    return static_cast<OperationKind>(found - KindNames.begin());
}

std::string_view nameOf(DataType type)
{
    return at(TypeNames, type, TypeNames.back());
}

std::uint32_t sizeOf(DataType type)
{
    return at(TypeSizes, type, 0U);
}

std::string_view nameOf(Reduction reduction)
{
    return at(ReductionNames, reduction, ReductionNames.back());
}

std::string_view nameOf(Algorithm algorithm)
{
    return at(AlgorithmNames, algorithm, AlgorithmNames.front());
}

std::string_view nameOf(Backend backend)
{
    return at(BackendNames, backend, BackendNames.back());
}

std::string wayText(Backend backend, Algorithm algorithm)
{
    std::string text(nameOf(backend));
    if (algorithm != Algorithm::Unknown)
        text += (text.empty() ? "" : ", ") + std::string(nameOf(algorithm));
    return text;
}

bool hasRoot(OperationKind kind)
{
    return kind == OperationKind::Broadcast || kind == OperationKind::Reduce ||
           kind == OperationKind::Gather || kind == OperationKind::Scatter;
}

bool isSynchronising(OperationKind kind)
{
    return kind != OperationKind::Other && !isPointToPoint(kind) && !hasRoot(kind) &&
           !makesGroup(kind);
}

double busFactor(OperationKind kind, int ranks)
{
    if (ranks < 1)
        return 0;
    const double n = ranks;
    switch (kind) {
    case OperationKind::AllReduce:
    case OperationKind::AllReduceCoalesced: return 2 * (n - 1) / n;
    case OperationKind::AllGather:
    case OperationKind::AllGatherIntoTensor:
    case OperationKind::AllGatherCoalesced:
    case OperationKind::AllGatherIntoTensorCoalesced:
    case OperationKind::ReduceScatter:
    case OperationKind::ReduceScatterTensor:
    case OperationKind::ReduceScatterTensorCoalesced:
    case OperationKind::AllToAll:
    case OperationKind::AllToAllSingle:
    case OperationKind::Gather:
    case OperationKind::Scatter: return (n - 1) / n;
    case OperationKind::Broadcast:
    case OperationKind::Reduce:
    case OperationKind::Send:
    case OperationKind::Receive:
    case OperationKind::ReceiveAny: return 1;
    case OperationKind::Barrier:
    case OperationKind::MonitoredBarrier:
    case OperationKind::InitProcessGroup:
    case OperationKind::NewGroup:
    case OperationKind::Other: return 0;
    }
    return 0;
}

} // namespace ringmaster::ledger
