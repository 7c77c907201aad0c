#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace ringmaster {

/// Who listens on a TCP port of this machine, as far as /proc tells: "process 123 (python
/// train.py)", or of another user's process only "another user's process". Nothing when nobody
/// listens.
std::optional<std::string> holderOfPort(std::uint16_t port);

} // namespace ringmaster
