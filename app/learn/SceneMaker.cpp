#include "app/learn/SceneMaker.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/learn/FaultText.h"
#include "app/learn/LearnText.h"
#include "app/learn/SceneCollectives.h"
#include "app/learn/SceneMessages.h"
#include "app/model/EventText.h"
#include "engine/diagnose/WaitVerdicts.h"

#include <algorithm>
#include <set>

namespace ringmaster::app {

namespace {

using Standing = LessonScene::Standing;
using Phase = lesson::RankState::Phase;

QString word(Standing standing)
{
    switch (standing) {
    case Standing::Starting: return LessonScene::tr("Starting");
    case Standing::Held: return LessonScene::tr("Held");
    case Standing::Busy: return LessonScene::tr("Running");
    case Standing::InCall: return LessonScene::tr("In call");
    case Standing::Blocked: return LessonScene::tr("Blocked");
    case Standing::Paused: return LessonScene::tr("Paused");
    case Standing::Failed: return LessonScene::tr("Failed");
    case Standing::Finished: return LessonScene::tr("Finished");
    case Standing::Stopped: return LessonScene::tr("Stopped");
    case Standing::Gone: return LessonScene::tr("Gone");
    }
    return {};
}

/// As the picture shows them: each of them.
QStringList allElements(const LessonValue& value)
{
    QStringList texts;
    for (const std::string& element : value.elements)
        texts << QString::fromStdString(element);
    return texts;
}

/// What the rank held in the function that it left last, newest first: its program's own end has
/// nothing to show.
std::vector<lesson::Cell> leftBehind(const lesson::Recording& recording, int rank, size_t position)
{
    using StepKind = LessonStep::Kind;
    std::vector<lesson::Cell> cells;
    std::set<std::string> seen;
    bool isInside = false;
    for (size_t index = position + 1; index-- > 0;) {
        const LessonStep& step = recording.step(index);
        if (step.globalRank != rank ||
            (step.kind != StepKind::Line && step.kind != StepKind::Return))
            continue;
        if (step.attempt != recording.step(position).attempt || (step.depth == 0 && isInside))
            break;
        isInside = isInside || step.depth > 0;
        const bool isBack = step.kind == StepKind::Return && !step.call.isAsync;
        for (const LessonValue& value : isBack ? step.call.outputs : step.values)
            if (isInside && seen.insert(value.name).second && value.kind != LessonValue::Kind::Gone)
                cells.push_back({value, index});
    }
    return cells;
}

/// `chunks[2]` and `tensor[0:4]` are parts of what is called so.
bool isPartOf(const QString& part, const QString& whole)
{
    return part == whole || part.startsWith(whole + u'[');
}

} // namespace

SceneMaker::SceneMaker(const LessonPlayer& player)
    : m_player(player)
    , m_recording(player.run()->recording())
    , m_state(player.state())
    , m_position(player.position())
    , m_waits(m_state.calls().waits())
{
}

LessonScene SceneMaker::make()
{
    addRanks();
    SceneCollectives collectives(m_recording, m_state, m_position, m_scene);
    collectives.addGroups();
    collectives.addCollectives();
    SceneMessages messages(m_state, m_position, m_waits, m_scene);
    messages.addMessages();
    collectives.addChunks();
    messages.addWaits([this](int rank) { return isShown(rank); });
    markHazards();
    addFindings();
    m_scene.title = titleText();
    m_scene.origin = originText();
    return std::move(m_scene);
}

const LessonStep& SceneMaker::now() const
{
    return m_recording.step(m_position);
}

/// Of a recorded job, some ranks are.
bool SceneMaker::isShown(int rank) const
{
    return job() == nullptr || std::ranges::find(job()->ranks, rank) != job()->ranks.end();
}

Standing SceneMaker::standingOf(int rank) const
{
    const lesson::RankState& state = m_state.rank(rank);
    if (state.isPaused)
        return Standing::Paused;
    // Nobody held it: outside of operations it ran, also before the first one that is shown.
    if (job() != nullptr && (state.phase == Phase::NotStarted || state.phase == Phase::AtLine))
        return Standing::Busy;
    switch (state.phase) {
    case Phase::NotStarted: return state.isEndedByAgent ? Standing::Stopped : Standing::Starting;
    case Phase::Failed: return Standing::Failed;
    case Phase::Finished: return Standing::Finished;
    case Phase::Exited: return Standing::Gone;
    case Phase::InCall:
        return std::ranges::find(m_waits, rank, &lesson::Wait::rank) != m_waits.end()
                   ? Standing::Blocked
                   : Standing::InCall;
    case Phase::AtLine: break;
    }
    if (state.isEndedByAgent)
        return Standing::Stopped;
    const bool isPresent = m_player.isAtEnd() && m_player.canMove();
    return isPresent && m_player.run()->isBusy(rank) ? Standing::Busy : Standing::Held;
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

LessonScene::Value SceneMaker::valueOf(const lesson::Cell& cell) const
{
    return {.name = QString::fromStdString(cell.value.name),
            .type = QString::fromStdString(cell.value.type),
            .elements = allElements(cell.value),
            .isTensor = cell.value.kind == LessonValue::Kind::Tensor,
            .isWhole = !cell.value.isPart,
            .isNew = cell.changedAt == m_position,
            .isAskedFor = m_player.isAskedFor(cell.value.name),
            .bytes = cell.value.bytes};
}

void SceneMaker::addRanks()
{
    for (int rank = 0; rank < m_state.rankCount(); ++rank) {
        if (!isShown(rank))
            continue;
        const lesson::RankState& state = m_state.rank(rank);
        const bool isPlaceKnown = job() == nullptr || state.phase == Phase::InCall;
        LessonScene::Rank shown{.rank = rank,
                                .pid = state.pid,
                                .line = isPlaceKnown ? state.line : 0,
                                .standing = standingOf(rank),
                                .detail = detailOf(rank),
                                .isActor = rank == now().globalRank};
        if (isPlaceKnown && !m_player.run()->isProgram(state.file))
            shown.file = QString::fromStdString(state.file);
        shown.state = word(shown.standing);
        if (!state.frames.empty()) {
            for (const lesson::Cell& cell : state.frames.back().cells)
                shown.values.push_back(valueOf(cell));
        }
        const bool hasTensor = std::ranges::any_of(
            shown.values, [](const LessonScene::Value& value) { return value.isTensor; });
        if (state.phase >= Phase::Failed && !hasTensor) {
            for (const lesson::Cell& cell : leftBehind(m_recording, rank, m_position))
                shown.values.push_back(valueOf(cell));
        }
        // What the lesson asks for first, and tensors before what counts them.
        std::ranges::stable_sort(shown.values, std::ranges::greater{}, [](const auto& value) {
            return 2 * value.isAskedFor + value.isTensor;
        });
        m_scene.ranks.push_back(std::move(shown));
    }
}

/// As long as nobody has waited for what works on the buffer.
void SceneMaker::markHazards()
{
    for (const lesson::Hazard& hazard : m_state.hazards()) {
        const auto requests = m_state.calls().requestsOf(hazard.rank);
        const bool isOpen =
            std::ranges::find(requests, hazard.call.id, &LessonCall::id) != requests.end();
        if (!isOpen && hazard.touchedAt.step != m_position)
            continue;
        LessonScene::Rank& rank = m_scene.ranks[static_cast<size_t>(hazard.rank)];
        const QString warning = (hazard.isWrite ? LessonScene::tr("written before wait(), line %1")
                                                : LessonScene::tr("read before wait(), line %1"))
                                    .arg(hazard.touchedAt.line);
        for (LessonScene::Value& value : rank.values) {
            if (isPartOf(QString::fromStdString(hazard.tensor), value.name))
                value.warning = warning;
        }
        if (rank.detail.isEmpty())
            rank.detail =
                QStringLiteral("▲ %1 %2").arg(QString::fromStdString(hazard.tensor), warning);
    }
}

void SceneMaker::addFindings()
{
    for (const lesson::FaultReport& report : m_recording.faults()) {
        if (report.step <= m_position)
            m_scene.findings << faultText(report, m_player.isAtEnd() ? SIZE_MAX : m_position + 1);
    }
    for (const lesson::Collective& collective : m_state.calls().disagreements())
        m_scene.findings << disagreementText(collective);
    for (const lesson::Hazard& hazard : m_state.hazards())
        m_scene.findings << hazardText(hazard);
    for (const lesson::OutsiderCall& outsider : m_state.calls().outsiders())
        m_scene.findings << outsiderText(outsider);
    for (const lesson::Collective& group : m_state.calls().skippedGroups())
        m_scene.findings << skippedGroupText(group);
    for (const lesson::PeerMessage& message : m_state.calls().otherSizes())
        m_scene.findings << otherSizeText(message);
    if (const auto& ring = m_state.wholeTensorRing())
        m_scene.findings << wholeTensorRingText(*ring);
    for (const lesson::BrokenWait& broken : m_state.brokenWaits())
        if (!broken.gone.empty())
            m_scene.findings << brokenWaitText(broken);
    if (m_state.deadlock())
        m_scene.findings << deadlockText(*m_state.deadlock());
    for (int rank = 0; rank < m_state.rankCount(); ++rank) {
        const lesson::RankState& state = m_state.rank(rank);
        if (state.phase == Phase::Failed)
            m_scene.findings << LessonScene::tr("Rank %1 failed in line %2: %3")
                                    .arg(QString::number(rank), QString::number(state.line),
                                         QString::fromStdString(state.error));
        if (state.phase == Phase::Exited)
            m_scene.findings << LessonScene::tr("The worker of rank %1 is gone.").arg(rank);
    }
    addJudgements();
    addActs();
}

/// Whether the picture doesn't show it already.
bool SceneMaker::isNews(const Verdict& verdict) const
{
    switch (verdict.kind) {
    case Verdict::Kind::Mismatch: return true;
    // Of a deadlock the lesson itself says more.
    case Verdict::Kind::Hang: return job() != nullptr || !m_state.deadlock();
    case Verdict::Kind::Waiting:
        return job() != nullptr || (verdict.isStanding && m_player.isAtEnd() &&
                                    !diagnose::isMereWait(verdict) && !m_state.deadlock());
    case Verdict::Kind::SlowWire:
    case Verdict::Kind::Straggler: return job() != nullptr;
    }
    return false;
}

/// What the diagnosis says of the run, as of any job, from the moment on at which it was said.
void SceneMaker::addJudgements()
{
    for (const auto& [verdict, step] : m_recording.judgements()) {
        const bool isSaid = step <= m_position || m_player.isAtEnd();
        if (!isSaid || !isNews(verdict))
            continue;
        QString finding = text(verdict.statement);
        if (verdict.remedy.code != code::None)
            finding += u' ' + text(verdict.remedy);
        m_scene.findings << finding;
        for (const Message& evidence : verdict.evidence)
            if (job() != nullptr)
                m_scene.notes << text(evidence);
    }
}

/// What the agent did about this moment; further on it is no news.
void SceneMaker::addActs()
{
    constexpr size_t Recent = 12;
    const auto& acts = m_player.run()->acts();
    for (const LessonRun::Act& act : acts) {
        if (act.step > m_position + 1 || act.step + Recent < m_position)
            continue;
        const auto* exit = std::get_if<WorkerExited>(&act.event.body);
        const bool isAbnormal = exit != nullptr && !exit->status.succeeded() && !exit->endedByAgent;
        const EventText told = describeEvent(act.event);
        (isAbnormal ? m_scene.findings : m_scene.notes)
            << (told.globalRank < 0 ? LessonScene::tr("Agent: %1").arg(told.sentence)
                                    : LessonScene::tr("Agent: rank %1, %2")
                                          .arg(QString::number(told.globalRank), told.sentence));
    }
}

QString SceneMaker::titleText() const
{
    const QString title =
        LessonScene::tr("Rank %1 %2").arg(QString::number(now().globalRank), stepText(now()));
    if (now().kind != LessonStep::Kind::Chunk)
        return title;
    return QStringLiteral("%1: %2").arg(title, SceneCollectives::changeText(now().chunk, m_state));
}

QString SceneMaker::originText() const
{
    if (job() != nullptr)
        return LessonScene::tr("Operations: as each rank's recorder told, when they were entered "
                               "and when they were over. Lines in between and values weren't "
                               "recorded, and so aren't shown.");
    const auto& started = m_recording.started();
    const QString backend = started ? QString::fromStdString(started->backend) : QString();
    if (!m_state.ringOperations().empty())
        return LessonScene::tr(
            "Lines and values: read in each worker. Chunks: as the ring backend told.");
    return LessonScene::tr("Lines, calls and values: read in each worker. What %1 does inside of a "
                           "collective isn't shown, because it isn't measured.")
        .arg(backend.isEmpty() ? LessonScene::tr("the backend") : backend);
}

} // namespace ringmaster::app
