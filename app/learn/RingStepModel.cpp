#include "app/learn/RingStepModel.h"

#include "app/bridge/Words.h"
#include "app/learn/SceneCollectives.h"

#include <QFont>

#include <algorithm>

namespace ringmaster::app {

void RingStepModel::show(const lesson::Recording* recording, size_t position)
{
    beginResetModel();
    m_rows.clear();
    m_ranks = 0;
    m_title.clear();
    int currentRow = -1;
    int currentColumn = -1;
    const lesson::RingOperation* operation = nullptr;
    if (recording != nullptr) {
        for (const lesson::RingOperation& known : recording->latest().ringOperations()) {
            const bool hasBegun = std::ranges::any_of(
                known.arrivals, [&](const auto& arrival) { return arrival.step <= position; });
            if (hasBegun || operation == nullptr)
                operation = &known;
        }
    }
    if (operation != nullptr) {
        m_title = QStringLiteral("%1 #%2")
                      .arg(QString::fromStdString(operation->operation))
                      .arg(operation->sequence);
        m_ranks = recording->latest().rankCount();
        std::string reduction;
        if (!operation->arrivals.empty()) {
            const lesson::RingOperation::Arrival& first = operation->arrivals.front();
            const LessonCall* call = recording->stateAt(first.step).calls().callOf(first.chunk.to);
            if (call != nullptr)
                reduction = call->reduction;
        }
        for (const lesson::RingOperation::Arrival& arrival : operation->arrivals) {
            const LessonChunk& chunk = arrival.chunk;
            if (chunk.step < 0 || chunk.step > 4096 || chunk.to < 0 || chunk.to >= m_ranks)
                continue;
            const auto row = static_cast<size_t>(chunk.step);
            if (m_rows.size() <= row)
                m_rows.resize(row + 1, Row(static_cast<size_t>(m_ranks)));
            if (arrival.step > position)
                continue;
            const QString text = tr("chunk %1 from rank %2: %3")
                                     .arg(QString::number(chunk.chunk), QString::number(chunk.from),
                                          SceneCollectives::changeText(chunk, reduction));
            Cell& cell = m_rows[row][static_cast<size_t>(chunk.to)];
            cell.text += cell.text.isEmpty() ? text : QStringLiteral("; ") + text;
            cell.step = static_cast<int>(arrival.step);
            cell.isTainted = cell.isTainted || arrival.isTainted;
            if (arrival.step == position) {
                cell.isNew = true;
                currentRow = chunk.step;
                currentColumn = chunk.to;
            }
        }
    }
    endResetModel();
    m_current = currentRow < 0 ? QModelIndex() : index(currentRow, currentColumn);
}

int RingStepModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RingStepModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_ranks;
}

QVariant RingStepModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Cell& cell =
        m_rows[static_cast<size_t>(index.row())][static_cast<size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole: return cell.isTainted ? QStringLiteral("▲ ") + cell.text : cell.text;
    case Qt::ToolTipRole: return cell.text;
    case StepRole: return cell.step;
    case Qt::FontRole: {
        QFont font;
        font.setBold(cell.isNew);
        return font;
    }
    default: return {};
    }
}

QVariant RingStepModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role != Qt::DisplayRole)
        return {};
    return orientation == Qt::Horizontal ? rankText(section) : tr("step %1").arg(section + 1);
}

} // namespace ringmaster::app
