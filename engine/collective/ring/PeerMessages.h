#pragma once

#include "engine/collective/ring/MessagesUnderWay.h"

#include <functional>
#include <mutex>
#include <thread>

namespace ringmaster::ring {

/// Point-to-point messages of one rank: any number under way at once, in a thread of its own that
/// the first one or start() starts. A send is done when its receive was matched and all was handed
/// over; receives are matched by sender and tag, in the order of the sends.
class PeerMessages
{
public:
    /// Tells the group that a deadline has passed, so that no rank waits on.
    using GiveUp = std::function<void(int culprit, const Error& error)>;

    PeerMessages(const Segment& segment, int localRank, std::vector<Conversation> conversations,
                 GiveUp giveUp);
    ~PeerMessages();

    /// Takes what arrives though this rank has sent and received nothing yet.
    void start();

    /// The buffers stay until `done` is called, on the thread, with the other rank.
    void send(int to, std::uint32_t tag, ConstBytes data, Deadline deadline, Post::Done done);
    void receive(int from, std::uint32_t tag, Bytes data, Deadline deadline, Post::Done done);

    /// What is under way fails as cancelled; nothing is taken any more.
    void stop();

    void wake(); ///< Something has changed that isn't in the segment.

private:
    void post(Post posted);
    static Error cancelled();
    void startThread();
    void serve();
    void takePosts();
    void startSend(Post posted);
    void startReceive(Post posted);
    void accept(Post posted, const Announcement& announcement);
    bool pump(Conversation& conversation);
    bool hasNews() const;
    void takeSlot(Conversation& conversation);
    void takeAnnouncement(Conversation& conversation, const Envelope& envelope);
    void takeAnswer(Conversation& conversation, MessageKind kind, const Envelope& envelope);
    void takeData(Conversation& conversation, const Envelope& envelope);
    void sendControl(Conversation& conversation);
    void sendData(Conversation& conversation);
    void failEnded(Conversation& conversation);
    void failLate(Deadline now);

    Alarm m_alarm;
    Bell& m_bell;
    GiveUp m_giveUp;
    MessagesUnderWay m_underWay;
    std::mutex m_mutex; ///< Of the posts that the thread hasn't taken yet.
    std::vector<Post> m_posts;
    std::atomic<std::uint32_t> m_wakes{0};
    std::atomic<bool> m_isStopping{false};
    std::jthread m_thread;
};

} // namespace ringmaster::ring
