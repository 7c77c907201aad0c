#include "app/learn/LessonScene.h"

#include "app/bridge/Words.h"
#include "app/learn/LearnText.h"

#include <QCoreApplication>

#include <algorithm>

namespace ringmaster::app {

namespace {

using Standing = LessonScene::Standing;
using Link = LessonScene::Link;
using Phase = lesson::RankState::Phase;

struct Scene
{
    Q_DECLARE_TR_FUNCTIONS(LessonScene)
};

QString word(Standing standing)
{
    switch (standing) {
    case Standing::Starting: return Scene::tr("Starting");
    case Standing::Held: return Scene::tr("Held");
    case Standing::Busy: return Scene::tr("Running");
    case Standing::InCall: return Scene::tr("In call");
    case Standing::Blocked: return Scene::tr("Blocked");
    case Standing::Failed: return Scene::tr("Failed");
    case Standing::Finished: return Scene::tr("Finished");
    case Standing::Gone: return Scene::tr("Gone");
    }
    return {};
}

LessonScene::Value valueOf(const lesson::Cell& cell, size_t position)
{
    LessonScene::Value value{.name = QString::fromStdString(cell.value.name),
                             .type = QString::fromStdString(cell.value.type),
                             .isTensor = cell.value.kind == LessonValue::Kind::Tensor,
                             .isWhole = cell.value.isWhole,
                             .isNew = cell.changedAt == position,
                             .bytes = cell.value.bytes};
    for (const std::string& element : cell.value.elements)
        value.elements << QString::fromStdString(element);
    return value;
}

/// Reads one moment of the recording into a scene.
class SceneMaker
{
public:
    explicit SceneMaker(const LessonPlayer& player)
        : m_player(player), m_state(player.state()), m_position(player.position())
    {
    }

    LessonScene make();

private:
    void addRanks();
    Standing standingOf(int rank) const;
    QString detailOf(int rank) const;
    void addMessages();
    void addWaits();
    void addMeetings();
    void addChunks();
    void addChunkValues(const lesson::RingOperation& operation);
    void addFindings();
    QString titleText() const;
    QString originText() const;
    const lesson::RingOperation* ring() const;
    bool isPresent() const { return m_player.isAtEnd() && m_player.canMove(); }

    const LessonPlayer& m_player;
    const lesson::State& m_state;
    size_t m_position;
    std::vector<lesson::Wait> m_waits;
    LessonScene m_scene;
};

LessonScene SceneMaker::make()
{
    if (m_player.size() == 0)
        return {};
    m_waits = m_state.calls().waits();
    addRanks();
    addMeetings();
    addMessages();
    addChunks();
    addWaits();
    addFindings();
    m_scene.title = titleText();
    m_scene.origin = originText();
    return std::move(m_scene);
}

Standing SceneMaker::standingOf(int rank) const
{
    switch (m_state.rank(rank).phase) {
    case Phase::NotStarted: return Standing::Starting;
    case Phase::Failed: return Standing::Failed;
    case Phase::Finished: return Standing::Finished;
    case Phase::Exited: return Standing::Gone;
    case Phase::InCall:
        return std::ranges::find(m_waits, rank, &lesson::Wait::rank) != m_waits.end()
                   ? Standing::Blocked
                   : Standing::InCall;
    case Phase::AtLine: break;
    }
    return isPresent() && m_player.run()->isBusy(rank) ? Standing::Busy : Standing::Held;
}

QString SceneMaker::detailOf(int rank) const
{
    const lesson::RankState& state = m_state.rank(rank);
    if (state.phase == Phase::Failed)
        return QString::fromStdString(state.error);
    if (state.phase != Phase::InCall)
        return {};
    const auto wait = std::ranges::find(m_waits, rank, &lesson::Wait::rank);
    const QString call = callText(state.call);
    return wait == m_waits.end() ? call : QStringLiteral("%1: %2").arg(call, waitText(*wait));
}

void SceneMaker::addRanks()
{
    const int actor = m_player.run()->recording().step(m_position).globalRank;
    for (int rank = 0; rank < m_state.rankCount(); ++rank) {
        const lesson::RankState& state = m_state.rank(rank);
        LessonScene::Rank shown{.rank = rank,
                                .pid = state.pid,
                                .line = state.line,
                                .standing = standingOf(rank),
                                .detail = detailOf(rank),
                                .isActor = rank == actor};
        shown.state = word(shown.standing);
        if (!state.frames.empty()) {
            for (const lesson::Cell& cell : state.frames.back().cells)
                shown.values.push_back(valueOf(cell, m_position));
        }
        // What has just changed first, and tensors before what counts them.
        std::ranges::stable_sort(shown.values, std::ranges::greater{},
                                 [](const auto& value) { return value.isTensor; });
        m_scene.ranks.push_back(std::move(shown));
    }
}

void SceneMaker::addMessages()
{
    using MessagePhase = lesson::PeerMessage::Phase;
    for (const lesson::PeerMessage& message : m_state.calls().messages()) {
        const bool isOld =
            message.phase == MessagePhase::Delivered && message.arrivedAt != m_position;
        if (isOld || message.from < 0)
            continue;
        Link link{.from = message.from, .to = message.to, .line = message.sentAt.line};
        switch (message.phase) {
        case MessagePhase::Offered: link.kind = Link::Kind::Offered; break;
        case MessagePhase::Awaited: link.kind = Link::Kind::Awaited; break;
        case MessagePhase::InFlight: link.kind = Link::Kind::Message; break;
        case MessagePhase::Delivered: link.kind = Link::Kind::Delivered; break;
        }
        link.state = app::word(message.phase);
        if (message.phase == MessagePhase::Awaited) {
            link.line = message.receivedAt.line;
        } else {
            link.value = valueText(message.data);
            link.bytes = message.data.bytes;
        }
        m_scene.links.push_back(std::move(link));
    }
}

void SceneMaker::addWaits()
{
    const auto deadlock = m_state.calls().deadlock();
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
            const bool isCycle = isInCycle(wait.rank, on);
            m_scene.links.push_back(
                {.kind = isCycle ? Link::Kind::Cycle : Link::Kind::Wait,
                 .from = wait.rank,
                 .to = on,
                 .state = isCycle ? Scene::tr("waits in a circle") : Scene::tr("waits"),
                 .value = callText(wait.call),
                 .line = wait.at.line});
        }
    }
}

void SceneMaker::addMeetings()
{
    for (const lesson::Collective& collective : m_state.calls().collectives()) {
        LessonScene::Meeting meeting{.members = collective.members,
                                     .disagrees = !collective.disagreement().empty()};
        bool isNow = !collective.isOver();
        for (const auto& [rank, part] : collective.parts) {
            meeting.entered.push_back(rank);
            if (part.isBack)
                meeting.back.push_back(rank);
            meeting.name = callText(part.call);
        }
        const LessonStep& step = m_player.run()->recording().step(m_position);
        isNow = isNow || (step.kind == LessonStep::Kind::Return &&
                          collective.parts.contains(step.globalRank) &&
                          collective.parts.at(step.globalRank).call.id == step.call.id);
        if (!isNow)
            continue;
        meeting.name += QStringLiteral(" #%1").arg(collective.number);
        meeting.state = Scene::tr("%1 of %2 entered, %3 back")
                            .arg(meeting.entered.size())
                            .arg(collective.members.size())
                            .arg(meeting.back.size());
        m_scene.meetings.push_back(std::move(meeting));
    }
}

const lesson::RingOperation* SceneMaker::ring() const
{
    return m_state.ringOperations().empty() ? nullptr : &m_state.ringOperations().back();
}

/// The chunks that have come in the same step of the algorithm as the one that came now.
void SceneMaker::addChunks()
{
    const lesson::RingOperation* operation = ring();
    if (operation == nullptr)
        return;
    const LessonStep& now = m_player.run()->recording().step(m_position);
    addChunkValues(*operation);
    if (now.kind != LessonStep::Kind::Chunk)
        return;
    for (const lesson::RingOperation::Arrival& arrival : operation->arrivals) {
        const LessonChunk& chunk = arrival.chunk;
        const bool isRank = chunk.from >= 0 && chunk.from < m_state.rankCount();
        if (chunk.step != now.chunk.step || arrival.step > m_position || !isRank)
            continue;
        LessonValue after{.kind = LessonValue::Kind::Tensor, .elements = chunk.after};
        LessonValue before{.kind = LessonValue::Kind::Tensor, .elements = chunk.before};
        m_scene.links.push_back(
            {.kind = Link::Kind::Chunk,
             .from = chunk.from,
             .to = chunk.to,
             .state = Scene::tr("chunk %1, step %2").arg(chunk.chunk).arg(chunk.step + 1),
             .value = Scene::tr("%1, before %2").arg(valueText(after), valueText(before)),
             .bytes = chunk.bytes});
    }
}

/// A row of chunks in each rank: what the backend said that is in them, and a dot where it has said
/// nothing yet.
void SceneMaker::addChunkValues(const lesson::RingOperation& operation)
{
    const size_t count = m_scene.ranks.size();
    std::vector<std::vector<QString>> chunks(count,
                                             std::vector<QString>(count, QStringLiteral("·")));
    std::vector<bool> isNew(count, false);
    for (const lesson::RingOperation::Arrival& arrival : operation.arrivals) {
        const LessonChunk& chunk = arrival.chunk;
        if (chunk.to < 0 || static_cast<size_t>(chunk.to) >= count || chunk.chunk >= count)
            continue;
        QStringList elements;
        for (const std::string& element : chunk.after)
            elements << QString::fromStdString(element);
        chunks[static_cast<size_t>(chunk.to)][chunk.chunk] = elements.join(u' ');
        isNew[static_cast<size_t>(chunk.to)] = arrival.step == m_position;
    }
    for (size_t rank = 0; rank < count; ++rank) {
        LessonScene::Value value{
            .name = Scene::tr("chunks"), .isTensor = true, .isNew = isNew[rank]};
        for (const QString& chunk : chunks[rank])
            value.elements << chunk;
        m_scene.ranks[rank].values.insert(m_scene.ranks[rank].values.begin(), value);
    }
}

void SceneMaker::addFindings()
{
    for (const lesson::Collective& collective : m_state.calls().disagreements())
        m_scene.findings << disagreementText(collective);
    for (const lesson::Hazard& hazard : m_state.hazards())
        m_scene.findings << hazardText(hazard);
    if (const auto deadlock = m_state.calls().deadlock())
        m_scene.findings << deadlockText(*deadlock);
    for (int rank = 0; rank < m_state.rankCount(); ++rank) {
        const lesson::RankState& state = m_state.rank(rank);
        if (state.phase == Phase::Failed)
            m_scene.findings << Scene::tr("Rank %1 failed in line %2: %3")
                                    .arg(QString::number(rank), QString::number(state.line),
                                         QString::fromStdString(state.error));
        if (state.phase == Phase::Exited)
            m_scene.findings << Scene::tr("The worker of rank %1 is gone.").arg(rank);
    }
}

QString SceneMaker::titleText() const
{
    const LessonStep& step = m_player.run()->recording().step(m_position);
    return Scene::tr("Rank %1 %2").arg(QString::number(step.globalRank), stepText(step));
}

QString SceneMaker::originText() const
{
    const auto& started = m_player.run()->recording().started();
    const QString backend = started ? QString::fromStdString(started->backend) : QString();
    if (ring() != nullptr)
        return Scene::tr(
            "Lines and values: read in each worker. Chunks: as the ring backend told.");
    return Scene::tr("Lines, calls and values: read in each worker. What %1 does inside of a "
                     "collective isn't shown, because it isn't measured.")
        .arg(backend.isEmpty() ? Scene::tr("the backend") : backend);
}

} // namespace

LessonScene sceneOf(const LessonPlayer& player)
{
    return SceneMaker(player).make();
}

StateLook lookOf(Standing standing, const Tokens& tokens)
{
    switch (standing) {
    case Standing::Starting: return {tokens.neutral, Glyph::HollowCircle};
    case Standing::Held: return {tokens.neutral, Glyph::Square};
    case Standing::Busy: return {tokens.running, Glyph::Circle};
    case Standing::InCall: return {tokens.running, Glyph::DashedRing};
    case Standing::Blocked: return {tokens.warning, Glyph::Triangle};
    case Standing::Failed: return {tokens.failed, Glyph::Cross};
    case Standing::Finished: return {tokens.finished, Glyph::Tick};
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
