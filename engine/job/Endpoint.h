#pragma once

#include "engine/base/Result.h"

#include <string>
#include <string_view>

namespace ringmaster {

struct Endpoint
{
    std::string host{};
    int port = 0;

    bool operator==(const Endpoint&) const = default;
};

/// torch's parse_rendezvous_endpoint: "host", "host:port", "[::1]:port"; "" is localhost.
Result<Endpoint> parseEndpoint(std::string_view text, int defaultPort);

/// The port of c10d where an endpoint names none.
constexpr int DefaultC10dPort = 29400;

} // namespace ringmaster
