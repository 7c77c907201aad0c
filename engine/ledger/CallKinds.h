#pragma once

// See Layout.h: C++17 and libc only.

#include <array>
#include <cstdint>
#include <string_view>

namespace ringmaster::ledger {

/// What was called, by torch.distributed's names. The numbers are in files: appended, never
/// changed.
enum class OperationKind : std::uint16_t {
    Other,
    AllReduce,
    AllReduceCoalesced,
    Broadcast,
    Reduce,
    AllGather,
    AllGatherIntoTensor,
    AllGatherCoalesced,
    AllGatherIntoTensorCoalesced,
    ReduceScatter,
    ReduceScatterTensor,
    ReduceScatterTensorCoalesced,
    AllToAll,
    AllToAllSingle,
    Gather,
    Scatter,
    Barrier,
    MonitoredBarrier,
    Send,
    Receive,
    ReceiveAny,
    InitProcessGroup,
    NewGroup,
};
constexpr std::uint16_t OperationKinds = 23;

/// Makes a group, and moves no data. It is the first and only operation of a group of its own,
/// whose members are those of the group that is made, and whose name says which one of the program
/// it is.
constexpr bool makesGroup(OperationKind kind)
{
    return kind == OperationKind::InitProcessGroup || kind == OperationKind::NewGroup;
}

constexpr bool isPointToPoint(OperationKind kind)
{
    return kind == OperationKind::Send || kind == OperationKind::Receive ||
           kind == OperationKind::ReceiveAny;
}

enum class DataType : std::uint8_t {
    None, ///< Without data, as a barrier, or of several types.
    Uint8,
    Int8,
    Int16,
    Int32,
    Int64,
    Float16,
    Bfloat16,
    Float32,
    Float64,
    Bool,
    Complex64,
    Complex128,
    Float8,
    Other,
};
constexpr std::uint8_t DataTypes = 15;

enum class Reduction : std::uint8_t { None, Sum, Average, Product, Min, Max, And, Or, Xor, Other };
constexpr std::uint8_t Reductions = 10;

/// How it was carried out, where that is known: ring only, whose steps it may record.
enum class Algorithm : std::uint8_t { Unknown, Ring, Tree, Direct };
constexpr std::uint8_t Algorithms = 4;

/// What the caller does until the operation is over: waits in the call, or goes on and may wait
/// later.
enum class Caller : std::uint8_t { Unknown, Waits, GoesOn };
constexpr std::uint8_t Callers = 3;

/// Who carried it out. The numbers are in files: appended, never changed.
enum class Backend : std::uint8_t { Unknown, Gloo, Ring, Nccl, Mpi, Ucc, Other };
constexpr std::uint8_t Backends = 7;

/// As torch.distributed names them; Unknown is "".
constexpr std::array<std::string_view, Backends> BackendNames{"",    "gloo", "ring", "nccl",
                                                              "mpi", "ucc",  "other"};

constexpr Backend backendNamed(std::string_view name)
{
    for (std::uint8_t number = 0; number < Backends; ++number) {
        if (BackendNames[number] == name)
            return static_cast<Backend>(number);
    }
    return Backend::Other;
}

} // namespace ringmaster::ledger
