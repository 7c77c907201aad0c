#include "app/bandwidth/SweepListModel.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Words.h"

#include <algorithm>
#include <utility>

namespace ringmaster::app {

namespace {

QString sweepName(const RunSummary& sweep)
{
    const QString name = QString::fromStdString(sweep.name);
    const QString machine = machineOf(sweep.id);
    return machine.isEmpty() ? name : QStringLiteral("%1: %2").arg(machine, name);
}

} // namespace

SweepListModel::SweepListModel(EngineBridge& bridge, QObject* parent)
    : RowsModel(parent), m_bridge(bridge)
{
    setColumns({{.text =
                     [this](const RunSummary& sweep) {
                         const QString line =
                             QStringLiteral("%1\n%2 · %3")
                                 .arg(sweepName(sweep), dateTimeText(sweep.startedAt),
                                      word(sweep.state));
                         const QString best = bestOf(sweep);
                         return best.isEmpty() ? line : line + u'\n' + best;
                     },
                 .toolTip = [](const RunSummary& sweep) { return sweepName(sweep); }}});
    connect(&bridge, &EngineBridge::runsChanged, this, &SweepListModel::update);
    update();
}

QString SweepListModel::bestOf(const RunSummary& sweep) const
{
    const auto known = m_best.find(sweep.id);
    return known == m_best.end() || known->second.isEmpty() ? QString()
                                                            : tr("best: %1").arg(known->second);
}

void SweepListModel::setBest(const std::string& run, const QString& best)
{
    const auto row = std::ranges::find(rows(), run, &RunSummary::id);
    if (row == rows().end() || std::exchange(m_best[run], best) == best)
        return;
    const int at = static_cast<int>(row - rows().begin());
    announceAll(at, at, {Qt::DisplayRole, Qt::AccessibleTextRole, Qt::SizeHintRole});
}

void SweepListModel::update()
{
    std::vector<RunSummary> sweeps;
    std::ranges::copy_if(
        m_bridge.runs(), std::back_inserter(sweeps),
        [](RunPurpose purpose) { return purpose == RunPurpose::Sweep; }, &RunSummary::purpose);
    const std::vector<std::string> before = shown();
    setRows(sweeps, &RunSummary::id);
    if (isListed(m_awaited))
        m_awaited.clear();
    forgetGone();
    if (shown() != before)
        Q_EMIT shownChanged();
}

bool SweepListModel::isListed(const std::string& run) const
{
    return std::ranges::find(rows(), run, &RunSummary::id) != rows().end();
}

/// But for those whose deletion can be taken back.
void SweepListModel::forgetGone()
{
    const auto isGone = [this](const std::string& run) {
        return run != m_awaited && !m_bridge.isHidden(run) && !isListed(run);
    };
    std::erase_if(m_shown, isGone);
    std::erase_if(m_best, [&isGone](const auto& known) { return isGone(known.first); });
}

std::vector<std::string> SweepListModel::shown() const
{
    std::vector<std::string> runs;
    for (const RunSummary& sweep : rows()) {
        if (m_shown.contains(sweep.id))
            runs.push_back(sweep.id);
    }
    return runs;
}

void SweepListModel::showOnly(const std::string& run)
{
    m_shown = {run};
    m_awaited = isListed(run) ? std::string() : run;
    announceAll(0, rowCount() - 1, {Qt::CheckStateRole});
    Q_EMIT shownChanged();
}

void SweepListModel::setShown(const std::string& run, bool isShown)
{
    forgetGone();
    if (isShown == m_shown.contains(run) || (isShown && m_shown.size() >= MostShown))
        return;
    if (isShown)
        m_shown.insert(run);
    else
        m_shown.erase(run);
    announceAll(0, rowCount() - 1, {Qt::CheckStateRole});
    Q_EMIT shownChanged();
}

QVariant SweepListModel::rowData(const RunSummary& sweep, const QModelIndex& /*index*/,
                                 int role) const
{
    switch (role) {
    case Qt::AccessibleTextRole:
        return QStringList{sweepName(sweep), dateTimeText(sweep.startedAt), word(sweep.state),
                           bestOf(sweep)}
            .join(QStringLiteral(", "));
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
    setShown(at(index.row()).id, value.toInt() == Qt::Checked);
    return true;
}

Qt::ItemFlags SweepListModel::flags(const QModelIndex& index) const
{
    return RowsModel::flags(index) | Qt::ItemIsUserCheckable;
}

} // namespace ringmaster::app
