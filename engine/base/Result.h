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

/// Yields the value of a Result, or returns its error from the enclosing function.
#define RM_TRY(expression)                                                                         \
    __extension__({                                                                                \
        auto rmResult = (expression);                                                              \
        if (!rmResult)                                                                             \
            return tl::unexpected(std::move(rmResult).error());                                    \
        ::ringmaster::detail::take(rmResult);                                                      \
    })
