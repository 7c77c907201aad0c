#include "engine/control/ControlSocket.h"

#include "engine/base/Log.h"
#include "engine/control/LocalSocket.h"

#include <charconv>

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

template <class Call>
void forEachControlSocket(const fs::path& folder, Call call)
{
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        std::error_code gone;
        if (!entry.is_socket(gone) || gone)
            continue;
        if (const auto name = ControlSocketName::parse(entry.path().filename().string()))
            call(entry.path(), *name);
    }
}

} // namespace

std::string ControlSocketName::fileName() const
{
    return run + "." + std::to_string(owner.pid) + "-" + std::to_string(owner.startTime);
}

std::optional<ControlSocketName> ControlSocketName::parse(const std::string& fileName)
{
    const size_t dot = fileName.rfind('.');
    const size_t dash = fileName.rfind('-');
    if (dot == std::string::npos || dot == 0 || dash == std::string::npos || dash < dot)
        return std::nullopt;
    ControlSocketName name{.run = fileName.substr(0, dot)};
    const std::string_view text = fileName;
    if (!parseWhole(text.substr(dot + 1, dash - dot - 1), name.owner.pid) ||
        !parseWhole(text.substr(dash + 1), name.owner.startTime))
        return std::nullopt;
    return name;
}

std::vector<ControlSocketName> liveControlSockets(const fs::path& folder)
{
    std::vector<ControlSocketName> names;
    forEachControlSocket(folder, [&](const fs::path&, const ControlSocketName& name) {
        if (isAlive(name.owner))
            names.push_back(name);
    });
    return names;
}

int removeStaleControlSockets(const fs::path& folder)
{
    int removed = 0;
    forEachControlSocket(folder, [&](const fs::path& path, const ControlSocketName& name) {
        if (!isAlive(name.owner) && ::unlink(path.c_str()) == 0)
            ++removed;
    });
    return removed;
}

Result<ControlSocket> ControlSocket::open(EventLoop& loop, const fs::path& folder,
                                          const std::string& run, Accepted accepted)
{
    const auto self = identityOf(::getpid());
    if (!self)
        return fail(Code::FileNotReadable, {{"path", "/proc/self/stat"}});
    ControlSocket socket;
    const fs::path path = folder / ControlSocketName{run, *self}.fileName();
    socket.m_listener = RM_TRY(listenLocally(path));
    socket.m_path = path;
    RM_TRY(setNonBlocking(socket.m_listener.get()));
    const int listener = socket.m_listener.get();
    socket.m_readable = loop.watchReadable(
        listener, [listener, call = std::move(accepted)] { acceptOne(listener, call); });
    return socket;
}

ControlSocket::~ControlSocket()
{
    m_readable.cancel();
    if (m_listener.isOpen())
        ::unlink(m_path.c_str());
}

void ControlSocket::acceptOne(int listener, const Accepted& accepted)
{
    FileDescriptor connection(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!connection.isOpen())
        return;
    const auto peer = peerOf(connection.get());
    const auto allowed = peer ? checkPeer(*peer, ::geteuid()) : tl::unexpected(peer.error());
    if (!allowed) {
        log::warning("control", describe(allowed.error()));
        return;
    }
    accepted(std::move(connection));
}

} // namespace ringmaster
