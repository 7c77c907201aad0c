#pragma once

#include "engine/ledger/CallKinds.h"

#include <array>

namespace ringmaster::ledger {

/// How many times the tensors of `data` are the size that nccl-tests shows.
enum class Scale { None, One, Ranks };

/// One of torch's c10d operators: which of its arguments says what. -1: none.
struct OperationShape
{
    const char* name;
    OperationKind kind;
    int arguments;
    int data;
    Scale scale;
    int group;
    int reduction = -1;
    int peer = -1;
    int tag = -1;

    /// Where it says whether the caller goes on meanwhile: last, or before a timeout.
    constexpr int goesOn() const
    {
        switch (kind) {
        case OperationKind::MonitoredBarrier:
        case OperationKind::Send:
        case OperationKind::Receive:
        case OperationKind::ReceiveAny: return -1;
        case OperationKind::AllGatherCoalesced:
        case OperationKind::AllGatherIntoTensorCoalesced: return arguments - 1;
        default: return arguments - 2; // of the other operators of torch 2
        }
    }
};

/// The schemas of torch 2.x's torch/csrc/distributed/c10d/Ops.cpp; list arguments come outputs
/// first.
constexpr std::array<OperationShape, 20> OperationTable{{
    {"allreduce_", OperationKind::AllReduce, 6, 0, Scale::One, 1, 2},
    {"allreduce_coalesced_", OperationKind::AllReduceCoalesced, 5, 0, Scale::One, 1, 2},
    {"broadcast_", OperationKind::Broadcast, 6, 0, Scale::One, 1, -1, 2},
    {"reduce_", OperationKind::Reduce, 7, 0, Scale::One, 1, 2, 3},
    {"allgather_", OperationKind::AllGather, 5, 1, Scale::Ranks, 2},
    {"_allgather_base_", OperationKind::AllGatherIntoTensor, 5, 1, Scale::Ranks, 2},
    {"allgather_coalesced_", OperationKind::AllGatherCoalesced, 4, 1, Scale::Ranks, 2},
    {"allgather_into_tensor_coalesced_", OperationKind::AllGatherIntoTensorCoalesced, 4, 1,
     Scale::Ranks, 2},
    {"reduce_scatter_", OperationKind::ReduceScatter, 6, 0, Scale::Ranks, 2, 3},
    {"_reduce_scatter_base_", OperationKind::ReduceScatterTensor, 6, 0, Scale::Ranks, 2, 3},
    {"reduce_scatter_tensor_coalesced_", OperationKind::ReduceScatterTensorCoalesced, 6, 0,
     Scale::Ranks, 2, 3},
    {"alltoall_", OperationKind::AllToAll, 5, 1, Scale::One, 2},
    {"alltoall_base_", OperationKind::AllToAllSingle, 7, 1, Scale::One, 2},
    {"gather_", OperationKind::Gather, 6, 1, Scale::Ranks, 2, -1, 3},
    {"scatter_", OperationKind::Scatter, 6, 0, Scale::Ranks, 2, -1, 3},
    {"barrier", OperationKind::Barrier, 5, -1, Scale::None, 1},
    {"monitored_barrier_", OperationKind::MonitoredBarrier, 5, -1, Scale::None, 1},
    {"send", OperationKind::Send, 4, 0, Scale::One, 1, -1, 2, 3},
    {"recv_", OperationKind::Receive, 4, 0, Scale::One, 1, -1, 2, 3},
    {"recv_any_source_", OperationKind::ReceiveAny, 3, 0, Scale::One, 1, -1, -1, 2},
}};

} // namespace ringmaster::ledger
