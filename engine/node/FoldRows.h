#pragma once

#include "engine/ledger/OperationFold.h"
#include "engine/record/RunFileWriter.h"

namespace ringmaster {

/// Into the run's file, a row each.
void appendFolds(RunFileWriter& writer, const std::vector<OperationFold>& folds);

} // namespace ringmaster
