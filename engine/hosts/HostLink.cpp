#include "engine/hosts/HostLink.h"

#include "engine/base/Paths.h"
#include "engine/base/Version.h"
#include "engine/hosts/TransferText.h"
#include "engine/text/TextSearch.h"

#include <array>
#include <cerrno>
#include <csignal>

#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr size_t MostNoise = 64U << 10U;
constexpr size_t MostErrors = 16U << 10U;
constexpr auto CopyPatience = 60s; ///< Without a byte getting on.

std::string startOf(const std::string& said)
{
    constexpr size_t Longest = 200;
    return std::string(firstLine(said).substr(0, Longest));
}

/// Without an errno it ended too soon.
Error archiveUnreadable(const Host& host, int error)
{
    return {{code::BundleUnreadable,
             {{"host", host.name}, {"path", cacheFolder().string()}},
             error == 0 ? "unexpected end of file" : errnoText(error)},
            {}};
}

} // namespace

Result<std::unique_ptr<HostLink>> HostLink::open(EventLoop& loop, Listener& listener,
                                                 Options options)
{
    auto link = std::unique_ptr<HostLink>(new HostLink(loop, listener, std::move(options)));
    RM_TRY(link->start());
    return link;
}

HostLink::HostLink(EventLoop& loop, Listener& listener, Options options)
    : m_loop(loop), m_listener(listener), m_options(std::move(options))
{
}

Result<void> HostLink::start()
{
    auto [ours, theirs] = RM_TRY(makeSocketPair(SOCK_STREAM));
    Pipe errors = RM_TRY(makePipe());
    m_process = RM_TRY(
        ChildProcess::start({.command = m_options.command,
                             .descriptors = {theirs.get(), theirs.get(), errors.writeEnd.get()}}));
    m_channel = std::move(ours);
    m_errors = std::move(errors.readEnd);
    RM_TRY(setNonBlocking(m_channel.get()));
    RM_TRY(setNonBlocking(m_errors.get()));
    m_readable = m_loop.watchReadable(m_channel.get(), [this] { readGreeting(); });
    m_errorsReadable = m_loop.watchReadable(m_errors.get(), [this] { readErrors(); });
    m_ended = m_loop.watchReadable(m_process.pidfd(), [this] { exited(); });
    if (isLogin() && m_options.longestLogin > m_options.patience)
        m_limit = m_loop.callAfter(m_options.patience, [this] { loginIsSilent(); });
    else
        waitAnew(m_options.patience);
    return {};
}

void HostLink::waitAnew(std::chrono::milliseconds patience)
{
    m_limit = m_loop.callAfter(patience, [this, patience] { giveUp(silence(patience)); });
}

Error HostLink::silence(std::chrono::milliseconds waited) const
{
    return {{isLogin() ? code::HostLoginSilent : code::HostSilent,
             {{"host", m_options.host.name},
              {"destination", m_options.host.sshDestination()},
              {"seconds", std::to_string(waited.count() / 1000)}},
             m_errorText},
            {}};
}

/// Its shell would run on there beside that of another one.
void HostLink::loginIsSilent()
{
    m_limit = m_loop.callAfter(m_options.longestLogin - m_options.patience,
                               [this] { giveUp(silence(m_options.longestLogin)); });
    m_listener.linkTold(silence(m_options.patience));
}

/// What comes behind the sentinel, which gRPC writes without being asked, stays in the channel.
void HostLink::readGreeting()
{
    std::array<char, 4096> buffer{};
    const ssize_t count = ::recv(m_channel.get(), buffer.data(), buffer.size(), MSG_PEEK);
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0)
        return m_readable.cancel(); // its exit says why
    const size_t size = greetingIn({buffer.data(), static_cast<size_t>(count)});
    (void)!::recv(m_channel.get(), buffer.data(), size, 0); // there, as has just been seen
    take({buffer.data(), size});
}

/// How many of these bytes belong to it.
size_t HostLink::greetingIn(std::string_view bytes) const
{
    const std::string& sentinel = m_options.sentinel;
    const std::string said = m_said + std::string(bytes);
    const size_t from = m_said.size() - std::min(m_said.size(), sentinel.size());
    const size_t at = said.find(sentinel, from);
    return at == std::string::npos ? bytes.size() : at + sentinel.size() - m_said.size();
}

void HostLink::take(std::string_view bytes)
{
    m_said += bytes;
    if (m_said.ends_with(m_options.sentinel)) {
        m_limit.cancel();
        m_readable.cancel();
        m_writable.cancel();
        m_isOpened = true;
        return m_listener.linkOpened(std::move(m_channel));
    }
    const size_t bundleRequest =
        m_options.bundleRequest.empty() ? std::string::npos : m_said.find(m_options.bundleRequest);
    const size_t end =
        bundleRequest == std::string::npos ? bundleRequest : m_said.find('\n', bundleRequest);
    if (end != std::string::npos) {
        const size_t start = bundleRequest + m_options.bundleRequest.size();
        const std::string about = m_said.substr(start, end - start);
        m_said.clear();
        return sendBundle(about);
    }
    if (m_said.size() > MostNoise)
        giveUp(Error{{code::HostShellNoise, {{"host", m_options.host.name}}, startOf(m_said)}, {}});
}

/// What is said of the host: its machine and, where that isn't ours, the version that is installed.
void HostLink::sendBundle(const std::string& about)
{
    const AgentBundle& bundle = m_options.bundle;
    const size_t space = std::min(about.find(' '), about.size());
    const std::string machine = about.substr(0, space);
    if (machine != bundle.machine) {
        const std::string installed = about.substr(std::min(space + 1, about.size()));
        return giveUp(Error{{installed.empty() ? code::HostArchitecture : code::HostVersion,
                             {{"host", m_options.host.name},
                              {"theirs", machine},
                              {"ours", bundle.machine},
                              {"other", installed},
                              {"version", RINGMASTER_VERSION}},
                             {}},
                            {}});
    }
    m_isCopying = true;
    waitAnew(CopyPatience); // it may have answered at the last moment
    m_listener.linkTold(
        Message{code::CopyingAgent,
                {{"host", m_options.host.name}, {"size", transferText(bundle.size)}},
                {}});
    m_writable = m_loop.watchWritable(m_channel.get(), [this] { writeOn(); });
}

void HostLink::writeOn()
{
    if (m_unsent.empty()) {
        m_unsent.resize(64U << 10U);
        // Other links send the same one.
        const ssize_t count = ::pread(m_options.bundle.archive->get(), m_unsent.data(),
                                      m_unsent.size(), static_cast<off_t>(m_read));
        const int error = count < 0 ? errno : 0;
        m_unsent.resize(static_cast<size_t>(std::max<ssize_t>(count, 0)));
        if (error == EINTR)
            return;
        // A home on a file server may lose it although it is open.
        if (error != 0 || (count == 0 && m_read < m_options.bundle.size))
            return giveUp(archiveUnreadable(m_options.host, error));
        m_read += m_unsent.size();
        if (m_unsent.empty())
            return m_writable.cancel();
    }
    const ssize_t written =
        ::send(m_channel.get(), m_unsent.data(), m_unsent.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (written < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (written < 0)
        return m_writable.cancel(); // its exit says why
    m_unsent.erase(0, static_cast<size_t>(written));
    waitAnew(CopyPatience);
}

void HostLink::readErrors()
{
    std::array<char, 4096> buffer{};
    const ssize_t count = ::read(m_errors.get(), buffer.data(), buffer.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (count <= 0)
        return m_errorsReadable.cancel();
    m_errorText.append(buffer.data(), static_cast<size_t>(count));
    if (m_errorText.size() > MostErrors)
        m_errorText.erase(0, m_errorText.size() - MostErrors);
}

void HostLink::exited()
{
    const std::optional<int> exitCode = m_process.reap();
    if (!exitCode)
        return;
    m_ended.cancel();
    // What it printed last; a connection that others share may still have the pipe open.
    for (std::array<char, 4096> buffer{};;) {
        const ssize_t count = ::read(m_errors.get(), buffer.data(), buffer.size());
        if (count <= 0 || m_errorText.size() > MostErrors)
            break;
        m_errorText.append(buffer.data(), static_cast<size_t>(count));
    }
    end(m_verdict ? *m_verdict : whyItEnded(*exitCode), *exitCode);
}

Error HostLink::whyItEnded(int exitCode) const
{
    // What has no word for its refusal on standard error may have said it where the agent would.
    const bool isLogin = !m_isOpened && !m_options.bundleRequest.empty();
    Error why = m_options.failure(m_options.host, exitCode,
                                  isLogin && m_errorText.empty() ? startOf(m_said) : m_errorText);
    if (isLogin && why.code == code::HostAgentFailed)
        why.code = code::HostLoginEnded;
    return why;
}

/// Its exit, which follows, is the end; or leave(), where it can't be killed.
void HostLink::giveUp(const Error& why)
{
    m_verdict = why;
    m_readable.cancel();
    m_writable.cancel();
    (void)m_process.signal(SIGKILL);
    m_limit = m_loop.callAfter(ChildProcess::KillPatience, [this] { leave(); });
}

void HostLink::leave()
{
    if (m_process.endsWithin(0ms))
        return exited(); // a busy loop hadn't come to it
    m_ended.cancel();
    Error why = *m_verdict;
    const std::string survivor = describe(m_process.leave());
    why.detail += (why.detail.empty() ? "" : "\n") + survivor;
    end(why, -SIGKILL);
}

void HostLink::end(const Error& why, int exitCode)
{
    if (std::exchange(m_isOver, true))
        return;
    m_limit.cancel();
    m_readable.cancel();
    m_writable.cancel();
    m_errorsReadable.cancel();
    m_listener.linkEnded(why, exitCode);
}

} // namespace ringmaster
