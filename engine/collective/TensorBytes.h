#pragma once

#include "engine/collective/ring/Algorithms.h"

#include <optional>

#include <torch/csrc/distributed/c10d/Types.hpp>

namespace ringmaster::collective {

/// A tensor's memory; throws for one that isn't contiguous and in the processor's memory.
ring::Bytes bytesOf(const at::Tensor& tensor);
std::vector<ring::Bytes> bytesOf(const std::vector<at::Tensor>& tensors);
std::vector<ring::ConstBytes> constBytesOf(const std::vector<at::Tensor>& tensors);

/// A tensor's memory in equal parts; throws if it can't be divided so.
std::vector<ring::Bytes> partsOf(const at::Tensor& tensor, int parts);

/// In parts of so many rows each, equal ones if none are given.
std::vector<ring::Bytes> partsOf(const at::Tensor& tensor, const std::vector<std::int64_t>& rows,
                                 int parts);

std::vector<ring::ConstBytes> readOnly(const std::vector<ring::Bytes>& parts);

/// Nothing for a type that the ring can move but not reduce.
std::optional<ring::DataType> elementTypeOf(const at::Tensor& tensor);

/// Throws for what the ring can't reduce.
ring::Arithmetic arithmeticOf(const at::Tensor& tensor, const c10d::ReduceOp& operation);

} // namespace ringmaster::collective
