#include "app/learn/SceneCollectives.h"

#include "app/bridge/Words.h"
#include "app/learn/LearnText.h"

#include <algorithm>
#include <map>

namespace ringmaster::app {

namespace {

using Link = LessonScene::Link;

/// Of the operations with a root, only that one brings something, or takes something away.
bool bringsSomething(const LessonCall& call, int rank)
{
    return call.operation != "broadcast" || call.peer == rank;
}

bool takesSomething(const LessonCall& call, int rank)
{
    const bool isToRoot = call.operation == "reduce" || call.operation == "gather";
    return !isToRoot || call.peer == rank;
}

QString valuesText(const std::vector<LessonValue>& values)
{
    QStringList texts;
    for (const LessonValue& value : values) {
        if (!value.elements.empty())
            texts << valueText(value);
    }
    return texts.join(QStringLiteral(" "));
}

/// Of the row that has each chunk in a cell of its own.
QString heldName()
{
    return LessonScene::tr("held, by chunk");
}

QString collectiveName(const LessonCall& call, std::uint64_t number)
{
    const QString name = QStringLiteral("%1 #%2").arg(callText(call)).arg(number);
    if (call.peer < 0)
        return name;
    const bool isToRoot = call.operation == "reduce" || call.operation == "gather";
    return (isToRoot ? LessonScene::tr("%1 to rank %2") : LessonScene::tr("%1 from rank %2"))
        .arg(name)
        .arg(call.peer);
}

} // namespace

SceneCollectives::SceneCollectives(const lesson::Recording& recording, const lesson::State& state,
                                   size_t position, LessonScene& scene)
    : m_recording(recording)
    , m_state(state)
    , m_now(recording.step(position))
    , m_position(position)
    , m_scene(scene)
{
}

void SceneCollectives::addGroups()
{
    for (const lesson::Group& group : m_state.groups())
        m_scene.groups.push_back({.name = groupName(group, m_scene.groups.size() + 1),
                                  .members = group.members,
                                  .line = group.madeAt.line});
}

/// As the program calls it, also before and after a variable holds it.
QString SceneCollectives::groupName(const lesson::Group& group, size_t number) const
{
    const auto& known = m_recording.latest().groups();
    const auto same = std::ranges::find(known, group.name, &lesson::Group::name);
    for (const std::string& variable :
         {group.variable, same == known.end() ? std::string() : same->variable}) {
        if (!variable.empty())
            return QString::fromStdString(variable);
    }
    return LessonScene::tr("group %1").arg(number);
}

void SceneCollectives::addCollectives()
{
    for (const lesson::Collective& collective : m_state.calls().collectives()) {
        const auto part = collective.parts.find(m_now.globalRank);
        const bool isBackNow = m_now.kind == LessonStep::Kind::Return &&
                               part != collective.parts.end() &&
                               part->second.call.id == m_now.call.id;
        if (!collective.isOver() || isBackNow)
            m_scene.collectives.push_back(collectiveOf(collective));
    }
}

LessonScene::Collective SceneCollectives::collectiveOf(const lesson::Collective& collective) const
{
    LessonScene::Collective box{.members = collective.members,
                                .disagrees = !collective.disagreement().empty()};
    int back = 0;
    for (const auto& [rank, part] : collective.parts) {
        LessonScene::Collective::Part shown{.rank = rank, .isBack = part.isBack};
        const bool isIts = m_now.call.id == part.call.id || m_now.call.waitsFor == part.call.id;
        const bool isNow = m_now.globalRank == rank && isIts;
        shown.isNew = isNow && m_now.kind == (part.isBack ? LessonStep::Kind::Return
                                                          : LessonStep::Kind::Call);
        const auto& named = part.isBack ? part.call.outputs : part.call.inputs;
        if (!named.empty())
            shown.value = QString::fromStdString(named.front().name);
        if (bringsSomething(part.call, rank)) {
            shown.gives = valuesText(part.call.inputs);
            for (const LessonValue& value : part.call.inputs)
                shown.bytes += value.bytes;
        }
        if (part.isBack && takesSomething(part.call, rank))
            shown.takes = valuesText(part.call.outputs);
        back += part.isBack;
        box.name = collectiveName(part.call, collective.number);
        box.parts.push_back(std::move(shown));
    }
    box.state = LessonScene::tr("%1 of %2 entered, %3 back")
                    .arg(box.parts.size())
                    .arg(collective.members.size())
                    .arg(back);
    if (collective.disagreement() == "operation")
        nameOperations(collective, box);
    const auto& groups = m_state.groups();
    const auto group = std::ranges::find(groups, collective.group, &lesson::Group::name);
    if (group != groups.end()) {
        const auto index = static_cast<size_t>(group - groups.begin());
        box.name = LessonScene::tr("%1 of %2").arg(box.name, m_scene.groups[index].name);
    }
    return box;
}

/// Its members meet by the number alone: each operation is named, with who called it.
void SceneCollectives::nameOperations(const lesson::Collective& collective,
                                      LessonScene::Collective& box) const
{
    std::map<QString, std::vector<int>> callers;
    for (const auto& [rank, part] : collective.parts)
        callers[callText(part.call)].push_back(rank);
    QStringList names;
    QStringList ranks;
    for (const auto& [call, who] : callers) {
        names << call;
        ranks << (who.size() == 1 ? LessonScene::tr("%1: rank %2").arg(call).arg(who.front())
                                  : LessonScene::tr("%1: ranks %2").arg(call, ranksText(who)));
    }
    box.name =
        QStringLiteral("%1 #%2").arg(names.join(QStringLiteral(" / "))).arg(collective.number);
    box.state = ranks.join(QStringLiteral("; "));
}

/// The one that the step is about, or else the latest.
const lesson::RingOperation& SceneCollectives::ringOperation() const
{
    const auto& operations = m_state.ringOperations();
    const auto found = std::ranges::find_if(operations, [this](const auto& operation) {
        return m_now.kind == LessonStep::Kind::Chunk && operation.isOf(m_now.chunk);
    });
    return found == operations.end() ? operations.back() : *found;
}

/// The chunks that have come in the same step of the algorithm as the one that came now.
void SceneCollectives::addChunks()
{
    if (m_state.ringOperations().empty())
        return;
    const lesson::RingOperation& operation = ringOperation();
    addChunkValues(operation);
    if (m_now.kind != LessonStep::Kind::Chunk)
        return;
    for (const lesson::RingOperation::Arrival& arrival : operation.arrivals) {
        const LessonChunk& chunk = arrival.chunk;
        const bool isRank = chunk.from >= 0 && chunk.from < m_state.rankCount();
        if (chunk.step != m_now.chunk.step || arrival.step > m_position || !isRank)
            continue;
        const LessonValue sent{.kind = LessonValue::Kind::Tensor, .elements = chunk.arrived};
        const QString state = chunkText(chunk, m_state.sizeOf(chunk.group));
        m_scene.links.push_back(
            {.kind = arrival.isTainted ? Link::Kind::Corrupted : Link::Kind::Chunk,
             .from = chunk.from,
             .to = chunk.to,
             .state = arrival.isTainted ? LessonScene::tr("%1, corrupted").arg(state) : state,
             .value = chunk.arrived.empty() ? changeText(chunk, m_state) : valueText(sent),
             .bytes = chunk.bytes,
             .sent = heldName(),
             .room = heldName(),
             .element = static_cast<int>(chunk.chunk),
             .isNew = arrival.step == m_position});
    }
}

QString SceneCollectives::changeText(const LessonChunk& chunk, const lesson::State& state)
{
    const LessonCall* call = state.calls().callOf(chunk.to);
    return changeText(chunk, call == nullptr ? std::string() : call->reduction);
}

QString SceneCollectives::changeText(const LessonChunk& chunk, const std::string& reduction)
{
    const auto text = [](const std::vector<std::string>& elements) {
        return valueText({.kind = LessonValue::Kind::Tensor, .elements = elements});
    };
    const QString before = text(chunk.before);
    const QString arrived = text(chunk.arrived);
    const QString after = text(chunk.after);
    if (chunk.arrived.empty()) // As files of earlier versions have it.
        return QStringLiteral("%1 → %2").arg(before, after);
    const bool isKept = chunk.after == chunk.arrived;
    if (!isKept && reduction == "SUM")
        return LessonScene::tr("held %1 + arrived %2 = now %3").arg(before, arrived, after);
    if (!isKept && reduction == "PRODUCT")
        return LessonScene::tr("held %1 × arrived %2 = now %3").arg(before, arrived, after);
    return LessonScene::tr("held %1, arrived %2, now %3").arg(before, arrived, after);
}

/// A row of chunks in each rank: what the backend said that is in them, and a dot where it has said
/// nothing yet.
void SceneCollectives::addChunkValues(const lesson::RingOperation& operation)
{
    const size_t count = m_scene.ranks.size();
    std::vector<LessonScene::Value> rows(count, {.name = heldName(), .isTensor = true});
    for (LessonScene::Value& row : rows)
        row.elements.fill(QStringLiteral("·"), m_state.sizeOf(operation.group));
    addOwnValues(operation, rows);
    for (const lesson::RingOperation::Arrival& arrival : operation.arrivals) {
        const LessonChunk& chunk = arrival.chunk;
        if (chunk.to < 0 || static_cast<size_t>(chunk.to) >= count ||
            static_cast<qsizetype>(chunk.chunk) >= rows.front().elements.size())
            continue;
        LessonScene::Value& row = rows[static_cast<size_t>(chunk.to)];
        const auto place = static_cast<int>(chunk.chunk);
        row.elements[place] = elementTexts(chunk.after).join(u' ');
        row.isNew = row.isNew || arrival.step == m_position;
        std::erase(row.wrong, place);
        if (arrival.isTainted)
            row.wrong.push_back(place);
    }
    for (size_t rank = 0; rank < count; ++rank) {
        if (!m_state.isIn(operation.group, static_cast<int>(rank)))
            continue;
        if (!rows[rank].wrong.empty())
            rows[rank].warning = LessonScene::tr("corrupted");
        auto& values = m_scene.ranks[rank].values;
        values.insert(values.begin(), rows[rank]);
    }
}

/// Until something arrives a rank holds its own: what the backend said that it held when the first
/// came, which may be further on in the recording.
void SceneCollectives::addOwnValues(const lesson::RingOperation& operation,
                                    std::vector<LessonScene::Value>& rows) const
{
    const auto& operations = m_recording.latest().ringOperations();
    const auto whole = std::ranges::find_if(operations, [&](const auto& known) {
        return !operation.arrivals.empty() && known.isOf(operation.arrivals.front().chunk);
    });
    if (whole == operations.end())
        return;
    for (const lesson::RingOperation::Arrival& arrival : whole->arrivals) {
        const LessonChunk& chunk = arrival.chunk;
        if (chunk.to < 0 || static_cast<size_t>(chunk.to) >= rows.size() ||
            static_cast<qsizetype>(chunk.chunk) >= rows.front().elements.size())
            continue;
        QString& shown =
            rows[static_cast<size_t>(chunk.to)].elements[static_cast<int>(chunk.chunk)];
        if (shown == QStringLiteral("·") && !chunk.before.empty())
            shown = elementTexts(chunk.before).join(u' ');
    }
}

} // namespace ringmaster::app
