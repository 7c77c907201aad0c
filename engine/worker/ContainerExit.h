#pragma once

#include "engine/worker/ExitExplanation.h"

#include <optional>

namespace ringmaster {

/// What an engine of containers says itself when it can't start what it should; nothing where the
/// program within has ended, or there was no container.
std::optional<Message> explainContainerExit(const ExitFacts& facts);

} // namespace ringmaster
