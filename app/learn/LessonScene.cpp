#include "app/learn/LessonScene.h"

#include "app/learn/SceneMaker.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

using Standing = LessonScene::Standing;
using Link = LessonScene::Link;

} // namespace

const LessonScene::Collective::Part* LessonScene::Collective::partOf(int rank) const
{
    const auto found = std::ranges::find(parts, rank, &Part::rank);
    return found == parts.end() ? nullptr : &*found;
}

double LessonScene::Link::way() const
{
    switch (kind) {
    case Kind::Offered: return WayOffered;
    case Kind::Message: return WayInFlight;
    case Kind::Delivered:
    case Kind::Chunk:
    case Kind::Corrupted: return 1;
    case Kind::Awaited:
    case Kind::Wait:
    case Kind::Cycle: break;
    }
    return 0;
}

LessonScene sceneOf(const LessonPlayer& player)
{
    return player.size() == 0 ? LessonScene() : SceneMaker(player).make();
}

StateLook lookOf(Standing standing, const Tokens& tokens)
{
    switch (standing) {
    case Standing::Starting: return {tokens.neutral, Glyph::HollowCircle};
    case Standing::Held: return {tokens.neutral, Glyph::Square};
    case Standing::Busy: return {tokens.running, Glyph::Circle};
    case Standing::InCall: return {tokens.running, Glyph::DashedRing};
    case Standing::Blocked: return {tokens.warning, Glyph::Triangle};
    case Standing::Paused: return {tokens.warning, Glyph::Square};
    case Standing::Failed: return {tokens.failed, Glyph::Cross};
    case Standing::Finished: return {tokens.finished, Glyph::Tick};
    case Standing::Stopped: return {tokens.stopped, Glyph::Square};
    case Standing::Gone: return {tokens.failed, Glyph::Cross};
    }
    return {};
}

StateLook lookOf(Link::Kind kind, const Tokens& tokens)
{
    switch (kind) {
    case Link::Kind::Message: return {tokens.running, Glyph::Arrow};
    case Link::Kind::Offered: return {tokens.stopped, Glyph::Arrow};
    case Link::Kind::Awaited: return {tokens.neutral, Glyph::HollowCircle};
    case Link::Kind::Delivered: return {tokens.finished, Glyph::Tick};
    case Link::Kind::Chunk: return {tokens.running, Glyph::Square};
    case Link::Kind::Corrupted: return {tokens.failed, Glyph::Cross};
    case Link::Kind::Wait: return {tokens.warning, Glyph::Triangle};
    case Link::Kind::Cycle: return {tokens.failed, Glyph::Cross};
    }
    return {};
}

QColor rankColor(int rank, const Tokens& tokens)
{
    // Okabe and Ito's, without the yellow that can't be seen on white.
    static constexpr QRgb Light[] = {0x0072B2, 0xB04500, 0x00724F, 0x97416F,
                                     0x8A5A00, 0x1C6C9C, 0x586272, 0x6A4FB3};
    static constexpr QRgb Dark[] = {0x6CB6EC, 0xFF935A, 0x45CFA6, 0xE2ABC9,
                                    0xF3B93C, 0x9AD2F3, 0xA6AFBB, 0xB7A3F0};
    return QColor((tokens.isDark ? Dark : Light)[static_cast<size_t>(rank) % std::size(Light)]);
}

} // namespace ringmaster::app
