#pragma once

#include "engine/ledger/CallKinds.h"

#include <array>

namespace ringmaster::ledger {

/// How many times the tensors of `data` are the size that nccl-tests shows.
enum class Scale { None, One, Ranks };

/// One of torch's c10d operators. Where its other arguments are, its schema says by their names: it
/// changes with torch's version.
struct OperationShape
{
    const char* name;
    OperationKind kind;
    int data; ///< The argument that is moved; -1: none.
    Scale scale;
};

/// The operators of torch 2.6 to 2.15's torch/csrc/distributed/c10d/Ops.cpp; list arguments come
/// outputs first. Not every torch has each.
constexpr std::array<OperationShape, 21> OperationTable{{
    {"allreduce_", OperationKind::AllReduce, 0, Scale::One},
    {"allreduce_coalesced_", OperationKind::AllReduceCoalesced, 0, Scale::One},
    {"broadcast_", OperationKind::Broadcast, 0, Scale::One},
    {"reduce_", OperationKind::Reduce, 0, Scale::One},
    {"allgather_", OperationKind::AllGather, 1, Scale::Ranks},
    {"_allgather_base_", OperationKind::AllGatherIntoTensor, 1, Scale::Ranks},
    {"allgather_coalesced_", OperationKind::AllGatherCoalesced, 1, Scale::Ranks},
    {"allgather_into_tensor_coalesced_", OperationKind::AllGatherIntoTensorCoalesced, 1,
     Scale::Ranks},
    {"reduce_scatter_", OperationKind::ReduceScatter, 0, Scale::Ranks},
    {"_reduce_scatter_base_", OperationKind::ReduceScatterTensor, 0, Scale::Ranks},
    {"reduce_scatter_tensor_coalesced_", OperationKind::ReduceScatterTensorCoalesced, 0,
     Scale::Ranks},
    {"alltoall_", OperationKind::AllToAll, 1, Scale::One},
    {"alltoall_base_", OperationKind::AllToAllSingle, 1, Scale::One},
    {"gather_", OperationKind::Gather, 1, Scale::Ranks},
    {"gather_into_tensor_", OperationKind::Gather, 1, Scale::Ranks},
    {"scatter_", OperationKind::Scatter, 0, Scale::Ranks},
    {"barrier", OperationKind::Barrier, -1, Scale::None},
    {"monitored_barrier_", OperationKind::MonitoredBarrier, -1, Scale::None},
    {"send", OperationKind::Send, 0, Scale::One},
    {"recv_", OperationKind::Receive, 0, Scale::One},
    {"recv_any_source_", OperationKind::ReceiveAny, 0, Scale::One},
}};

} // namespace ringmaster::ledger
