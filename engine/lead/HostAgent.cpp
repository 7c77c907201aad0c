#include "engine/lead/HostAgent.h"

#include "engine/control/Codes.h"
#include "engine/hosts/Codes.h"
#include "engine/lead/Codes.h"
#include "engine/node/AgentChannel.h"
#include "engine/node/Codes.h"

#include <algorithm>

#include <sys/socket.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// For the last word of a process whose connection has ended.
constexpr auto LastWord = 1s;

} // namespace

HostAgent::HostAgent(EventLoop& loop, RpcQueue& queue, LogGatherer::Sink& logs,
                     OperationGatherer::Sink& operations, Lead& lead, Setting setting)
    : m_loop(loop)
    , m_queue(queue)
    , m_lead(lead)
    , m_setting(std::move(setting))
    , m_said(loop, logs, operations, m_setting.order.run, m_setting.order.agent, *this)
    , m_clockOffset(m_setting.order.agent)
    , m_retries(m_setting.firstDelay, m_setting.longestDelay)
    , m_replies(loop)
{
}

HostAgent::~HostAgent()
{
    letGo();
}

void HostAgent::start()
{
    if (!m_setting.resumesFrom) {
        m_lead.changed(*this, HostChanged::State::Connecting, {});
        return connect();
    }
    m_wasStarted = true;
    m_said.resume(*m_setting.resumesFrom, m_setting.hasEnded);
    m_heardNs = SystemClock().now().monotonicNs;
    connect();
    reconnecting({code::LeadTookOver, {}, {}});
}

void HostAgent::connect()
{
    m_triedNs = SystemClock().now().monotonicNs;
    auto link = m_setting.open(*this, m_retries.next(m_isTrying && isAwaited()));
    if (link)
        m_link = *std::move(link);
    else
        gone(link.error());
}

/// It was there, and the others wait for it.
bool HostAgent::isAwaited() const
{
    return m_wasStarted && silentFor() < m_setting.times.leftOut;
}

/// What an ended one has kept is worth no more than that the others train on without its host.
void HostAgent::connectLater(const Message& why)
{
    if (m_said.hasEnded() && silentFor() >= m_setting.times.leftOut)
        return gone(why);
    const std::chrono::nanoseconds took(SystemClock().now().monotonicNs - m_triedNs);
    m_again = m_loop.callAfter(m_retries.nextDelay(took), [this] { connect(); });
}

/// Each reason once: it is tried again and again. Of one that was there, the silence says enough
/// until the others do without it.
void HostAgent::tellWhy(const Message& why)
{
    if (isAwaited() || isRecord() || m_said.hasEnded() || !m_retries.isNew(why.code))
        return;
    m_lead.changed(*this, m_wasStarted ? HostChanged::State::Lost : HostChanged::State::Connecting,
                   why);
}

void HostAgent::linkTold(const Message& progress)
{
    tellWhy(progress);
}

void HostAgent::linkOpened(FileDescriptor channel)
{
    m_setting.order.isAttaching = m_wasStarted;
    if (const auto said = sendLaunchRequest(channel.get(), m_setting.order); !said)
        return; // the link's end says why
    m_client = std::make_unique<AgentClient>(std::move(channel), m_setting.order.run, m_queue);
    beat();
}

void HostAgent::takeStacks(std::function<void(const Result<KeptEvidence>&)> answer)
{
    // Moved on, so that what it holds is let go on the loop.
    m_client->takeStacks(
        [&loop = m_loop, answer = std::move(answer)](Result<KeptEvidence> taken) mutable {
            loop.post([answer = std::move(answer), taken = std::move(taken)] { answer(taken); });
        });
}

void HostAgent::beat()
{
    m_clockOffset.asked(SystemClock().now());
    m_silence = m_loop.callAfter(m_setting.times.shown, [this] { silent(); });
    m_client->heartbeat({.generation = m_setting.order.generation, .isReleased = m_isReleased},
                        m_setting.times.renewed,
                        m_replies.onLoop<Result<HeartbeatReply>>(
                            [this](const Result<HeartbeatReply>& reply) { held(reply); }));
}

/// The question is still on its way; the answer may come.
void HostAgent::silent()
{
    if (m_hasAnswered && m_isTrying)
        reconnecting(silence(m_setting.times.shown));
}

Message HostAgent::silence(std::chrono::milliseconds time) const
{
    return {m_hasAnswered ? code::HostCut : code::HostSilent,
            {{"host", host()}, {"seconds", std::to_string(time.count() / 1000)}},
            {}};
}

std::chrono::nanoseconds HostAgent::silentFor() const
{
    return std::chrono::nanoseconds(SystemClock().now().monotonicNs - m_heardNs);
}

void HostAgent::held(const Result<HeartbeatReply>& held)
{
    m_silence.cancel();
    if (m_isReleased)
        return awaitEnd(held);
    if (!held && held.error().code == code::LeadReplaced)
        return gone(held.error());
    if (!held && held.error().code == code::AgentConnectionLost)
        return broken(held.error());
    if (!held) {
        m_retries.connectionFailed(held.error().code);
        Message why = silence(m_setting.times.renewed);
        why.detail = held.error().detail;
        return cut(why);
    }
    m_retries.answered();
    m_again.cancel();
    if (held->keptEvents > 0)
        takeRecord(*held);
    else
        takeAnswer(*held);
    if (!m_isReleased)
        m_beat = m_loop.callAfter(m_setting.holdInterval, [this] { beat(); });
}

/// It still writes its record; its link ends when it does. One of this machine would be killed if
/// the link was let go before.
void HostAgent::awaitEnd(const Result<HeartbeatReply>& answer)
{
    if (answer || answer.error().code == code::AgentConnectionLost)
        m_again = m_loop.callAfter(m_setting.endPatience, [this] { finished(); });
    else
        finished();
}

/// Its place is given to another one at once; what it had kept comes meanwhile.
void HostAgent::takeRecord(const HeartbeatReply& held)
{
    if (std::exchange(m_hasAnswered, true))
        return;
    m_lead.inherited(*this, held.secrets);
    m_wasStarted = true;
    const bool wasKnown = isRecord();
    m_said.becomesRecord(held.keptEvents);
    if (!wasKnown)
        m_lead.changed(*this, HostChanged::State::Gone, whyNotThere(held.machine, held.hasGivenUp));
    m_said.start(*m_client);
}

void HostAgent::takeAnswer(const HeartbeatReply& held)
{
    const Moment now = SystemClock().now();
    if (const auto measured = m_clockOffset.answered(held.at, now))
        m_lead.measured(*this, *measured);
    m_heardNs = now.monotonicNs;
    if (std::exchange(m_hasAnswered, true))
        return reachedAgain();
    m_lead.inherited(*this, held.secrets);
    m_machine = held.machine;
    m_wasStarted = true;
    m_isCut = true; // until now
    m_retries.forgetReasons();
    if (m_stop)
        send(*m_stop);
    reachedAgain();
    m_said.start(*m_client);
}

void HostAgent::reachedAgain()
{
    m_leftOut.cancel();
    if (std::exchange(m_isCut, false))
        m_lead.changed(*this, HostChanged::State::Connected, {});
}

/// Why it has, its process says better.
void HostAgent::broken(const Message& said)
{
    const Message why{code::HostConnectionEnded,
                      {{"host", host()}},
                      said.code == code::None ? std::string() : describe(said)};
    hangUp();
    m_again = m_loop.callAfter(LastWord, [this, why] { cut(why); });
}

void HostAgent::cutFor(std::chrono::nanoseconds time, const Message& why)
{
    if (m_isReleased)
        return;
    letGo();
    m_again = m_loop.callAfter(time, [this] { connect(); });
    reconnecting(why);
}

/// What comes of it is seen in the events.
void HostAgent::send(const Command& command)
{
    if (m_client)
        m_client->send(
            command, [](const Result<void>&) {}, m_setting.order.generation);
}

void HostAgent::stop(const StopRun& command)
{
    m_stop = command;
    send(command);
}

/// It may go.
void HostAgent::complete()
{
    m_isReleased = true;
    m_beat.cancel();
    if (m_client)
        beat(); // the end of its link follows
    else
        finished();
}

void HostAgent::finished()
{
    m_leftOut.cancel();
    if (!std::exchange(m_isOver, true) && !isRecord())
        m_lead.changed(*this, HostChanged::State::Finished, {});
}

void HostAgent::linkEnded(const Error& why, int exitCode)
{
    // It is in the middle of its call.
    m_loop.post([link = std::shared_ptr<HostLink>(std::move(m_link))] {});
    if (m_isReleased) {
        letGo();
        return finished();
    }
    if (exitCode == LeadReplacedExit)
        return gone({code::LeadReplaced, {{"host", host()}}, {}});
    if (exitCode == AgentNotThereExit)
        return gone(whyNotThere(describe(why), false));
    if (m_hasAnswered && hasFallenSilent(why.code)) {
        m_retries.connectionFailed(why.code);
        return cut(silence(m_setting.times.shown));
    }
    if (m_hasAnswered)
        return cut(why);
    if (m_isTrying && (m_wasStarted || m_retries.mayPass(why.code))) {
        m_retries.loginFailed(why.code);
        if (m_wasStarted)
            m_retries.connectionFailed(why.code);
        else
            tellWhy(why);
        letGo();
        return connectLater(why);
    }
    gone(why);
}

/// ssh's words for a silence that it ends itself vary.
bool HostAgent::hasFallenSilent(Code why) const
{
    return (why == code::HostLinkLost || why == code::HostLinkClosed) &&
           silentFor() >= m_setting.times.shown;
}

/// `machine` is where it was looked for, with words around it.
Message HostAgent::whyNotThere(const std::string& machine, bool hasGivenUp) const
{
    if (machine.find(m_machine) == std::string::npos)
        return {code::HostRebooted, {{"host", host()}}, {}};
    return {hasGivenUp ? code::HostAgentGaveUp : code::HostAgentKilled, {{"host", host()}}, {}};
}

/// Whether only the connection is broken, or the agent is gone, the next try shows.
void HostAgent::cut(const Message& why)
{
    letGo();
    if (!m_isTrying)
        return tryOnceMore(why);
    connectLater(why);
    reconnecting(why);
}

/// Once, until it answers again.
void HostAgent::reconnecting(const Message& why)
{
    if (!m_wasStarted || isRecord() || m_said.hasEnded() || std::exchange(m_isCut, true))
        return;
    const auto limit = m_setting.times.leftOut;
    const Message lost{code::HostLeftOut,
                       {{"host", host()}, {"seconds", std::to_string(limit.count() / 1000)}},
                       {}};
    m_leftOut =
        m_loop.callAfter(std::max<std::chrono::nanoseconds>(limit - silentFor(), 0ns),
                         [this, lost] { m_lead.changed(*this, HostChanged::State::Lost, lost); });
    m_lead.changed(*this, HostChanged::State::Reconnecting, why);
}

void HostAgent::gone(const Message& why)
{
    letGo();
    if (m_isReleased) // nothing of it is missing
        return finished();
    m_leftOut.cancel();
    if (std::exchange(m_isOver, true) || isRecord())
        return;
    if (m_said.hasEnded() && why.code != code::LeadReplaced)
        m_lead.changed(*this, HostChanged::State::Finished,
                       {code::HostOutputMissing, {{"host", host()}}, describe(why)});
    else
        m_lead.changed(*this, HostChanged::State::Gone, why);
}

void HostAgent::stopTrying()
{
    if (!std::exchange(m_isTrying, false))
        return;
    m_leftOut.cancel();
    // One that has its order is told that the rendezvous is closed as soon as it answers.
    if (m_client == nullptr && !m_isOver)
        tryOnceMore({code::HostNotWaitedFor, {{"host", host()}}, {}});
}

/// What is there has to hear of the end, and what an agent has left behind is ended by who comes
/// for it.
void HostAgent::tryOnceMore(const Message& why)
{
    if (!m_wasStarted || std::exchange(m_hasTriedLast, true))
        return gone(why);
    letGo();
    connect();
    m_again = m_loop.callAfter(m_setting.lastTry, [this, why] { gone(why); });
}

void HostAgent::hangUp()
{
    m_replies.drop();
    m_beat.cancel();
    m_silence.cancel();
    m_said.stop();
    m_client.reset();
}

void HostAgent::letGo()
{
    hangUp();
    m_again.cancel();
    m_link.reset();
    m_hasAnswered = false;
}

} // namespace ringmaster
