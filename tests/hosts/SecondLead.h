#pragma once

#include "engine/control/AgentClient.h"
#include "engine/hosts/HostLink.h"
#include "engine/node/AgentChannel.h"

#include <limits>
#include <optional>

/// Comes for an agent over ssh as another lead of its run, a newer one; or starts one.
class SecondLead : private ringmaster::HostLink::Listener
{
public:
    static constexpr std::uint64_t Newest = std::numeric_limits<std::uint64_t>::max();

    /// `program` is Ringmaster, there.
    SecondLead(const ringmaster::SshSettings& ssh, const std::string& host, const std::string& run,
               const std::string& program)
        : SecondLead(
              ssh,
              {.run = run, .agent = "1", .host = host, .generation = Newest, .isAttaching = true},
              program)
    {
    }

    SecondLead(const ringmaster::SshSettings& ssh, ringmaster::AgentLaunchRequest order,
               const std::string& program)
        : m_order(std::move(order))
    {
        const ringmaster::Host there{.name = m_order.host};
        auto link = ringmaster::HostLink::open(
            m_loop, *this,
            {.host = there,
             .command = ringmaster::sshCommand(ssh, there, program + " agent host"),
             .sentinel = "RINGMASTER-AGENT/1\n"});
        if (!link)
            return;
        m_link = *std::move(link);
        m_loop.run();
    }

    /// Nothing: it wasn't reached, or refuses.
    std::optional<ringmaster::HeartbeatReply> heartbeat(bool isReleased = false)
    {
        std::optional<ringmaster::HeartbeatReply> answer;
        if (!m_client)
            return answer;
        m_client->heartbeat({.generation = m_order.generation, .isReleased = isReleased},
                            std::chrono::seconds(30),
                            [&](ringmaster::Result<ringmaster::HeartbeatReply> held) {
                                if (held)
                                    answer = *held;
                                m_loop.post([this] { m_loop.stop(); });
                            });
        m_loop.run();
        return answer;
    }

    /// False: the agent obeys no lead of this generation.
    bool stop(std::uint64_t generation = Newest)
    {
        bool isObeyed = false;
        m_client->send(
            ringmaster::StopRun{.now = true},
            [&](const ringmaster::Result<void>& done) {
                isObeyed = done.has_value();
                m_loop.post([this] { m_loop.stop(); });
            },
            generation);
        m_loop.run();
        return isObeyed;
    }

private:
    void linkTold(const ringmaster::Message& /*progress*/) override {}
    void linkEnded(const ringmaster::Error& /*why*/, int /*exitCode*/) override { m_loop.stop(); }

    void linkOpened(ringmaster::FileDescriptor channel) override
    {
        if (ringmaster::sendLaunchRequest(channel.get(), m_order))
            m_client =
                std::make_unique<ringmaster::AgentClient>(std::move(channel), m_order.run, m_queue);
        m_loop.stop();
    }

    const ringmaster::AgentLaunchRequest m_order;
    ringmaster::EventLoop m_loop;
    ringmaster::RpcQueue m_queue;
    std::unique_ptr<ringmaster::HostLink> m_link;
    std::unique_ptr<ringmaster::AgentClient> m_client;
};
