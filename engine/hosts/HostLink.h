#pragma once

#include "engine/base/ChildProcess.h"
#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"
#include "engine/hosts/AgentBundle.h"
#include "engine/hosts/Ssh.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// A way to a host: the process that carries bytes there and back (ssh, or the agent itself on this
/// machine). Yields a connected socket once what runs there has said its sentinel, and never knows
/// what goes over it. Lives on the loop's thread; destroyed, the process is ended.
class HostLink
{
public:
    /// Called on the loop, never inside a call.
    class Listener
    {
    public:
        virtual ~Listener() = default;
        virtual void linkTold(const Message& progress) = 0;
        virtual void linkOpened(FileDescriptor channel) = 0;
        /// Once: why it couldn't be opened, or why it has ended. Nothing comes afterwards. The exit
        /// code is minus the signal where one ended the process.
        virtual void linkEnded(const Error& why, int exitCode) = 0;
    };

    struct Options
    {
        Host host{};
        std::vector<std::string> command{}; ///< The process to start.
        std::string sentinel{};             ///< What is said there first; the login shell may print
                                            ///< before.
        std::string bundleRequest{};        ///< Said instead where the bundle isn't there yet.
        AgentBundle bundle{};               ///< Then this is sent.
        /// Why the process ended so: from its exit code and standard error.
        std::function<Error(const Host&, int, const std::string&)> failure = sshFailure;
        std::chrono::milliseconds patience{20'000}; ///< Until the sentinel; longer while copying.
        /// A login is waited for until then, and said to be silent after `patience`; zero: it is
        /// given up at `patience`.
        std::chrono::milliseconds longestLogin{0};
    };

    static Result<std::unique_ptr<HostLink>> open(EventLoop& loop, Listener& listener,
                                                  Options options);
    ~HostLink() = default;
    HostLink(const HostLink&) = delete;
    HostLink& operator=(const HostLink&) = delete;

private:
    HostLink(EventLoop& loop, Listener& listener, Options options);

    Result<void> start();
    void readGreeting();
    size_t greetingIn(std::string_view bytes) const;
    void take(std::string_view bytes);
    void sendBundle(const std::string& about);
    void writeOn();
    void readErrors();
    void exited();
    void leave();
    Error whyItEnded(int exitCode) const;
    void giveUp(const Error& why);
    void end(const Error& why, int exitCode);
    void waitAnew(std::chrono::milliseconds patience);
    bool isLogin() const { return !m_options.bundleRequest.empty() && !m_isCopying; }
    Error silence(std::chrono::milliseconds waited) const;
    void loginIsSilent();

    EventLoop& m_loop;
    Listener& m_listener;
    const Options m_options;
    ChildProcess m_process;
    FileDescriptor m_channel;
    FileDescriptor m_errors;
    std::string m_said;       ///< Before the sentinel.
    std::string m_unsent;     ///< Read from the bundle's archive, not written yet.
    std::uint64_t m_read = 0; ///< Of the archive.
    std::string m_errorText;
    bool m_isOpened = false;
    bool m_isCopying = false;
    bool m_isOver = false;
    std::optional<Error> m_verdict; ///< Why we ended it ourselves.
    EventLoop::Registration m_readable;
    EventLoop::Registration m_writable;
    EventLoop::Registration m_errorsReadable;
    EventLoop::Registration m_ended;
    EventLoop::Registration m_limit;
};

/// The command that starts the agent on a host with the words behind `ringmaster`, and copies it
/// there first where it isn't; the bundleRequest is what it says then.
HostLink::Options sshLink(const SshSettings& ssh, const Host& host, const AgentBundle& bundle,
                          const std::vector<std::string>& words);
/// The same on this machine.
HostLink::Options localLink(const Host& host, const std::vector<std::string>& words);

} // namespace ringmaster
