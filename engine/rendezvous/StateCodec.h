#pragma once

#include "engine/base/Result.h"
#include "engine/rendezvous/Codes.h"
#include "engine/rendezvous/State.h"

#include <string>
#include <string_view>

namespace ringmaster {

/// Reads the state as torchrun's agents store it: base64 of a Python pickle, protocol 4 or 5.
/// Nothing is evaluated: 31 opcodes and 5 class names are known, sizes and types are strict, and an
/// unknown field, a trailing byte or anything else is refused with code::RendezvousStateRefused.
Result<RendezvousState> decodeState(std::string_view base64);

/// Writes a state that torchrun's agents load. The same state gives the same text.
std::string encodeState(const RendezvousState& state);

/// What every agent first puts there while there is no state yet.
inline constexpr std::string_view EmptyStateText = "Y2FuaW1hZGFt";

} // namespace ringmaster
