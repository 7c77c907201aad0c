#include "engine/control/RemoteCommand.h"

#include "engine/control/Codes.h"

#include <array>
#include <cerrno>

#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// The far end waits four times as long.
constexpr auto BeatInterval = 15s;
constexpr auto BehindInterval = 20ms;
constexpr int Signalled = 128; ///< And the signal's number.

} // namespace

Result<std::unique_ptr<RemoteCommand>> RemoteCommand::start(EventLoop& loop, Owner& owner,
                                                            HostLink::Options way,
                                                            const CommandRequest& request)
{
    auto command = std::unique_ptr<RemoteCommand>(
        new RemoteCommand(loop, owner, way.host, RM_TRY(encoded(request))));
    command->m_link = RM_TRY(HostLink::open(loop, *command, std::move(way)));
    return command;
}

RemoteCommand::RemoteCommand(EventLoop& loop, Owner& owner, Host host, std::string request)
    : m_loop(loop), m_owner(owner), m_host(std::move(host)), m_unsent(std::move(request))
{
}

RemoteCommand::~RemoteCommand() = default;

void RemoteCommand::linkOpened(FileDescriptor channel)
{
    m_channel = std::move(channel);
    m_writable = m_loop.watchWritable(m_channel.get(), [this] { writeOn(); });
    m_beat = m_loop.callAfter(BeatInterval, [this] { beat(); });
    listen();
}

void RemoteCommand::writeOn()
{
    const ssize_t written =
        ::send(m_channel.get(), m_unsent.data(), m_unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (written < 0)
        return m_writable.cancel(); // the link's end says why
    m_unsent.erase(0, static_cast<std::size_t>(written));
    if (m_unsent.empty())
        m_writable.cancel();
}

void RemoteCommand::beat()
{
    m_beat = m_loop.callAfter(BeatInterval, [this] { beat(); });
    if (!m_unsent.empty())
        return;
    m_unsent = encoded(CommandFrame::Kind::Alive);
    m_writable = m_loop.watchWritable(m_channel.get(), [this] { writeOn(); });
}

void RemoteCommand::listen()
{
    m_readable = m_loop.watchReadable(m_channel.get(), [this] { arrived(); });
}

void RemoteCommand::arrived()
{
    if (!m_owner.isBehind()) {
        (void)read();
        return;
    }
    m_readable.cancel();
    m_later = m_loop.callAfter(BehindInterval, [this] { listen(); });
}

/// False: nothing more is there.
bool RemoteCommand::read()
{
    std::array<char, 64U << 10U> buffer{};
    const ssize_t count = ::read(m_channel.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR)
        return true;
    if (count < 0 && errno == EAGAIN)
        return false;
    if (count <= 0) {
        m_readable.cancel(); // the link's end says why
        return false;
    }
    m_frames.add({buffer.data(), static_cast<std::size_t>(count)});
    takeFrames();
    return !m_end;
}

void RemoteCommand::takeFrames()
{
    while (!m_end) {
        auto frame = m_frames.next();
        if (frame && !*frame)
            return;
        const auto kind = frame ? (*frame)->kind : CommandFrame::Kind::Alive;
        if (kind == CommandFrame::Kind::Output || kind == CommandFrame::Kind::Error) {
            const bool isOutput = kind == CommandFrame::Kind::Output;
            m_owner.commandPrinted(isOutput ? Stream::Stdout : Stream::Stderr, (*frame)->body);
            continue;
        }
        const auto exitCode =
            kind == CommandFrame::Kind::Exit ? exitCodeIn((*frame)->body) : std::nullopt;
        if (exitCode)
            end(*exitCode < 0 ? Signalled - *exitCode : *exitCode);
        else
            end(fail(code::RemoteCommandMalformed, {{"host", m_host.name}}));
    }
}

/// The process may be gone before all is read that it had brought.
void RemoteCommand::linkEnded(const Error& why, int /*exitCode*/)
{
    while (!m_end && m_channel.isOpen() && read()) {
    }
    end(tl::unexpected(why));
}

/// The link may be in the middle of its call.
void RemoteCommand::end(const Result<int>& exitCode)
{
    if (m_end)
        return;
    m_end = exitCode;
    m_readable.cancel();
    m_writable.cancel();
    m_beat.cancel();
    m_later.cancel();
    m_later = m_loop.callAfter(0ms, [this] { m_owner.commandEnded(*m_end); });
}

} // namespace ringmaster
