#include "engine/node/AgentChannel.h"

#include "engine/base/Clock.h"
#include "engine/base/Codes.h"
#include "engine/base/ProcessInfo.h"

#include <array>
#include <cerrno>
#include <charconv>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

namespace {

constexpr std::string_view Greeting = "RINGMASTER-ORDER/1 ";
constexpr size_t LongestOrder = 16U << 20U;
constexpr int PatienceMs = 60'000;

Result<void> readExactly(int input, char* bytes, size_t count)
{
    while (count > 0) {
        pollfd wait{input, POLLIN, 0};
        if (::poll(&wait, 1, PatienceMs) == 0)
            return fail(code::TimedOut, {{"what", "The order of the lead"}, {"seconds", "60"}});
        const ssize_t got = ::read(input, bytes, count);
        if (got < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (got <= 0)
            return fail(code::MalformedMessage, {{"what", "order"}});
        bytes += got;
        count -= static_cast<size_t>(got);
    }
    return {};
}

} // namespace

Result<void> sendLaunchRequest(int channel, const AgentLaunchRequest& order)
{
    const std::string body = serialize(order);
    const std::string text = std::string(Greeting) + std::to_string(body.size()) + "\n" + body;
    // As much as a job's text may be has to fit at once.
    const int size = static_cast<int>(text.size());
    (void)::setsockopt(channel, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
    RM_TRY(setNonBlocking(channel, false));
    RM_TRY(writeAll(channel, text));
    return setNonBlocking(channel);
}

Result<AgentLaunchRequest> receiveLaunchRequest(int input)
{
    std::string line;
    while (line.empty() || line.back() != '\n') {
        char byte = 0;
        RM_TRY(readExactly(input, &byte, 1));
        line += byte;
        if (line.size() > Greeting.size() + 12)
            return fail(code::MalformedMessage, {{"what", "order"}});
    }
    size_t size = 0;
    const std::string_view number =
        std::string_view(line).substr(std::min(Greeting.size(), line.size()));
    const auto parsed = std::from_chars(number.data(), number.data() + number.size(), size);
    if (!line.starts_with(Greeting) || parsed.ec != std::errc{} || size > LongestOrder)
        return fail(code::MalformedMessage, {{"what", "order"}});
    std::string body(size, '\0');
    RM_TRY(readExactly(input, body.data(), body.size()));
    return parseLaunchRequest(body);
}

std::string machineLife()
{
    // A container or a virtual host can be started anew without the kernel.
    const auto first = identityOf(1);
    return clockId() + ":" + std::to_string(first ? first->startTime : 0);
}

} // namespace ringmaster
