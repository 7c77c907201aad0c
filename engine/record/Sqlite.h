#pragma once

#include "engine/base/Result.h"

#include <filesystem>
#include <utility>

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Exception.h>
#include <SQLiteCpp/Statement.h>

/// Where SQLiteCpp's exceptions end. Inside engine/record only.
namespace ringmaster {

/// How long one waits for another process that writes.
constexpr int BusyTimeoutMs = 2000;

Error sqliteError(const SQLite::Exception& exception, const std::filesystem::path& path);

/// Calls what may throw SQLite::Exception; yields a Result whether or not it returns one.
template <class Call>
auto guarded(const std::filesystem::path& path, Call&& call)
{
    using Returned = decltype(call());
    if constexpr (requires { std::declval<Returned&>().error(); }) {
        try {
            return call();
        } catch (const SQLite::Exception& exception) {
            return Returned(tl::unexpected(sqliteError(exception, path)));
        }
    } else {
        try {
            if constexpr (std::is_void_v<Returned>) {
                call();
                return Result<void>();
            } else {
                return Result<Returned>(call());
            }
        } catch (const SQLite::Exception& exception) {
            return Result<Returned>(tl::unexpected(sqliteError(exception, path)));
        }
    }
}

/// A column's bytes, whatever they are.
std::string bytesOf(const SQLite::Column& column);

/// SQLite counts in signed 64 bits.
inline std::int64_t signedOf(std::uint64_t number)
{
    return static_cast<std::int64_t>(std::min<std::uint64_t>(number, INT64_MAX));
}

/// A negative number, which only a damaged file has, is 0.
inline std::uint64_t unsignedOf(std::int64_t number)
{
    return number < 0 ? 0 : static_cast<std::uint64_t>(number);
}

} // namespace ringmaster
