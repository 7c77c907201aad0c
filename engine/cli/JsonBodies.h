#pragma once

#include "engine/cli/Json.h"

namespace ringmaster {

/// What an event tells, without when and from where; "kind" is the body's name.
Json bodyAsJson(const EventBody& body);

} // namespace ringmaster
