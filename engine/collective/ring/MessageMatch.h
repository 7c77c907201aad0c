#pragma once

#include "engine/collective/ring/Types.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

namespace ringmaster::ring {

constexpr int AnyRank = -1;

enum class MessageKind : std::uint32_t { Announce = 2, Grant, Refuse, Data };

/// What the slots of a message channel say.
struct Envelope
{
    std::uint64_t number = 0; ///< Of the send, counted by the sender for each receiver.
    std::uint64_t bytes = 0;  ///< Of the whole message.
    std::uint64_t offset = 0;
    std::uint32_t tag = 0;
    std::uint32_t isWhole = 0; ///< The announcement brings all of the data.
};

struct Control
{
    MessageKind kind = MessageKind::Announce;
    Envelope envelope{};
    ConstBytes payload{};
    std::function<void()>
        committed{}; ///< Called once it is on its way, whatever then becomes of us.
};

/// A send that a peer wants to make; small ones bring their data.
struct Announcement
{
    int from = -1;
    Envelope envelope{};
    std::vector<std::byte> data{};
};

/// Brings receives and announcements together: the oldest of each that fit.
template <class Receive>
class MessageMatch
{
public:
    /// The announcement that fits, else the receive is kept.
    std::optional<Announcement> announcementFor(const Receive& receive)
    {
        const auto found =
            std::ranges::find_if(m_announcements, [&](const Announcement& announced) {
                return fits(receive, announced);
            });
        if (found == m_announcements.end())
            return std::nullopt;
        Announcement announcement = std::move(*found);
        m_announcements.erase(found);
        return announcement;
    }

    std::optional<Receive> receiveFor(const Announcement& announcement)
    {
        const auto found = std::ranges::find_if(
            m_receives, [&](const Receive& receive) { return fits(receive, announcement); });
        if (found == m_receives.end())
            return std::nullopt;
        Receive receive = std::move(*found);
        m_receives.erase(found);
        return receive;
    }

    void keep(Receive receive) { m_receives.push_back(std::move(receive)); }
    void keep(Announcement announcement) { m_announcements.push_back(std::move(announcement)); }

    std::deque<Receive>& receives() { return m_receives; }
    const std::deque<Receive>& receives() const { return m_receives; }

private:
    static bool fits(const Receive& receive, const Announcement& announcement)
    {
        return receive.tag == announcement.envelope.tag &&
               (receive.peer == AnyRank || receive.peer == announcement.from);
    }

    std::deque<Receive> m_receives;
    std::deque<Announcement> m_announcements;
};

} // namespace ringmaster::ring
