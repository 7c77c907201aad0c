#include "app/learn/SceneTableModel.h"

#include "app/bridge/Words.h"
#include "app/learn/LearnText.h"

namespace ringmaster::app {

namespace {

QString kindText(LessonScene::Link::Kind kind)
{
    using LinkKind = LessonScene::Link::Kind;
    switch (kind) {
    case LinkKind::Message:
    case LinkKind::Offered:
    case LinkKind::Awaited:
    case LinkKind::Delivered: return SceneTableModel::tr("message");
    case LinkKind::Chunk:
    case LinkKind::Corrupted: return SceneTableModel::tr("chunk");
    case LinkKind::Wait:
    case LinkKind::Cycle: return SceneTableModel::tr("waiting");
    }
    return {};
}

QString valueOr(const QString& value)
{
    return value.isEmpty() ? SceneTableModel::tr("nothing") : value;
}

QString numberText(quint64 number)
{
    return number == 0 ? QString() : QString::number(number);
}

} // namespace

std::vector<SceneRow> SceneTableModel::rowsOf(const LessonScene& scene)
{
    std::vector<SceneRow> rows;
    for (const LessonScene::Rank& rank : scene.ranks) {
        const QString line = rank.line > 0 ? QString::number(rank.line) : QString();
        rows.push_back({{tr("rank"),
                         rankText(rank.rank),
                         rank.file.isEmpty() ? line : QStringLiteral("%1:%2").arg(rank.file, line),
                         rank.state,
                         rank.detail,
                         {}},
                        rank.rank});
        for (const LessonScene::Value& value : rank.values) {
            rows.push_back({{value.name,
                             rankText(rank.rank),
                             {},
                             !value.warning.isEmpty() ? QStringLiteral("▲ ") + value.warning
                             : value.isNew            ? tr("changed")
                                                      : QString(),
                             value.elements.join(QStringLiteral(", ")) +
                                 (value.isWhole ? QString() : QStringLiteral(", …")),
                             numberText(value.bytes)},
                            rank.rank});
        }
    }
    for (const LessonScene::Link& link : scene.links) {
        rows.push_back({{kindText(link.kind), QStringLiteral("%1 → %2").arg(link.from).arg(link.to),
                         link.line > 0 ? QString::number(link.line) : QString(), link.state,
                         link.value, numberText(link.bytes)},
                        link.from});
    }
    for (const LessonScene::Collective& collective : scene.collectives) {
        rows.push_back(
            {{collective.name, ranksText(collective.members), {}, collective.state, {}, {}}, -1});
        for (const LessonScene::Collective::Part& part : collective.parts)
            rows.push_back(
                {{tr("takes part"),
                  rankText(part.rank),
                  {},
                  part.isBack ? tr("back") : tr("entered"),
                  part.isBack
                      ? tr("gives %1, gets %2").arg(valueOr(part.gives), valueOr(part.takes))
                      : tr("gives %1").arg(valueOr(part.gives)),
                  numberText(part.bytes)},
                 part.rank});
    }
    for (const LessonScene::Group& group : scene.groups)
        rows.push_back({{tr("group"),
                         ranksText(group.members),
                         group.line > 0 ? QString::number(group.line) : QString(),
                         group.name,
                         {},
                         {}},
                        -1});
    return rows;
}

int SceneTableModel::rowOf(int rank) const
{
    const auto found = std::ranges::find(rows(), rank, &SceneRow::rank);
    return found == rows().end() ? -1 : static_cast<int>(found - rows().begin());
}

int SceneTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant SceneTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const SceneRow& row = rowAt(index);
    if (role == RankRole)
        return row.rank;
    if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
        return row.cells.at(static_cast<size_t>(index.column()));
    return {};
}

QVariant SceneTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case What: return tr("What");
    case Where: return tr("Where");
    case Line: return tr("Line");
    case State: return tr("State");
    case Value: return tr("Value");
    case Bytes: return tr("Bytes");
    case ColumnCount: break;
    }
    return {};
}

void StepTableModel::show(const LessonRun* run)
{
    const int wanted = run == nullptr ? 0 : static_cast<int>(run->recording().size());
    if ((run != m_run || wanted < m_rows) && m_rows > 0) {
        beginRemoveRows({}, 0, m_rows - 1);
        m_rows = 0;
        endRemoveRows();
    }
    m_run = run;
    if (wanted > m_rows) {
        beginInsertRows({}, m_rows, wanted - 1);
        m_rows = wanted;
        endInsertRows();
    }
}

int StepTableModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int StepTableModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant StepTableModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const LessonStep& step = m_run->recording().step(static_cast<size_t>(index.row()));
    if (role == RankRole)
        return step.globalRank;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    switch (static_cast<Column>(index.column())) {
    case Number: return index.row() + 1;
    case Rank: return rankText(step.globalRank);
    case Line: return step.line > 0 ? QVariant(step.line) : QVariant();
    case What: return stepText(step);
    case Value: {
        if (step.kind == LessonStep::Kind::Chunk) {
            return valueText({.kind = LessonValue::Kind::Tensor, .elements = step.chunk.after});
        }
        QStringList values;
        const bool isBack = step.kind == LessonStep::Kind::Return && !step.call.isAsync;
        const auto& told = isBack                                ? step.call.outputs
                           : step.kind == LessonStep::Kind::Call ? step.call.inputs
                                                                 : step.values;
        for (const LessonValue& value : told)
            values << QStringLiteral("%1 = %2").arg(QString::fromStdString(value.name),
                                                    valueText(value));
        return values.join(QStringLiteral("  "));
    }
    case ColumnCount: break;
    }
    return {};
}

QVariant StepTableModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole)
        return {};
    switch (static_cast<Column>(section)) {
    case Number: return tr("Step");
    case Rank: return tr("Rank");
    case Line: return tr("Line");
    case What: return tr("What happens");
    case Value: return tr("Values");
    case ColumnCount: break;
    }
    return {};
}

} // namespace ringmaster::app
