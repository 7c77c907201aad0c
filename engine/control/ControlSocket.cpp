#include "engine/control/ControlSocket.h"

#include "engine/base/Codes.h"
#include "engine/base/Log.h"
#include "engine/base/SpareDescriptor.h"
#include "engine/control/Codes.h"
#include "engine/control/LocalSocket.h"

#include <charconv>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

template <class Number>
bool parseWhole(std::string_view text, Number& number)
{
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
    return parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
}

constexpr std::string_view Suffix = ".sock";

} // namespace

std::string controlSocketName(const ProcessIdentity& agent)
{
    return std::to_string(agent.pid) + "-" + std::to_string(agent.startTime) + std::string(Suffix);
}

std::optional<ProcessIdentity> controlSocketOwner(const std::string& fileName)
{
    std::string_view text = fileName;
    const size_t dash = text.find('-');
    if (!text.ends_with(Suffix) || dash == std::string::npos)
        return std::nullopt;
    text.remove_suffix(Suffix.size());
    ProcessIdentity owner;
    if (dash >= text.size() || !parseWhole(text.substr(0, dash), owner.pid) ||
        !parseWhole(text.substr(dash + 1), owner.startTime))
        return std::nullopt;
    return owner;
}

Result<FileDescriptor> connectToAgent(const fs::path& socket, const std::string& run)
{
    auto connection = connectLocally(socket);
    if (connection || connection.error().code != code::SocketQueueFull)
        return connection;
    const auto agent = controlSocketOwner(socket.filename().string());
    if (!agent)
        return connection;
    return fail(code::AgentQueueFull, {{"run", run}, {"pid", std::to_string(agent->pid)}},
                connection.error().detail);
}

namespace {

/// An agent in another PID namespace isn't alive here, but listens.
bool isDeadAgent(const ProcessIdentity& agent, const fs::path& socket)
{
    return !isAlive(agent) && isAbandonedSocket(socket) && ::unlink(socket.c_str()) == 0;
}

/// A dashboard holds the lock beside its socket as long as it runs.
bool isDeadWindow(const fs::path& socket)
{
    if (!socket.filename().string().starts_with("window-"))
        return false;
    const FileDescriptor lock(
        ::open((socket.string() + ".lock").c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW));
    return lock.isOpen() && ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0 &&
           ::unlink(socket.c_str()) == 0;
}

} // namespace

int removeStaleControlSockets(const fs::path& folder)
{
    int removed = 0;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code gone;
        const auto owner = controlSocketOwner(entry->path().filename().string());
        if (!entry->is_socket(gone))
            continue;
        const bool isDead =
            owner ? isDeadAgent(*owner, entry->path()) : isDeadWindow(entry->path());
        removed += isDead ? 1 : 0;
    }
    return removed;
}

Result<ControlSocket> ControlSocket::open(EventLoop& loop, const fs::path& folder,
                                          Accepted accepted)
{
    const auto self = identityOf(::getpid());
    if (!self)
        return fail(code::FileNotReadable, {{"path", "/proc/self/stat"}});
    ControlSocket socket;
    const fs::path path = folder / controlSocketName(*self);
    socket.m_listener = RM_TRY(listenLocally(path));
    socket.m_path = path;
    RM_TRY(setNonBlocking(socket.m_listener.get()));
    const int listener = socket.m_listener.get();
    socket.m_readable =
        loop.watchReadable(listener, [listener, call = std::move(accepted),
                                      spare = std::make_shared<SpareDescriptor>("control")] {
            if (FileDescriptor connection = spare->accept(listener); connection.isOpen())
                welcome(std::move(connection), call);
        });
    return socket;
}

ControlSocket::~ControlSocket()
{
    m_readable.cancel();
    if (m_listener.isOpen())
        ::unlink(m_path.c_str());
}

void ControlSocket::welcome(FileDescriptor connection, const Accepted& accepted)
{
    const auto peer = peerOf(connection.get());
    const auto allowed = peer ? checkPeer(*peer, ::geteuid()) : tl::unexpected(peer.error());
    if (!allowed) {
        log::warning("control", describe(allowed.error()));
        return;
    }
    accepted(std::move(connection));
}

} // namespace ringmaster
