#pragma once

#include "engine/text/NumberList.h"

namespace ringmaster {

/// A progress bar of tqdm, Lightning, rich or Keras: how far it is and of how much, its rate, and
/// the numbers behind it. False: the text is none.
///   Epoch 3:  42%|####2     | 420/1000 [00:12<00:17, 33.60it/s, loss=0.31]
bool readBarNumbers(std::string_view text, NumberList& numbers);

/// Whether a bar ends there, as far as that can be seen before the line does.
bool isWholeBar(std::string_view text);

} // namespace ringmaster
