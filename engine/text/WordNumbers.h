#pragma once

#include "engine/text/NumberList.h"

namespace ringmaster {

/// Numbers that stand behind a name which isNumberName() knows: "loss 0.31", "lr=1e-4", "step:
/// 120/1000", "Epoch [3/10]", "Accuracy: 9850/10000 (98%)".
void readWordNumbers(std::string_view text, NumberList& numbers);

} // namespace ringmaster
