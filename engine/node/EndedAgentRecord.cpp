#include "engine/node/EndedAgentRecord.h"

#include "engine/control/ByteChannel.h"
#include "engine/control/ControlServer.h"
#include "engine/node/AgentChannel.h"
#include "engine/node/Codes.h"
#include "engine/node/RecordedRun.h"
#include "engine/record/PrivateRecord.h"

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto LeadPatience = 60s;
constexpr size_t EventsAtOnce = 1000;

class EndedAgentRecord : private ControlServer::Host
{
public:
    explicit EndedAgentRecord(const RunFolder& folder)
        : m_folder(folder), m_recorded(folder, m_rankActivities)
    {
    }

    Result<void> serve(NodeOptions::Channel channel)
    {
        ControlServer::Host& host = *this;
        ControlServer server(m_loop, host, m_recorded,
                             {.run = m_folder.id(),
                              .machine = machineLife(),
                              .secrets = PrivateRecord(m_folder.path()).inherited()});
        const RunFileReader file = RM_TRY(m_folder.openReader());
        for (;;) {
            const auto events = RM_TRY(file.events(m_last, {.events = EventsAtOnce}));
            if (events.empty())
                break;
            for (const Event& event : events)
                server.publish(event);
            m_last = events.back().runSequence;
        }
        m_hasGivenUp = m_folder.summary().reason.code == code::LeadGone;
        ByteChannel bytes =
            RM_TRY(ByteChannel::carry(std::move(channel.input), std::move(channel.output)));
        server.serve(bytes.takeSocket());
        waitAnew();
        m_loop.run();
        return {};
    }

private:
    void waitAnew()
    {
        m_limit = m_loop.callAfter(LeadPatience, [this] { m_loop.stop(); });
    }

    Result<HeartbeatReply> heartbeat(const Heartbeat& heartbeat) override
    {
        waitAnew();
        if (heartbeat.isReleased)
            m_loop.post([this] { m_loop.stop(); });
        return HeartbeatReply{
            .at = SystemClock().now(), .keptEvents = m_last, .hasGivenUp = m_hasGivenUp};
    }

    /// Whatever it is told to do, it has ended.
    Result<void> execute(const Command& /*command*/) override
    {
        return fail(code::RunNotRunning, {{"run", m_folder.id()}});
    }

    void watched(bool /*isWatched*/) override {}

    const RunFolder& m_folder;
    RankActivityCache m_rankActivities;
    RecordedRun m_recorded;
    EventLoop m_loop;
    EventLoop::Registration m_limit;
    std::uint64_t m_last = 0;
    bool m_hasGivenUp = false;
};

} // namespace

Result<void> serveEndedAgentRecord(const RunFolder& folder, NodeOptions::Channel channel)
{
    return EndedAgentRecord(folder).serve(std::move(channel));
}

} // namespace ringmaster
