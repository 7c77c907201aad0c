#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace ringmaster::ring {

/// What a reduction reads its buffers as. Operations that only move data take bytes.
enum class DataType : std::uint8_t {
    Bytes,
    Bool,
    Int8,
    UInt8,
    Int32,
    Int64,
    Float16,
    BFloat16,
    Float32,
    Float64
};

enum class Reduction : std::uint8_t { Sum, Product, Min, Max, Average };

/// Auto takes the quickest for the size; the same on every rank, since only the call decides.
enum class Algorithm : std::uint8_t { Auto, Ring, Tree, Direct };

enum class Operation : std::uint8_t {
    None,
    AllReduce,
    Reduce,
    Broadcast,
    AllGather,
    ReduceScatter,
    Scatter,
    Gather,
    AllToAll,
    Barrier,
    Send,
    Receive
};

/// On the monotonic clock; everything that waits has one.
using Deadline = std::chrono::steady_clock::time_point;

using Bytes = std::span<std::byte>;
using ConstBytes = std::span<const std::byte>;

size_t sizeOf(DataType type);

/// torch's own names: float32, all_reduce, sum …
std::string_view nameOf(DataType type);
std::string_view nameOf(Reduction reduction);
std::string_view nameOf(Algorithm algorithm);
std::string_view nameOf(Operation operation);

} // namespace ringmaster::ring
