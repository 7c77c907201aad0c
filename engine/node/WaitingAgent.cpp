#include "engine/node/WaitingAgent.h"

#include "engine/base/Codes.h"
#include "engine/base/Paths.h"
#include "engine/control/LocalSocket.h"
#include "engine/machine/LocalAddresses.h"
#include "engine/node/Codes.h"

#include <cerrno>
#include <cstdlib>
#include <thread>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

namespace {

constexpr auto AttachPatience = 60s;
constexpr auto AgentPatience = 20s;

/// A job has the variables of the machine that it was submitted from, whose folders may not be
/// here.
Result<fs::path> socketOf(const std::string& token)
{
    // NOLINTBEGIN(concurrency-mt-unsafe): no thread yet
    const char* runtime = std::getenv("XDG_RUNTIME_DIR");
    std::error_code error;
    if (runtime != nullptr && !fs::is_directory(runtime, error))
        ::unsetenv("XDG_RUNTIME_DIR");
    const char* node = std::getenv("SLURMD_NODENAME"); // several may be on one machine
    // NOLINTEND(concurrency-mt-unsafe)
    const fs::path folder = RM_TRY(runtimeFolder());
    return folder / ("wait-" + token + (node != nullptr ? "." + std::string(node) : ""));
}

} // namespace

Result<FileDescriptor> waitForLead(const std::string& token)
{
    const fs::path path = RM_TRY(socketOf(token));
    // One that was killed has left its own.
    if (!connectLocally(path)) {
        std::error_code ignored;
        fs::remove(path, ignored);
    }
    const FileDescriptor listener = RM_TRY(listenLocally(path));
    pollfd ready{listener.get(), POLLIN, 0};
    const int found =
        ::poll(&ready, 1, static_cast<int>(std::chrono::milliseconds(AttachPatience).count()));
    const int connection =
        found > 0 ? ::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC) : -1;
    const int error = errno;
    std::error_code ignored;
    fs::remove(path, ignored);
    if (connection < 0 && found != 0)
        return fail(code::SystemCallFailed, {{"call", found < 0 ? "poll" : "accept"}},
                    errnoText(error));
    if (connection < 0)
        return fail(code::LeadDidNotCome, {{"seconds", std::to_string(AttachPatience.count())}});
    FileDescriptor channel(connection);
    const ucred peer = RM_TRY(peerOf(channel.get()));
    RM_TRY(checkPeer(peer, ::geteuid()));
    return channel;
}

Result<FileDescriptor> reachWaiting(const std::string& token)
{
    const fs::path path = RM_TRY(socketOf(token));
    const auto end = std::chrono::steady_clock::now() + AgentPatience;
    for (;;) {
        if (auto connection = connectLocally(path))
            return connection;
        if (std::chrono::steady_clock::now() > end)
            return fail(code::AgentDoesNotWait, {{"host", shortHostName()}});
        // A socket is there before it listens: nothing would say that it does.
        std::this_thread::sleep_for(10ms);
    }
}

} // namespace ringmaster
