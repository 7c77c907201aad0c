#pragma once

#include "engine/ledger/CallKinds.h"

#include <string_view>

namespace ringmaster {

/// What torch's backends, its profiler and NCCL call an operation: "_all_gather_base",
/// "allreduce", "AllReduce". Other: not known.
ledger::OperationKind kindCalled(std::string_view name);

/// c10's and the profiler's names: "Float", "float", "c10::BFloat16".
ledger::DataType typeCalled(std::string_view name);

/// By what one rank brings and takes, in elements: as nccl-tests counts the size of an operation,
/// which is that of all ranks for those that gather and scatter.
std::uint64_t wholeElements(ledger::OperationKind kind, std::uint64_t input, std::uint64_t output,
                            std::uint64_t ranks);

} // namespace ringmaster
