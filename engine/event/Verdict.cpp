#include "engine/event/Verdict.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace ringmaster {

std::string secondsPassed(std::int64_t nanoseconds)
{
    const std::int64_t tenths = std::max<std::int64_t>(0, nanoseconds) / 100'000'000;
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

Message atTime(Message message, std::int64_t nowNs)
{
    const auto since = message.parameters.find("since");
    const auto seconds = message.parameters.find("seconds");
    if (since == message.parameters.end() || seconds == message.parameters.end())
        return message;
    const std::string& text = since->second;
    std::int64_t sinceNs = 0;
    if (std::from_chars(text.data(), text.data() + text.size(), sinceNs).ec == std::errc() &&
        sinceNs > 0 && sinceNs <= nowNs)
        seconds->second = secondsPassed(nowNs - sinceNs);
    return message;
}

Message frozenAt(Message message, std::int64_t nowNs)
{
    message = atTime(std::move(message), nowNs);
    message.parameters.erase("since");
    return message;
}

} // namespace ringmaster
