#pragma once

#include "engine/base/Result.h"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ringmaster {

/// http://host:port/path
struct HttpUrl
{
    std::string host{}; ///< Without the brackets of an IPv6 address.
    std::string port{"80"};
    std::string path{}; ///< Without a slash at its end; empty: the root.

    /// Without what isn't http, and without names and passwords.
    static std::optional<HttpUrl> parse(std::string_view text);
    std::string authority() const; ///< "host:port"
    std::string text() const { return "http://" + authority() + path; }
};

struct HttpAnswer
{
    int status = 0;
    std::string retryAfter{}; ///< As the header has it.
    std::string body{};       ///< Its first 64 KiB.
};

using HttpHeaders = std::vector<std::pair<std::string, std::string>>;

/// Sends `body` as JSON and waits for the answer, all within `timeout`. One connection for each
/// request; nobody is followed elsewhere, and there is no TLS. Blocks.
Result<HttpAnswer> httpPost(const HttpUrl& url, const HttpHeaders& headers, std::string_view body,
                            std::chrono::milliseconds timeout);

} // namespace ringmaster
