#include "app/learn/SceneMessages.h"

#include "app/learn/LearnText.h"

#include <algorithm>

namespace ringmaster::app {

void SceneMessages::addMessages()
{
    for (const lesson::PeerMessage& message : m_state.calls().messages()) {
        const bool isOld = message.phase == lesson::PeerMessage::Phase::Delivered &&
                           message.arrivedAt != m_position;
        if (!isOld && message.from >= 0 && waitFor(message) == nullptr)
            m_scene.links.push_back(linkOf(message));
    }
}

LessonScene::Link SceneMessages::linkOf(const lesson::PeerMessage& message) const
{
    using Link = LessonScene::Link;
    using MessagePhase = lesson::PeerMessage::Phase;
    Link link{.from = message.from,
              .to = message.to,
              .line = message.sentAt.line,
              .sent = QString::fromStdString(message.data.name),
              .room = QString::fromStdString(message.room.name)};
    const size_t met = std::max(message.sentAt.step, message.receivedAt.step);
    switch (message.phase) {
    case MessagePhase::Offered: link.kind = Link::Kind::Offered; break;
    case MessagePhase::Awaited: link.kind = Link::Kind::Awaited; break;
    case MessagePhase::InFlight: link.kind = Link::Kind::Message; break;
    case MessagePhase::Delivered: link.kind = Link::Kind::Delivered; break;
    }
    const bool isDelivered = message.phase == MessagePhase::Delivered;
    link.isNew = (isDelivered ? message.arrivedAt : met) == m_position;
    if (isDelivered && message.arrivedAt > met)
        link.wayBefore = Link::WayInFlight;
    else if (message.phase != MessagePhase::Offered && message.sentAt.step < met)
        link.wayBefore = Link::WayOffered;
    link.state = app::word(message.phase);
    for (const lesson::Hazard& hazard : m_state.hazards()) {
        const bool isSent = hazard.rank == message.from && hazard.call.id == message.sendCall;
        const bool isTaken = hazard.rank == message.to && hazard.call.id == message.receiveCall;
        if (isSent || isTaken)
            link.state = LessonScene::tr("▲ touched too early");
    }
    if (message.phase == MessagePhase::Awaited) {
        link.line = message.receivedAt.line;
    } else {
        link.value = valueText(message.data);
        link.bytes = message.data.bytes;
    }
    return link;
}

/// Who can't go on because the message's other side isn't there: its wait is the arrow.
const lesson::Wait* SceneMessages::waitFor(const lesson::PeerMessage& message) const
{
    using MessagePhase = lesson::PeerMessage::Phase;
    const bool isOffered = message.phase == MessagePhase::Offered;
    if (!isOffered && message.phase != MessagePhase::Awaited)
        return nullptr;
    const int rank = isOffered ? message.from : message.to;
    const std::uint64_t call = isOffered ? message.sendCall : message.receiveCall;
    const auto wait = std::ranges::find_if(m_waits, [&](const lesson::Wait& known) {
        return known.rank == rank && (known.call.id == call || known.call.waitsFor == call);
    });
    return wait == m_waits.end() ? nullptr : &*wait;
}

/// What it would send, if it waits for a receiver.
const LessonValue* SceneMessages::offeredBy(const lesson::Wait& wait) const
{
    for (const lesson::PeerMessage& message : m_state.calls().messages())
        if (message.phase == lesson::PeerMessage::Phase::Offered && waitFor(message) == &wait)
            return &message.data;
    return nullptr;
}

void SceneMessages::addWaits(const std::function<bool(int rank)>& isShown)
{
    using Link = LessonScene::Link;
    const auto& deadlock = m_state.deadlock();
    const auto isInCycle = [&](int from, int to) {
        if (!deadlock)
            return false;
        const auto& cycle = deadlock->cycle;
        for (size_t i = 0; i < cycle.size(); ++i) {
            if (cycle[i] == from && cycle[(i + 1) % cycle.size()] == to)
                return true;
        }
        return false;
    };
    for (const lesson::Wait& wait : m_waits) {
        for (const int on : wait.on) {
            if (!isShown(on))
                continue;
            const bool isCycle = isInCycle(wait.rank, on);
            const LessonValue* sent = offeredBy(wait);
            const QString call = callText(wait.call);
            m_scene.links.push_back(
                {.kind = isCycle ? Link::Kind::Cycle : Link::Kind::Wait,
                 .from = wait.rank,
                 .to = on,
                 .state = isCycle ? LessonScene::tr("waits in a circle") : LessonScene::tr("waits"),
                 .value =
                     sent == nullptr ? call : QStringLiteral("%1: %2").arg(call, valueText(*sent)),
                 .bytes = sent == nullptr ? 0 : sent->bytes,
                 .line = wait.at.line});
        }
    }
}

} // namespace ringmaster::app
