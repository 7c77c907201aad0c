#include "app/learn/SceneCollectives.h"

#include "app/bridge/Words.h"
#include "app/learn/LearnText.h"

#include <algorithm>

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

SceneCollectives::SceneCollectives(const lesson::State& state, const LessonStep& now,
                                   size_t position, LessonScene& scene)
    : m_state(state), m_now(now), m_position(position), m_scene(scene)
{
}

void SceneCollectives::addGroups()
{
    for (const lesson::Group& group : m_state.groups())
        m_scene.groups.push_back({.name = groupName(group, m_scene.groups.size() + 1),
                                  .members = group.members,
                                  .line = group.madeAt.line});
}

/// As the program calls it, where one of its variables holds it.
QString SceneCollectives::groupName(const lesson::Group& group, size_t number) const
{
    QStringList members;
    for (const int rank : group.members)
        members << QString::number(rank);
    const QString content = QStringLiteral("ranks ") + members.join(QStringLiteral(", "));
    for (const LessonScene::Rank& rank : m_scene.ranks) {
        for (const LessonScene::Value& value : rank.values) {
            if (value.type == QLatin1String("ProcessGroup") && value.elements.value(0) == content)
                return value.name;
        }
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
    const auto& groups = m_state.groups();
    const auto group = std::ranges::find(groups, collective.group, &lesson::Group::name);
    if (group != groups.end()) {
        const auto index = static_cast<size_t>(group - groups.begin());
        box.name = LessonScene::tr("%1 of %2").arg(box.name, m_scene.groups[index].name);
    }
    box.state = LessonScene::tr("%1 of %2 entered, %3 back")
                    .arg(box.parts.size())
                    .arg(collective.members.size())
                    .arg(back);
    return box;
}

/// The chunks that have come in the same step of the algorithm as the one that came now.
void SceneCollectives::addChunks()
{
    if (m_state.ringOperations().empty())
        return;
    const lesson::RingOperation& operation = m_state.ringOperations().back();
    addChunkValues(operation);
    if (m_now.kind != LessonStep::Kind::Chunk)
        return;
    for (const lesson::RingOperation::Arrival& arrival : operation.arrivals) {
        const LessonChunk& chunk = arrival.chunk;
        const bool isRank = chunk.from >= 0 && chunk.from < m_state.rankCount();
        if (chunk.step != m_now.chunk.step || arrival.step > m_position || !isRank)
            continue;
        const LessonValue after{.kind = LessonValue::Kind::Tensor, .elements = chunk.after};
        const LessonValue before{.kind = LessonValue::Kind::Tensor, .elements = chunk.before};
        const QString state = chunkText(chunk, m_state.rankCount());
        m_scene.links.push_back(
            {.kind = arrival.isTainted ? Link::Kind::Corrupted : Link::Kind::Chunk,
             .from = chunk.from,
             .to = chunk.to,
             .state = arrival.isTainted ? LessonScene::tr("%1, corrupted").arg(state) : state,
             .value = QStringLiteral("%1 → %2").arg(valueText(before), valueText(after)),
             .bytes = chunk.bytes});
    }
}

/// A row of chunks in each rank: what the backend said that is in them, and a dot where it has said
/// nothing yet.
void SceneCollectives::addChunkValues(const lesson::RingOperation& operation)
{
    const size_t count = m_scene.ranks.size();
    std::vector<LessonScene::Value> rows(count,
                                         {.name = LessonScene::tr("chunks"), .isTensor = true});
    for (LessonScene::Value& row : rows)
        row.elements.fill(QStringLiteral("·"), static_cast<qsizetype>(count));
    for (const lesson::RingOperation::Arrival& arrival : operation.arrivals) {
        const LessonChunk& chunk = arrival.chunk;
        if (chunk.to < 0 || static_cast<size_t>(chunk.to) >= count || chunk.chunk >= count)
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
        if (!rows[rank].wrong.empty())
            rows[rank].warning = LessonScene::tr("corrupted");
        auto& values = m_scene.ranks[rank].values;
        values.insert(values.begin(), rows[rank]);
    }
}

} // namespace ringmaster::app
