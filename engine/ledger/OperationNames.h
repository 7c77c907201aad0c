#pragma once

#include "engine/ledger/CallKinds.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace ringmaster::ledger {

/// As torch.distributed names it: "all_reduce".
std::string_view nameOf(OperationKind kind);
std::optional<OperationKind> operationKindOf(std::string_view name);

/// As torch names it: "float32"; DataType::None is "".
std::string_view nameOf(DataType type);
/// Of one element; 0 where unknown.
std::uint32_t sizeOf(DataType type);

/// "sum"; Reduction::None is "".
std::string_view nameOf(Reduction reduction);

/// "ring"; Algorithm::Unknown is "".
std::string_view nameOf(Algorithm algorithm);
/// "gloo"; Backend::Unknown is "".
std::string_view nameOf(Backend backend);
/// "ring, tree": the backend, and the algorithm where it is known; "" where neither is.
std::string wayText(Backend backend, Algorithm algorithm);

/// All ranks have to have entered before any can leave: its duration on the last to come is the
/// transfer alone.
bool isSynchronising(OperationKind kind);
/// One rank, `peer`, gives or takes everything.
bool hasRoot(OperationKind kind);

/// busbw = algbw * factor, as nccl-tests has it for `ranks`.
double busFactor(OperationKind kind, int ranks);

} // namespace ringmaster::ledger
