#pragma once

#include <string_view>

namespace ringmaster {

/// For a store that hosts a c10d rendezvous: false for a value under `torch.rendezvous.<id>` that
/// isn't a plain state. torchrun's agents unpickle that value, so whoever may write it could run
/// code in them. Keys are as on the wire.
bool isHarmlessWrite(std::string_view key, std::string_view value);

} // namespace ringmaster
