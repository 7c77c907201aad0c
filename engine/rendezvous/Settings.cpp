#include "engine/rendezvous/Settings.h"

#include "engine/rendezvous/Codes.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <set>

namespace ringmaster {

namespace {

std::optional<int> positiveNumber(const std::string& text)
{
    int value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || value <= 0)
        return std::nullopt;
    return value;
}

Result<std::chrono::milliseconds> writeBackoff(const std::string& text)
{
    constexpr double Longest = 86'400;
    double seconds = -1;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), seconds);
    if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size() || !(seconds >= 0) ||
        std::isinf(seconds))
        return fail(code::RendezvousConfigurationInvalid,
                    {{"key", "cas_backoff_max_seconds"},
                     {"value", text},
                     {"expected", "it is a number of seconds, 0 or more"}});
    return std::chrono::milliseconds(std::llround(std::min(seconds, Longest) * 1000));
}

} // namespace

Result<void> applyConfiguration(const std::map<std::string, std::string>& configuration,
                                RendezvousSettings& settings)
{
    const std::map<std::string, std::chrono::seconds*> durations{
        {"timeout", &settings.staticTimeout},
        {"join_timeout", &settings.joinTimeout},
        {"last_call_timeout", &settings.lastCallTimeout},
        {"close_timeout", &settings.closeTimeout},
        {"keep_alive_interval", &settings.keepAliveInterval},
        {"read_timeout", &settings.readTimeout},
        {"node_timeout", &settings.nodeTimeout},
        {"lead_timeout", &settings.leadTimeout},
    };
    for (const auto& [key, value] : configuration) {
        if (key == "cas_backoff_max_seconds") {
            settings.longestWriteBackoff = RM_TRY(writeBackoff(value));
            continue;
        }
        const auto duration = durations.find(key);
        if (duration == durations.end() && key != "keep_alive_max_attempt")
            continue;
        const auto number = positiveNumber(value);
        if (!number)
            return fail(
                code::RendezvousConfigurationInvalid,
                {{"key", key}, {"value", value}, {"expected", "it is a whole number above 0"}});
        if (duration == durations.end())
            settings.keepAliveMaxAttempt = *number;
        else
            *duration->second = std::chrono::seconds(*number);
    }
    return {};
}

Result<std::optional<bool>> hostingChoice(const std::map<std::string, std::string>& configuration)
{
    const auto found = configuration.find("is_host");
    if (found == configuration.end())
        return std::nullopt;
    std::string text = found->second;
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    static const std::set<std::string> yes{"1", "true", "t", "yes", "y"};
    static const std::set<std::string> no{"0", "false", "f", "no", "n"};
    if (yes.contains(text))
        return true;
    if (no.contains(text))
        return false;
    return fail(
        code::RendezvousConfigurationInvalid,
        {{"key", "is_host"}, {"value", found->second}, {"expected", "it is true or false"}});
}

Result<RendezvousEndpoint> parseEndpoint(const std::string& text, int defaultPort)
{
    const auto invalid = [&] {
        return fail(code::RendezvousEndpointInvalid, {{"endpoint", text}});
    };
    RendezvousEndpoint endpoint{.host = "localhost", .port = defaultPort};
    if (text.empty())
        return endpoint;

    std::string port;
    if (text.front() == '[') {
        const size_t close = text.find(']');
        if (close == std::string::npos || (close + 1 < text.size() && text[close + 1] != ':'))
            return invalid();
        endpoint.host = text.substr(1, close - 1);
        port = close + 1 < text.size() ? text.substr(close + 2) : "";
        if (close + 1 < text.size() && port.empty())
            return invalid();
    } else {
        const size_t colon = text.rfind(':');
        endpoint.host = text.substr(0, colon);
        if (colon != std::string::npos) {
            port = text.substr(colon + 1);
            if (port.empty())
                return invalid();
        }
    }
    const auto allowed = [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '.' || c == ':' || c == '-';
    };
    if (endpoint.host.empty() || !std::all_of(endpoint.host.begin(), endpoint.host.end(), allowed))
        return invalid();
    if (!port.empty()) {
        const auto parsed = std::from_chars(port.data(), port.data() + port.size(), endpoint.port);
        if (parsed.ec != std::errc() || parsed.ptr != port.data() + port.size() ||
            endpoint.port < 0 || endpoint.port > 65'535)
            return invalid();
    }
    return endpoint;
}

} // namespace ringmaster
