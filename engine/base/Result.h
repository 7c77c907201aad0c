#pragma once

#include "engine/base/Error.h"

#include <type_traits>
#include <utility>

#include <tl/expected.hpp>

namespace ringmaster {

/// A value, or the reason why there is none. Never ignored silently.
template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Code code, Parameters parameters = {}, std::string detail = {})
{
    return tl::unexpected(Error{{code, std::move(parameters), std::move(detail)}, {}});
}

namespace detail {
template <class T>
T take(Result<T>& result)
{
    if constexpr (!std::is_void_v<T>)
        return *std::move(result);
}
} // namespace detail

} // namespace ringmaster

#define RM_JOIN_EXPANDED(left, right) left##right
#define RM_JOIN(left, right) RM_JOIN_EXPANDED(left, right)
#define RM_TRY_NAMED(result, expression)                                                           \
    __extension__({                                                                                \
        auto result = (expression);                                                                \
        if (!result)                                                                               \
            return tl::unexpected(std::move(result).error());                                      \
        ::ringmaster::detail::take(result);                                                        \
    })

/// Yields the value of a Result, or returns its error from the enclosing function. May be nested.
/// Not between the braces of an initialiser: on the way out, g++ 12 forgets the members before it.
#define RM_TRY(expression) RM_TRY_NAMED(RM_JOIN(rmResult, __COUNTER__), expression)
