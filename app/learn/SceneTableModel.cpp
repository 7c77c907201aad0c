#include "app/learn/SceneTableModel.h"

#include "app/bridge/Words.h"
#include "app/learn/LearnText.h"

#include <QLocale>

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

QString stepValuesText(const LessonStep& step)
{
    if (step.kind == LessonStep::Kind::Chunk)
        return valueText({.kind = LessonValue::Kind::Tensor, .elements = step.chunk.after});
    const bool isBack = step.kind == LessonStep::Kind::Return && !step.call.isAsync;
    const auto& told = isBack                                ? step.call.outputs
                       : step.kind == LessonStep::Kind::Call ? step.call.inputs
                                                             : step.values;
    QStringList values;
    for (const LessonValue& value : told)
        values << QStringLiteral("%1 = %2").arg(QString::fromStdString(value.name),
                                                valueText(value));
    return values.join(QStringLiteral("  "));
}

/// Before a step, at the gate.
QString heldText(std::int64_t ns, int role)
{
    if (ns == 0)
        return {};
    const QString duration = fineDurationText(ns);
    return role == Qt::ToolTipRole
               ? StepTableModel::tr("The reader held the rank for %1 before this step")
                     .arg(duration)
               : duration;
}

} // namespace

SceneTableModel::SceneTableModel(QObject* parent) : RowsModel(parent)
{
    const auto cell = [](Column column) {
        return [at = static_cast<size_t>(column)](const SceneRow& row) { return row.cells.at(at); };
    };
    setColumns({
        {.title = QT_TR_NOOP("What"), .text = cell(What)},
        {.title = QT_TR_NOOP("Where"), .text = cell(Where)},
        {.title = QT_TR_NOOP("Line"), .text = cell(Line)},
        {.title = QT_TR_NOOP("State"), .text = cell(State)},
        {.title = QT_TR_NOOP("Value"), .text = cell(Value)},
        {.title = QT_TR_NOOP("Bytes"), .text = cell(Bytes)},
    });
}

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

QVariant SceneTableModel::rowData(const SceneRow& row, const QModelIndex& /*index*/, int role) const
{
    return role == RankRole ? QVariant(row.rank) : QVariant();
}

StepTableModel::StepTableModel(QObject* parent) : TableModel(parent)
{
    setColumns({
        {.title = QT_TR_NOOP("Step")}, // These three: rowData().
        {.title = QT_TR_NOOP("Time")},
        {.title = QT_TR_NOOP("Held")},
        {.title = QT_TR_NOOP("Rank"),
         .text = [](const LessonStep& step) { return rankText(step.globalRank); }},
        {.title = QT_TR_NOOP("Line"),
         .text =
             [](const LessonStep& step) {
                 return step.line > 0 ? QLocale().toString(step.line) : QString();
             }},
        {.title = QT_TR_NOOP("What happens"), .text = stepText},
        {.title = QT_TR_NOOP("Values"), .text = stepValuesText},
    });
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

const LessonStep* StepTableModel::rowAt(int row) const
{
    return &m_run->recording().step(static_cast<size_t>(row));
}

QVariant StepTableModel::rowData(const LessonStep& step, const QModelIndex& index, int role) const
{
    if (role == RankRole)
        return step.globalRank;
    const bool isText = role == Qt::DisplayRole || role == Qt::ToolTipRole;
    if (isText && index.column() == Number)
        return index.row() + 1;
    const auto row = static_cast<size_t>(index.row());
    if (isText && index.column() == Held)
        return heldText(m_run->recording().lanes().heldBefore(row), role);
    if (!isText || index.column() != Time)
        return {};
    const auto ns = static_cast<double>(m_run->recording().lanes().timeOf(row));
    return tr("%1 ms").arg(QLocale().toString(ns / 1e6, 'f', 1));
}

} // namespace ringmaster::app
