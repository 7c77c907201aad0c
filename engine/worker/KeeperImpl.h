#pragma once

#include "engine/worker/Keeper.h"
#include "engine/worker/KeeperConnection.h"
#include "engine/worker/warm/WarmStart.h"

#include <map>
#include <optional>

namespace ringmaster {

/// Keeper.cpp starts workers and hears of them; KeeperDeath.cpp is about the keeper's own end.
class Keeper::Impl
{
public:
    Impl(EventLoop& loop, Host& host, Options options)
        : m_loop(loop), m_host(host), m_options(std::move(options))
    {
    }
    ~Impl();

    Result<void> start(std::vector<WorkerLaunch> workers, const WarmRequest* warm);
    bool abandonStart();
    void send(const keeper::Frame& frame);
    void killAll();
    std::vector<Message> survivors() const;

    struct Worker
    {
        WorkerLaunch start{}; ///< Its descriptors are moved away.
        pid_t pid = -1;
        FileDescriptor pidfd{};
    };

    std::map<int, Worker> m_workers;
    KeeperEndpoint m_process;

private:
    struct Waiting
    {
        WorkerLaunch worker{};
        std::vector<FileDescriptor> streams{};
    };

    Result<void> startProcess();
    void listen();
    void watchDeath(const FileDescriptor& pidfd);
    void launchWaiting();
    void warmAnswered(Result<WarmStart::Answer> answer);
    void startCold(const Error& why);
    void received(keeper::ReceivedFrame frame);
    void handle(const keeper::Hello& frame, std::vector<FileDescriptor> descriptors);
    void handle(const keeper::Started& frame, std::vector<FileDescriptor> descriptors);
    void handle(const keeper::NotStarted& frame, std::vector<FileDescriptor>);
    void handle(const keeper::Exited& frame, std::vector<FileDescriptor>);
    void handle(const keeper::SessionEnded& frame, std::vector<FileDescriptor>);
    void handle(const keeper::AllGone& frame, std::vector<FileDescriptor>);
    void handle(const auto&, std::vector<FileDescriptor>) {} // An agent's own frames.
    static void wake(const FileDescriptor& pidfd);
    void lost();
    void beginSweep();
    void sweep(std::chrono::milliseconds pause);
    void mourn();

    EventLoop& m_loop;
    Host& m_host;
    Options m_options;
    std::unique_ptr<KeeperChannel> m_channel;
    std::unique_ptr<WarmStart> m_warmStart;  ///< While it is asked.
    std::optional<WarmStart::Answer> m_warm; ///< Of a warm keeper.
    std::vector<Waiting> m_waiting;          ///< For the keeper.
    std::string m_end;                       ///< How the keeper died.
    std::vector<Message> m_survivors;        ///< Of a sweep that was given up.
    std::uint32_t m_lastRequest = 0;
    bool m_isSweeping = false; ///< The keeper is gone; what it left is being ended.
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
    EventLoop::Registration m_death;
    EventLoop::Registration m_sweepTimer;
    EventLoop::Registration m_sweepLimit;
};

} // namespace ringmaster
