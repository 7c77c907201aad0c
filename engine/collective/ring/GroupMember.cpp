#include "engine/collective/ring/GroupMember.h"

#include <sys/socket.h>
#include <unistd.h>

namespace ringmaster::ring {

GroupMember::GroupMember(Parts parts, Observer* observer)
    : m_owner(::getpid())
    , m_place(std::move(parts.place))
    , m_locals(std::move(parts.locals))
    , m_remotes(std::move(parts.remotes))
    , m_alarm(m_locals.segment)
    , m_team(m_place, m_locals.segment)
    , m_collectives(m_team)
    , m_watch(std::move(parts.watch))
{
    m_team.setObserver(observer);
}

Result<void> GroupMember::start()
{
    std::vector<int> remotes;
    for (const NetworkPeer& peer : m_remotes)
        remotes.push_back(peer.rank);
    if (!remotes.empty())
        m_links = RM_TRY(NetworkLinks::make(std::move(m_remotes), *this));
    m_messages = std::make_unique<PeerMessages>(
        m_locals.segment, m_place.localRank, conversations(),
        [this](int culprit, const Error& error) { giveUp(culprit, error, 0); });
    for (const int rank : remotes)
        m_team.setRemote(rank, m_links->outgoing(rank, Purpose::CollectivesOut),
                         m_links->incoming(rank, Purpose::CollectivesIn));
    if (m_links) {
        // From the start: a peer whose messages lie unread takes this host for lost.
        m_messages->start();
        m_links->start();
    }
    m_isStarted = true;
    return watchLocals();
}

GroupMember::~GroupMember()
{
    for (const Watch::Id id : m_watched)
        m_watch->stop(id);
    if (!m_isStarted)
        return;
    m_messages->stop();
    localEnded(m_place.localRank, Ending::Left);
    if (!m_links)
        return;
    // Those elsewhere may not have heard yet why this rank leaves.
    if (m_alarm.isRaised())
        m_links->raiseAlarm(m_alarm.record());
    m_links->leave();
}

bool GroupMember::isOwner() const
{
    return ::getpid() == m_owner;
}

std::vector<Conversation> GroupMember::conversations()
{
    std::vector<Conversation> all;
    const Segment& segment = m_locals.segment;
    for (int rank = 0; rank < m_place.size; ++rank) {
        if (rank == m_place.rank)
            continue;
        Conversation& conversation = all.emplace_back();
        conversation.rank = rank;
        const auto found = std::ranges::find(m_place.locals, rank);
        if (found == m_place.locals.end()) {
            conversation.outgoing = m_links->outgoing(rank, Purpose::Messages);
            conversation.incoming = m_links->incoming(rank, Purpose::Messages);
            continue;
        }
        const int local = static_cast<int>(found - m_place.locals.begin());
        conversation.outgoing =
            Channel(segment.messageChannel(m_place.localRank, local), Segment::MessageShape);
        conversation.incoming =
            Channel(segment.messageChannel(local, m_place.localRank), Segment::MessageShape);
        Bell& inbox = segment.rank(local).inbox;
        conversation.outgoing.setPoke([&inbox] { inbox.ring(); });
        conversation.incoming.setPoke([&inbox] { inbox.ring(); });
    }
    return all;
}

Result<void> GroupMember::watchLocals()
{
    for (int local = 0; local < static_cast<int>(m_place.locals.size()); ++local)
        RM_TRY(watchProcess(local));
    for (size_t index = 0; index < m_locals.sockets.size(); ++index)
        RM_TRY(watchSocket(index));
    return {};
}

Result<void> GroupMember::watchProcess(int local)
{
    const RankMemory& own = m_locals.segment.rank(m_place.localRank);
    const RankMemory& other = m_locals.segment.rank(local);
    const ProcessIdentity process{other.process.load(), other.startTime.load()};
    // In another container its number means nothing here; the socket tells then.
    if (process.pid <= 0 || process.pid == ::getpid() ||
        other.processSpace.load() != own.processSpace.load())
        return {};
    m_watched.push_back(
        RM_TRY(m_watch->watch(process, [this, local] { localEnded(local, Ending::Died); })));
    return {};
}

Result<void> GroupMember::watchSocket(size_t index)
{
    m_watched.push_back(RM_TRY(m_watch->watch(m_locals.sockets[index].second.get(),
                                              [this, index] { socketReadable(index); })));
    return {};
}

void GroupMember::socketReadable(size_t index)
{
    const auto& [local, socket] = m_locals.sockets[index];
    char byte = 0;
    if (::recv(socket.get(), &byte, 1, MSG_DONTWAIT) != 1) {
        localEnded(local, Ending::Died);
        return;
    }
    if (m_alarm.isRaised())
        spread(m_alarm.record());
}

void GroupMember::localEnded(int local, Ending ending)
{
    const Segment& segment = m_locals.segment;
    std::uint32_t none = 0;
    // Who has left in order ends later, but hasn't died.
    segment.rank(local).ending.compare_exchange_strong(none, static_cast<std::uint32_t>(ending));
    const auto holds = static_cast<Ending>(segment.rank(local).ending.load());
    for (int other = 0; other < segment.ranks(); ++other) {
        Channel(segment.collectiveChannel(local, other), Segment::CollectiveShape).end(holds);
        Channel(segment.collectiveChannel(other, local), Segment::CollectiveShape).end(holds);
        Channel(segment.messageChannel(local, other), Segment::MessageShape).end(holds);
        Channel(segment.messageChannel(other, local), Segment::MessageShape).end(holds);
        segment.rank(other).inbox.ring();
    }
    segment.header().board.ring();
}

void GroupMember::giveUp(int culprit, const Error& error, std::uint64_t sequence)
{
    raise(makeAlarm(m_place.rank, culprit, error, sequence));
}

void GroupMember::alarmArrived(const AlarmRecord& record)
{
    raise(record);
}

void GroupMember::raise(const AlarmRecord& record)
{
    m_alarm.raise(record);
    const AlarmRecord known = m_alarm.record();
    spread(known.raisedBy < 0 ? record : known);
}

void GroupMember::spread(const AlarmRecord& record)
{
    tellLocals();
    if (m_links) {
        m_links->raiseAlarm(record);
        m_links->wakeAll();
    }
    if (m_messages)
        m_messages->wake();
}

void GroupMember::tellLocals()
{
    // In the segment all see it; this is for those who sleep at a channel to another host.
    const char byte = '!';
    for (const auto& [local, socket] : m_locals.sockets)
        (void)::send(socket.get(), &byte, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

void GroupMember::messageChannelsChanged()
{
    if (m_messages)
        m_messages->wake();
}

} // namespace ringmaster::ring
