#pragma once

#include "engine/base/Result.h"
#include "engine/ledger/Codes.h"
#include "engine/ledger/Operation.h"

namespace ringmaster {

/// Operations as files hold them: packed, compressed, each block complete in itself. About eight
/// bytes an operation.
std::string packOperations(const OperationBatch& batch);

/// Bounded, whatever the bytes are; code::LedgerDamaged where they are no block.
Result<OperationBatch> unpackOperations(std::string_view block);

/// Above this, pack several blocks.
constexpr size_t MostOperationsOfABlock = 16'384;

} // namespace ringmaster
