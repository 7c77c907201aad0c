#include "engine/job/Endpoint.h"

#include "engine/job/Codes.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <cctype>

namespace ringmaster {

namespace {

bool isHost(std::string_view host)
{
    const auto belongs = [](unsigned char c) {
        return c >= 0x80 || std::isalnum(c) != 0 || c == '_' || c == '.' || c == ':' || c == '-';
    };
    return !host.empty() && std::ranges::all_of(host, belongs);
}

} // namespace

Result<Endpoint> parseEndpoint(std::string_view text, int defaultPort)
{
    const std::string_view endpoint = stripped(text);
    if (endpoint.empty())
        return Endpoint{"localhost", defaultPort};
    const bool bracketed = endpoint.front() == '[' && endpoint.back() == ']';
    const size_t colon = bracketed ? std::string_view::npos : endpoint.rfind(':');
    std::string_view host = endpoint.substr(0, colon);
    if (host.size() > 1 && host.front() == '[' && host.back() == ']')
        host = host.substr(1, host.size() - 2);
    Endpoint result{std::string(host), defaultPort};
    if (colon != std::string_view::npos) {
        const auto port = digitsToInt(endpoint.substr(colon + 1), 5);
        if (!port || *port > 65535)
            return fail(code::EndpointBadPort, {{"endpoint", std::string(endpoint)}});
        result.port = *port;
    }
    if (!isHost(host))
        return fail(code::EndpointBadHost, {{"endpoint", std::string(endpoint)}});
    return result;
}

} // namespace ringmaster
