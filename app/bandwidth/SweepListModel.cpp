#include "app/bandwidth/SweepListModel.h"

#include "app/bridge/Words.h"

#include <algorithm>

namespace ringmaster::app {

SweepListModel::SweepListModel(EngineBridge& bridge, QObject* parent)
    : QAbstractListModel(parent), m_bridge(bridge)
{
    connect(&bridge, &EngineBridge::runsChanged, this, &SweepListModel::update);
    update();
}

bool SweepListModel::isSweep(const RunSummary& run)
{
    return run.name.starts_with("sweep ") || run.name.starts_with("calibration ");
}

void SweepListModel::update()
{
    std::vector<RunSummary> sweeps;
    std::ranges::copy_if(m_bridge.runs(), std::back_inserter(sweeps), isSweep);
    const auto isGone = [&](const std::string& run) {
        return std::ranges::find(sweeps, run, &RunSummary::id) == sweeps.end();
    };
    const std::vector<std::string> before = shown();
    for (int row = rowCount() - 1; row >= 0; --row) {
        const auto at = m_sweeps.begin() + row;
        if (!isGone(at->id))
            continue;
        beginRemoveRows({}, row, row);
        m_shown.erase(at->id);
        m_sweeps.erase(at);
        endRemoveRows();
    }
    for (int row = 0; row < static_cast<int>(sweeps.size()); ++row) {
        RunSummary& sweep = sweeps[static_cast<size_t>(row)];
        const bool isKnown = row < rowCount() && m_sweeps[static_cast<size_t>(row)].id == sweep.id;
        if (!isKnown)
            beginInsertRows({}, row, row);
        if (isKnown)
            m_sweeps[static_cast<size_t>(row)] = sweep;
        else
            m_sweeps.insert(m_sweeps.begin() + row, sweep);
        if (!isKnown)
            endInsertRows();
    }
    if (!m_sweeps.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1));
    // One that was asked for before it was known is shown as soon as it is.
    if (shown() != before)
        Q_EMIT shownChanged();
}

std::vector<std::string> SweepListModel::shown() const
{
    std::vector<std::string> runs;
    for (const RunSummary& sweep : m_sweeps) {
        if (m_shown.contains(sweep.id))
            runs.push_back(sweep.id);
    }
    return runs;
}

void SweepListModel::showOnly(const std::string& run)
{
    m_shown = {run};
    if (!m_sweeps.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1), {Qt::CheckStateRole});
    Q_EMIT shownChanged();
}

void SweepListModel::setShown(const std::string& run, bool isShown)
{
    if (isShown == m_shown.contains(run) || (isShown && m_shown.size() >= MostShown))
        return;
    if (isShown)
        m_shown.insert(run);
    else
        m_shown.erase(run);
    if (!m_sweeps.empty())
        Q_EMIT dataChanged(index(0), index(rowCount() - 1), {Qt::CheckStateRole});
    Q_EMIT shownChanged();
}

int SweepListModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_sweeps.size());
}

QVariant SweepListModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunSummary& sweep = m_sweeps[static_cast<size_t>(index.row())];
    const QString name = QString::fromStdString(sweep.name);
    switch (role) {
    case Qt::DisplayRole:
        return QStringLiteral("%1\n%2 · %3")
            .arg(name, dateTimeText(sweep.startedAt), word(sweep.state));
    case Qt::ToolTipRole: return name;
    case Qt::AccessibleTextRole:
        return QStringLiteral("%1, %2, %3")
            .arg(name, dateTimeText(sweep.startedAt), word(sweep.state));
    case Qt::CheckStateRole: return m_shown.contains(sweep.id) ? Qt::Checked : Qt::Unchecked;
    case RunRole: return QString::fromStdString(sweep.id);
    case StateRole: return static_cast<int>(sweep.state);
    default: return {};
    }
}

bool SweepListModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    if (role != Qt::CheckStateRole || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    setShown(m_sweeps[static_cast<size_t>(index.row())].id, value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags SweepListModel::flags(const QModelIndex& index) const
{
    return QAbstractListModel::flags(index) | Qt::ItemIsUserCheckable;
}

} // namespace ringmaster::app
