#include "engine/base/BoundedRun.h"

#include "engine/base/ChildProcess.h"
#include "engine/base/Codes.h"
#include "engine/base/Environment.h"
#include "engine/base/FileDescriptor.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <poll.h>
#include <unistd.h>

namespace ringmaster {

namespace {

using SteadyClock = std::chrono::steady_clock;

/// True when the output ended in time and within the limit.
bool readUntilEnd(int fd, std::string& text, SteadyClock::time_point deadline, size_t limit)
{
    std::array<char, 4096> buffer{};
    for (;;) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(deadline - SteadyClock::now());
        pollfd waiting{fd, POLLIN, 0};
        if (left.count() <= 0 || poll(&waiting, 1, static_cast<int>(left.count())) == 0)
            return false;
        const ssize_t count = read(fd, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0;
        text.append(buffer.data(), static_cast<size_t>(count));
        if (text.size() > limit)
            return false;
    }
}

} // namespace

Result<std::string> runBounded(const std::vector<std::string>& command,
                               const EnvironmentMap& environment,
                               std::chrono::milliseconds patience, size_t limit,
                               const std::string& workingFolder)
{
    Pipe pipe = RM_TRY(makePipe());
    ChildProcess child =
        RM_TRY(ChildProcess::start({.command = command,
                                    .environment = environmentLines(environment),
                                    .workingFolder = workingFolder,
                                    .descriptors = {-1, pipe.writeEnd.get(), -1}}));
    pipe.writeEnd.close();
    std::string text;
    const bool ended = readUntilEnd(pipe.readEnd.get(), text, SteadyClock::now() + patience, limit);
    // Also what the command itself started; a command whose output has ended has nothing more to
    // say.
    (void)child.signalSession(SIGKILL);
    const std::optional<Message> survivor = child.end();
    if (!ended)
        return fail(
            code::TimedOut,
            {{"what", command.front()}, {"seconds", std::to_string(patience.count() / 1000)}},
            survivor ? describe(*survivor) : std::string());
    return text;
}

} // namespace ringmaster
