#pragma once

#include "engine/base/Error.h"

namespace ringmaster::code {

#define RM_CODE(name, english) inline constexpr Code name = codeOf(#name);
#include "engine/import/Codes.def"
#undef RM_CODE

} // namespace ringmaster::code
