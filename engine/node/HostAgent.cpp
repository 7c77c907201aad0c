#include "engine/node/HostAgent.h"

#include "engine/event/ClockDrift.h"
#include "engine/node/AgentChannel.h"
#include "engine/node/Codes.h"

#include <algorithm>

#include <sys/socket.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// Clocks that are known better needn't be compared again.
constexpr std::int64_t WorthMeasuringNs = 2'000'000;

/// The next try may find it otherwise; a wrong key or name stays wrong.
bool mayPass(Code code)
{
    return code == code::HostUnreachable || code == code::HostRefusesConnection ||
           code == code::HostTooManySessions || code == code::HostSilent ||
           code == code::HostLinkLost || code == code::HostLinkClosed ||
           code == code::HostBundleDamaged || code == code::SlurmStepTooSoon ||
           code == code::SlurmUnreachable;
}

} // namespace

HostAgent::HostAgent(EventLoop& loop, RpcQueue& queue, LogGatherer::Sink& logs,
                     OperationGatherer::Sink& operations, Lead& lead, Setting setting)
    : m_loop(loop)
    , m_queue(queue)
    , m_lead(lead)
    , m_setting(std::move(setting))
    , m_logs(loop, logs,
             [this] {
                 m_hasAllLogs = true;
                 releaseIfDone();
             })
    , m_operations(loop, operations, m_setting.order.agent,
                   [this] {
                       m_hasAllOperations = true;
                       releaseIfDone();
                   })
    , m_delay(m_setting.firstDelay)
{
}

HostAgent::~HostAgent()
{
    letGo();
}

void HostAgent::start()
{
    m_lead.changed(*this, HostChanged::State::Connecting, {});
    connect();
}

void HostAgent::connect()
{
    auto link = m_setting.open(*this);
    if (link)
        m_link = *std::move(link);
    else
        gone(link.error());
}

void HostAgent::connectLater()
{
    m_again = m_loop.callAfter(m_delay, [this] { connect(); });
    m_delay = std::min(m_delay * 2, m_setting.longestDelay);
}

void HostAgent::linkTold(const Message& progress)
{
    m_lead.changed(*this, HostChanged::State::Connecting, progress);
}

void HostAgent::linkOpened(FileDescriptor channel)
{
    m_setting.order.isAttaching = m_wasStarted;
    if (const auto said = sayOrder(channel.get(), m_setting.order); !said)
        return; // the link's end says why
    ++m_connection;
    m_client = std::make_unique<AgentClient>(std::move(channel), m_setting.order.run, m_queue);
    m_stream = m_client->subscribe(
        m_sequence,
        [this, connection = m_connection,
         alive = std::weak_ptr(m_logs.alive())](std::vector<Event> events) {
            m_loop.post([this, connection, alive, events = std::move(events)]() mutable {
                if (alive.lock() && connection == m_connection)
                    arrived(std::move(events));
            });
        },
        answered<void>(&HostAgent::streamEnded));
    beat();
}

template <class T>
std::function<void(Result<T>)> HostAgent::answered(void (HostAgent::*then)(Result<T>))
{
    return [this, then, connection = m_connection,
            alive = std::weak_ptr(m_logs.alive())](Result<T> result) {
        m_loop.post([this, then, connection, alive, result = std::move(result)]() mutable {
            if (alive.lock() && connection == m_connection)
                (this->*then)(std::move(result));
        });
    };
}

void HostAgent::beat()
{
    m_askedAt = SystemClock().now();
    m_client->hold({.generation = m_setting.order.generation, .isReleased = m_isReleased},
                   m_setting.holdPatience, answered<HeldAgent>(&HostAgent::held));
}

void HostAgent::held(Result<HeldAgent> held)
{
    if (m_isReleased)
        return finished();
    if (!held && held.error().code == code::LeadReplaced)
        return gone(held.error());
    if (!held)
        return cut(
            {m_hasAnswered ? code::HostCut : code::HostSilent,
             {{"host", host()}, {"seconds", std::to_string(m_setting.holdPatience.count() / 1000)}},
             held.error().detail});
    measure(*held);
    m_delay = m_setting.firstDelay;
    if (!std::exchange(m_hasAnswered, true)) {
        m_machine = held->machine;
        m_wasStarted = true;
        m_lead.changed(*this, HostChanged::State::Connected, {});
        m_logs.start(*m_client);
        m_operations.start(*m_client);
        if (!m_isTrying)
            send(StopRun{});
    }
    m_beat = m_loop.callAfter(m_setting.holdInterval, [this] { beat(); });
}

/// As NTP does it: the answer was given somewhere between the question and its arrival.
void HostAgent::measure(const HeldAgent& held)
{
    const Moment now = SystemClock().now();
    const std::int64_t bound = (now.monotonicNs - m_askedAt.monotonicNs) / 2;
    const std::int64_t aged = clockErrorNs(m_bestBoundNs, 0, now.monotonicNs - m_measuredNs);
    const bool isBetter = bound < m_bestBoundNs / 2;
    const bool isDue = aged > WorthMeasuringNs && bound < aged / 2;
    if (m_bestBoundNs != 0 && !isBetter && !isDue)
        return;
    m_bestBoundNs = bound;
    m_measuredNs = now.monotonicNs;
    m_lead.measured(*this,
                    {.agent = agent(),
                     .monotonicOffsetNs = held.at.monotonicNs - m_askedAt.monotonicNs - bound,
                     .wallOffsetNs = held.at.wallNs - m_askedAt.wallNs - bound,
                     .boundNs = bound});
}

void HostAgent::arrived(std::vector<Event> events)
{
    for (Event& event : events) {
        // At least once: what came twice was heard before.
        if (event.id.sequence <= m_sequence)
            continue;
        m_sequence = event.id.sequence;
        event.id.run = m_setting.order.run;
        const auto* state = std::get_if<RunStateChanged>(&event.body);
        const bool isEnd = state != nullptr && isFinal(state->state);
        m_lead.happened(*this, std::move(event));
        if (isEnd) {
            m_hasEnded = true;
            m_logs.finish();
            m_operations.finish();
        }
    }
}

void HostAgent::streamEnded(Result<void> result)
{
    if (m_hasEnded || m_isReleased)
        return;
    cut({code::HostConnectionEnded,
         {{"host", host()}},
         result ? std::string() : describe(result.error())});
}

void HostAgent::sent(Result<void> /*result*/) {} // what comes of it is seen in the events

void HostAgent::send(const Command& command)
{
    if (m_client)
        m_client->send(command, answered<void>(&HostAgent::sent));
}

/// All that it has to say is here.
void HostAgent::releaseIfDone()
{
    if (!m_hasEnded || !m_hasAllLogs || !m_hasAllOperations || std::exchange(m_isReleased, true))
        return;
    m_beat.cancel();
    if (m_client)
        beat(); // its answer is the end
    else
        finished();
}

void HostAgent::finished()
{
    if (!std::exchange(m_isOver, true))
        m_lead.changed(*this, HostChanged::State::Finished, {});
}

void HostAgent::linkEnded(const Error& why, int exitCode)
{
    // It is in the middle of its call.
    m_loop.post([link = std::shared_ptr<HostLink>(std::move(m_link))] {});
    if (m_isReleased || m_hasEnded) {
        letGo();
        m_isReleased = true;
        return finished();
    }
    if (exitCode == AgentNotThereExit) {
        return gone(whyNotThere(why.detail));
    }
    if (m_hasAnswered)
        return cut(why);
    if (m_isTrying && (m_wasStarted || mayPass(why.code))) {
        if (!m_wasStarted)
            m_lead.changed(*this, HostChanged::State::Connecting, why);
        return connectLater();
    }
    gone(why);
}

/// `said` names the machine as it is now.
Message HostAgent::whyNotThere(const std::string& said) const
{
    const auto alone = std::chrono::nanoseconds(SystemClock().now().monotonicNs - m_cutAtNs);
    if (said.find(m_machine) == std::string::npos)
        return {code::HostRebooted, {{"host", host()}}, {}};
    if (alone > m_setting.order.leadTimeout)
        return {code::HostAgentGaveUp, {{"host", host()}}, {}};
    return {code::HostAgentKilled, {{"host", host()}}, {}};
}

/// Whether only the way is cut, or the agent is gone, the next try shows.
void HostAgent::cut(const Message& why)
{
    letGo();
    if (m_hasEnded || !m_isTrying)
        return gone(why);
    if (m_wasStarted) {
        m_cutAtNs = SystemClock().now().monotonicNs;
        m_lead.changed(*this, HostChanged::State::Lost, why);
    }
    connectLater();
}

void HostAgent::gone(const Message& why)
{
    letGo();
    if (!std::exchange(m_isOver, true))
        m_lead.changed(*this, HostChanged::State::Gone, why);
}

void HostAgent::stopTrying()
{
    if (!std::exchange(m_isTrying, false))
        return;
    // One that has its order is told to stop as soon as it answers.
    if (m_client == nullptr && !m_isOver)
        gone({code::HostNotWaitedFor, {{"host", host()}}, {}});
}

void HostAgent::letGo()
{
    ++m_connection;
    m_beat.cancel();
    m_again.cancel();
    m_logs.stop();
    m_operations.stop();
    m_stream.cancel();
    m_client.reset();
    m_link.reset();
    m_hasAnswered = false;
}

} // namespace ringmaster
