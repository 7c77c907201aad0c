#include "engine/node/FoldRows.h"

namespace ringmaster {

void appendFolds(RunFileWriter& writer, const std::vector<OperationFold>& folds)
{
    for (const OperationFold& fold : folds)
        writer.appendFold({.attempt = fold.attempt,
                           .firstNs = fold.firstNs,
                           .untilNs = fold.untilNs,
                           .count = fold.operations,
                           .block = packFold(fold)});
}

} // namespace ringmaster
