#include "engine/collective/ring/PeerMessages.h"

#include "engine/base/Codes.h"
#include "engine/collective/Codes.h"
#include "engine/collective/ring/Chunks.h"
#include "engine/collective/ring/ServiceThread.h"

#include <algorithm>

namespace ringmaster::ring {

namespace {

/// Sent with the announcement, so that a small message needs one way less. What nobody receives
/// yet is kept, so this bounds the memory of a receiver that is far behind.
constexpr size_t LargestWhole = size_t{8} << 10U;

Error sizeError(int sender, size_t sent, size_t expected)
{
    return {{code::MessageSizeDiffers,
             {{"rank", std::to_string(sender)},
              {"sent", std::to_string(sent)},
              {"expected", std::to_string(expected)}},
             {}},
            {}};
}

} // namespace

PeerMessages::PeerMessages(const Segment& segment, int localRank,
                           std::vector<Conversation> conversations, GiveUp giveUp)
    : m_alarm(segment), m_bell(segment.rank(localRank).inbox), m_giveUp(std::move(giveUp))
{
    for (Conversation& conversation : conversations) {
        const int rank = conversation.rank;
        m_underWay.conversations()[rank] = std::move(conversation);
    }
}

PeerMessages::~PeerMessages()
{
    stop();
}

void PeerMessages::stop()
{
    {
        const std::lock_guard lock(m_mutex);
        m_isStopping = true;
    }
    wake();
    if (m_thread.joinable())
        m_thread.join();
}

Error PeerMessages::cancelled()
{
    return {{code::Cancelled, {{"what", "A message under way"}}, {}}, {}};
}

void PeerMessages::wake()
{
    m_wakes.fetch_add(1, std::memory_order_seq_cst);
    m_bell.ring();
}

void PeerMessages::send(int to, std::uint32_t tag, ConstBytes data, Deadline deadline,
                        Post::Done done)
{
    post({true, to, tag, data, {}, Deadline::clock::now(), deadline, std::move(done)});
}

void PeerMessages::receive(int from, std::uint32_t tag, Bytes data, Deadline deadline,
                           Post::Done done)
{
    post({false, from, tag, {}, data, Deadline::clock::now(), deadline, std::move(done)});
}

void PeerMessages::post(Post posted)
{
    {
        std::unique_lock lock(m_mutex);
        if (m_isStopping) {
            lock.unlock();
            posted.done(tl::unexpected(cancelled()));
            return;
        }
        m_posts.push_back(std::move(posted));
        startThread();
    }
    wake();
}

void PeerMessages::start()
{
    const std::lock_guard lock(m_mutex);
    startThread();
}

void PeerMessages::startThread()
{
    if (!m_thread.joinable())
        m_thread = startServiceThread("rm-ring-p2p", [this] { serve(); });
}

void PeerMessages::serve()
{
    while (!m_isStopping) {
        const std::uint32_t seen = m_wakes.load(std::memory_order_seq_cst);
        takePosts();
        bool hasMoved = false;
        for (auto& [rank, conversation] : m_underWay.conversations())
            hasMoved = (!m_underWay.over() && pump(conversation)) || hasMoved;
        if (hasMoved)
            continue;
        if (!m_underWay.over() && m_alarm.isRaised())
            m_underWay.failAll(errorOf(m_alarm.record(), "send or recv"));
        for (auto& [rank, conversation] : m_underWay.conversations())
            failEnded(conversation);
        failLate(Deadline::clock::now());
        (void)m_bell.wait(
            [&] {
                return m_wakes.load(std::memory_order_seq_cst) != seen ||
                       (!m_underWay.over() && hasNews());
            },
            m_underWay.nextDeadline());
    }
    takePosts();
    m_underWay.failAll(cancelled());
}

void PeerMessages::failEnded(Conversation& conversation)
{
    const Ending ending = conversation.incoming.ending();
    if (ending == Ending::None || conversation.hasEnded || conversation.incoming.canReceive())
        return;
    // Whoever left because of an alarm has raised it before: that is the reason then.
    if (!m_underWay.over() && m_alarm.isRaised())
        return m_underWay.failAll(errorOf(m_alarm.record(), "send or recv"));
    const auto failed = m_underWay.failEnded(conversation, ending);
    // Who waits for this rank must learn of the death too, not only that this rank gave up.
    if (failed && ending != Ending::Left)
        m_giveUp(conversation.rank, *failed);
}

void PeerMessages::failLate(Deadline now)
{
    const auto late = m_underWay.late(now);
    if (!late)
        return;
    m_giveUp(late->first, late->second);
    m_underWay.failAll(late->second);
}

bool PeerMessages::hasNews() const
{
    for (const auto& [rank, conversation] : m_underWay.conversations()) {
        const bool wantsToSend = !conversation.controls.empty() || !conversation.granted.empty();
        if (conversation.incoming.canReceive() ||
            (wantsToSend && conversation.outgoing.canSend()) ||
            (!conversation.hasEnded && conversation.incoming.ending() != Ending::None))
            return true;
    }
    return m_alarm.isRaised();
}

void PeerMessages::takePosts()
{
    std::vector<Post> posts;
    {
        const std::lock_guard lock(m_mutex);
        posts.swap(m_posts);
    }
    for (Post& posted : posts) {
        if (m_underWay.over())
            failPost(posted, *m_underWay.over());
        else if (posted.isSend)
            startSend(std::move(posted));
        else
            startReceive(std::move(posted));
    }
}

void PeerMessages::startSend(Post posted)
{
    Conversation& conversation = m_underWay.conversations().at(posted.peer);
    if (conversation.hasEnded) {
        const Ending ending = conversation.incoming.ending();
        const Error error = endedError(ending, posted.peer, posted);
        if (ending != Ending::Left)
            m_giveUp(posted.peer, error);
        failPost(posted, error);
        return;
    }
    const bool isWhole = posted.source.size() <= LargestWhole;
    const Envelope envelope{++conversation.lastSend, posted.source.size(), 0, posted.tag, isWhole};
    conversation.controls.push_back(
        {MessageKind::Announce, envelope, isWhole ? posted.source : ConstBytes{}, {}});
    conversation.sends.emplace(envelope.number, std::move(posted));
}

void PeerMessages::startReceive(Post posted)
{
    if (const auto announcement = m_underWay.match().announcementFor(posted)) {
        accept(std::move(posted), *announcement);
        return;
    }
    m_underWay.match().keep(std::move(posted));
    for (auto& [rank, conversation] : m_underWay.conversations()) {
        // It may be for a rank that has ended already.
        conversation.hasEnded = false;
    }
}

void PeerMessages::accept(Post posted, const Announcement& announcement)
{
    Conversation& conversation = m_underWay.conversations().at(announcement.from);
    conversation.hasEnded = false; // It may have ended since it announced this.
    const Envelope& envelope = announcement.envelope;
    const size_t wanted = posted.target.size();
    // Of what has come already, its size and not what is said of it.
    const size_t sent = envelope.isWhole != 0 ? announcement.data.size() : envelope.bytes;
    if (sent != wanted) {
        // The sender fails alike: it is told how much was wanted.
        const Error error = sizeError(announcement.from, sent, wanted);
        conversation.controls.push_back({MessageKind::Refuse,
                                         {envelope.number, wanted, 0, 0, 0},
                                         {},
                                         [posted, error]() mutable { failPost(posted, error); }});
    } else if (envelope.isWhole != 0) {
        copyBytes(posted.target, announcement.data);
        conversation.controls.push_back(
            {MessageKind::Grant,
             envelope,
             {},
             [done = std::move(posted.done), from = announcement.from] { done(from); }});
    } else {
        conversation.receives.emplace(envelope.number, std::move(posted));
        conversation.controls.push_back({MessageKind::Grant, envelope, {}, {}});
    }
}

bool PeerMessages::pump(Conversation& conversation)
{
    bool hasMoved = false;
    while (conversation.incoming.canReceive()) {
        takeSlot(conversation);
        hasMoved = true;
    }
    while (!conversation.controls.empty() && conversation.outgoing.canSend()) {
        sendControl(conversation);
        hasMoved = true;
    }
    while (!conversation.granted.empty() && conversation.outgoing.canSend()) {
        sendData(conversation);
        hasMoved = true;
    }
    return hasMoved;
}

void PeerMessages::takeSlot(Conversation& conversation)
{
    const auto kind = static_cast<MessageKind>(conversation.incoming.header().kind);
    const auto envelope = meaningOf<Envelope>(conversation.incoming.header());
    switch (kind) {
    case MessageKind::Announce: takeAnnouncement(conversation, envelope); break;
    case MessageKind::Grant:
    case MessageKind::Refuse: takeAnswer(conversation, kind, envelope); break;
    case MessageKind::Data: takeData(conversation, envelope); break;
    }
    conversation.incoming.release();
}

void PeerMessages::takeAnnouncement(Conversation& conversation, const Envelope& envelope)
{
    const ConstBytes data = conversation.incoming.received();
    Announcement announcement{conversation.rank, envelope, {data.begin(), data.end()}};
    if (auto posted = m_underWay.match().receiveFor(announcement))
        accept(std::move(*posted), announcement);
    else
        m_underWay.match().keep(std::move(announcement));
}

void PeerMessages::takeAnswer(Conversation& conversation, MessageKind kind,
                              const Envelope& envelope)
{
    const auto found = conversation.sends.find(envelope.number);
    if (found == conversation.sends.end())
        return;
    if (kind == MessageKind::Grant && found->second.source.size() > LargestWhole) {
        if (std::ranges::find(conversation.granted, envelope.number) == conversation.granted.end())
            conversation.granted.push_back(envelope.number);
        return;
    }
    Post post = std::move(found->second);
    conversation.sends.erase(found);
    if (kind == MessageKind::Grant)
        post.done(conversation.rank);
    else
        failPost(post, sizeError(post.peer, post.source.size(), envelope.bytes));
}

void PeerMessages::takeData(Conversation& conversation, const Envelope& envelope)
{
    const auto found = conversation.receives.find(envelope.number);
    const ConstBytes data = conversation.incoming.received();
    if (found == conversation.receives.end() || envelope.offset != found->second.moved ||
        found->second.target.size() - envelope.offset < data.size())
        return; // Of a receive that has failed here.
    Post& post = found->second;
    copyBytes(post.target.subspan(envelope.offset), data);
    post.moved += data.size();
    if (post.moved < post.target.size())
        return;
    post.done(conversation.rank);
    conversation.receives.erase(found);
}

void PeerMessages::sendControl(Conversation& conversation)
{
    const Control control = std::move(conversation.controls.front());
    conversation.controls.pop_front();
    copyBytes(conversation.outgoing.slotToSend(), control.payload);
    conversation.outgoing.commit(makeHeader(static_cast<std::uint32_t>(control.kind),
                                            control.payload.size(), control.envelope));
    if (control.committed)
        control.committed();
}

void PeerMessages::sendData(Conversation& conversation)
{
    const std::uint64_t number = conversation.granted.front();
    const auto found = conversation.sends.find(number);
    if (found == conversation.sends.end()) { // refused after it was granted
        conversation.granted.pop_front();
        return;
    }
    Post& post = found->second;
    const Bytes slot = conversation.outgoing.slotToSend();
    const ConstBytes data =
        post.source.subspan(post.moved, std::min(slot.size(), post.source.size() - post.moved));
    copyBytes(slot, data);
    const Envelope envelope{number, post.source.size(), post.moved, post.tag, 0};
    conversation.outgoing.commit(
        makeHeader(static_cast<std::uint32_t>(MessageKind::Data), data.size(), envelope));
    post.moved += data.size();
    if (post.moved < post.source.size())
        return;
    post.done(conversation.rank);
    conversation.sends.erase(found);
    conversation.granted.pop_front();
}

} // namespace ringmaster::ring
