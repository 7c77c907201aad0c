#include "engine/import/TorchNames.h"

#include "engine/import/BoundedCount.h"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

namespace ringmaster {

using ledger::DataType;
using ledger::OperationKind;

namespace {

constexpr auto Kinds = std::to_array<std::pair<std::string_view, OperationKind>>({
    {"allreduce", OperationKind::AllReduce},
    {"allreducebarrier", OperationKind::Barrier},
    {"allreducecoalesced", OperationKind::AllReduceCoalesced},
    {"broadcast", OperationKind::Broadcast},
    {"broadcastoop", OperationKind::Broadcast},
    {"reduce", OperationKind::Reduce},
    {"reduceoop", OperationKind::Reduce},
    {"allgather", OperationKind::AllGather},
    {"allgatherbase", OperationKind::AllGatherIntoTensor},
    {"allgathercoalesced", OperationKind::AllGatherCoalesced},
    {"allgatherintotensor", OperationKind::AllGatherIntoTensor},
    {"allgatherintotensorcoalesced", OperationKind::AllGatherIntoTensorCoalesced},
    {"reducescatter", OperationKind::ReduceScatter},
    {"reducescatterbase", OperationKind::ReduceScatterTensor},
    {"reducescattertensor", OperationKind::ReduceScatterTensor},
    {"reducescattertensorcoalesced", OperationKind::ReduceScatterTensorCoalesced},
    {"alltoall", OperationKind::AllToAll},
    {"alltoallbase", OperationKind::AllToAllSingle},
    {"alltoallsingle", OperationKind::AllToAllSingle},
    {"alltoallv", OperationKind::AllToAllSingle},
    {"gather", OperationKind::Gather},
    {"scatter", OperationKind::Scatter},
    {"barrier", OperationKind::Barrier},
    {"monitoredbarrier", OperationKind::MonitoredBarrier},
    {"send", OperationKind::Send},
    {"recv", OperationKind::Receive},
    {"recvanysource", OperationKind::ReceiveAny},
});

constexpr auto Types = std::to_array<std::pair<std::string_view, DataType>>({
    {"byte", DataType::Uint8},
    {"unsignedchar", DataType::Uint8},
    {"uint8", DataType::Uint8},
    {"char", DataType::Int8},
    {"signedchar", DataType::Int8},
    {"int8", DataType::Int8},
    {"short", DataType::Int16},
    {"shortint", DataType::Int16},
    {"int", DataType::Int32},
    {"int32", DataType::Int32},
    {"long", DataType::Int64},
    {"longint", DataType::Int64},
    {"int64", DataType::Int64},
    {"half", DataType::Float16},
    {"float16", DataType::Float16},
    {"bfloat16", DataType::Bfloat16},
    {"float", DataType::Float32},
    {"float32", DataType::Float32},
    {"double", DataType::Float64},
    {"float64", DataType::Float64},
    {"bool", DataType::Bool},
    {"complexfloat", DataType::Complex64},
    {"complex<float>", DataType::Complex64},
    {"complexdouble", DataType::Complex128},
    {"complex<double>", DataType::Complex128},
});

/// Lower case, without what the different names differ in.
std::string plain(std::string_view name)
{
    constexpr size_t Longest = 64;
    if (name.starts_with("c10::"))
        name.remove_prefix(5);
    std::string text;
    for (const char character : name.substr(0, Longest)) {
        if (character != '_' && character != ' ')
            text += static_cast<char>(character >= 'A' && character <= 'Z' ? character + ('a' - 'A')
                                                                           : character);
    }
    return text;
}

std::uint64_t times(std::uint64_t one, std::uint64_t other)
{
    return boundedProduct(one, other, std::numeric_limits<std::int64_t>::max());
}

} // namespace

OperationKind kindCalled(std::string_view name)
{
    const std::string wanted = plain(name);
    const auto* const found = std::ranges::find(Kinds, wanted, &decltype(Kinds)::value_type::first);
    return found == Kinds.end() ? OperationKind::Other : found->second;
}

DataType typeCalled(std::string_view name)
{
    const std::string wanted = plain(name);
    if (wanted.empty())
        return DataType::None;
    if (wanted.starts_with("float8"))
        return DataType::Float8;
    const auto* const found = std::ranges::find(Types, wanted, &decltype(Types)::value_type::first);
    return found == Types.end() ? DataType::Other : found->second;
}

std::uint64_t wholeElements(OperationKind kind, std::uint64_t input, std::uint64_t output,
                            std::uint64_t ranks)
{
    switch (kind) {
    case OperationKind::AllGather:
    case OperationKind::AllGatherIntoTensor:
    case OperationKind::AllGatherCoalesced:
    case OperationKind::AllGatherIntoTensorCoalesced:
        return output != 0 ? output : times(input, ranks);
    case OperationKind::Gather: return times(input, ranks);
    case OperationKind::Scatter: return times(output, ranks);
    case OperationKind::Receive:
    case OperationKind::ReceiveAny: return output != 0 ? output : input;
    case OperationKind::Other:
    case OperationKind::AllReduce:
    case OperationKind::AllReduceCoalesced:
    case OperationKind::Broadcast:
    case OperationKind::Reduce:
    case OperationKind::ReduceScatter:
    case OperationKind::ReduceScatterTensor:
    case OperationKind::ReduceScatterTensorCoalesced:
    case OperationKind::AllToAll:
    case OperationKind::AllToAllSingle:
    case OperationKind::Barrier:
    case OperationKind::MonitoredBarrier:
    case OperationKind::Send:
    case OperationKind::InitProcessGroup:
    case OperationKind::NewGroup: break;
    }
    return input != 0 ? input : output;
}

} // namespace ringmaster
