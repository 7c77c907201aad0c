#pragma once

#include "engine/collective/ring/Group.h"
#include "engine/collective/ring/LocalPeers.h"
#include "engine/collective/ring/NetworkLinks.h"
#include "engine/collective/ring/PeerMessages.h"

namespace ringmaster::ring {

/// All that a rank holds of a group, and what happens when a peer ends.
class GroupMember : private NetworkLinks::Host
{
public:
    struct Parts
    {
        Team::Place place{};
        LocalPeers locals;
        std::vector<NetworkPeer> remotes{};
        std::shared_ptr<Watch> watch{};
    };

    GroupMember(Parts parts, Observer* observer);
    ~GroupMember() override;
    Result<void> start();

    const Team::Place& place() const { return m_place; }
    Collectives& collectives() { return m_collectives; }
    PeerMessages& messages() { return *m_messages; }
    std::mutex& turn() { return m_turn; }
    const Alarm& alarm() const { return m_alarm; }
    bool isOwner() const; ///< False in a process forked from the one that joined.

    void giveUp(int culprit, const Error& error, std::uint64_t sequence);

private:
    void alarmArrived(const AlarmRecord& record) override;
    void messageChannelsChanged() override;

    Result<void> watchLocals();
    Result<void> watchProcess(int local);
    Result<void> watchSocket(size_t index);
    void socketReadable(size_t index);
    void localEnded(int local, Ending ending);
    void raise(const AlarmRecord& record);
    void spread(const AlarmRecord& record);
    void tellLocals();
    std::vector<Conversation> conversations();

    pid_t m_owner;
    Team::Place m_place;
    LocalPeers m_locals;
    std::vector<NetworkPeer> m_remotes;
    Alarm m_alarm;
    Team m_team;
    Collectives m_collectives;
    std::mutex m_turn;
    std::unique_ptr<NetworkLinks> m_links;
    std::unique_ptr<PeerMessages> m_messages;
    std::shared_ptr<Watch> m_watch;
    std::vector<Watch::Id> m_watched;
    bool m_isStarted = false;
};

} // namespace ringmaster::ring
