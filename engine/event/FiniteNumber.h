#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Result.h"

#include <cmath>
#include <string>
#include <string_view>

namespace ringmaster {

/// `value`, for a message of somebody else's; infinite and NaN are nobody's measurements.
inline Result<double> finite(double value, std::string_view what)
{
    if (!std::isfinite(value))
        return fail(code::MalformedMessage, {{"what", std::string(what)}});
    return value;
}

} // namespace ringmaster
