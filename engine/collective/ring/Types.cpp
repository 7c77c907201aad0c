#include "engine/collective/ring/Types.h"

namespace ringmaster::ring {

size_t sizeOf(DataType type)
{
    switch (type) {
    case DataType::Bytes:
    case DataType::Bool:
    case DataType::Int8:
    case DataType::UInt8: return 1;
    case DataType::Float16:
    case DataType::BFloat16: return 2;
    case DataType::Int32:
    case DataType::Float32: return 4;
    case DataType::Int64:
    case DataType::Float64: return 8;
    }
    return 1;
}

std::string_view nameOf(DataType type)
{
    switch (type) {
    case DataType::Bytes: return "bytes";
    case DataType::Bool: return "bool";
    case DataType::Int8: return "int8";
    case DataType::UInt8: return "uint8";
    case DataType::Int32: return "int32";
    case DataType::Int64: return "int64";
    case DataType::Float16: return "float16";
    case DataType::BFloat16: return "bfloat16";
    case DataType::Float32: return "float32";
    case DataType::Float64: return "float64";
    }
    return "?";
}

std::string_view nameOf(Reduction reduction)
{
    switch (reduction) {
    case Reduction::Sum: return "sum";
    case Reduction::Product: return "product";
    case Reduction::Min: return "min";
    case Reduction::Max: return "max";
    case Reduction::Average: return "avg";
    }
    return "?";
}

std::string_view nameOf(Algorithm algorithm)
{
    switch (algorithm) {
    case Algorithm::Auto: return "auto";
    case Algorithm::Ring: return "ring";
    case Algorithm::Tree: return "tree";
    case Algorithm::Direct: return "direct";
    }
    return "?";
}

std::string_view nameOf(Operation operation)
{
    switch (operation) {
    case Operation::None: return "none";
    case Operation::AllReduce: return "all_reduce";
    case Operation::Reduce: return "reduce";
    case Operation::Broadcast: return "broadcast";
    case Operation::AllGather: return "all_gather";
    case Operation::ReduceScatter: return "reduce_scatter";
    case Operation::Scatter: return "scatter";
    case Operation::Gather: return "gather";
    case Operation::AllToAll: return "all_to_all";
    case Operation::Barrier: return "barrier";
    case Operation::Send: return "send";
    case Operation::Receive: return "recv";
    }
    return "?";
}

} // namespace ringmaster::ring
