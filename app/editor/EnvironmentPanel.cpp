#include "app/editor/EnvironmentPanel.h"

#include "app/bridge/Messages.h"
#include "app/editor/RankEnvironment.h"
#include "app/widget/Translated.h"
#include "engine/base/Environment.h"

#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

#include <numeric>

namespace ringmaster::app {

EnvironmentPanel::EnvironmentPanel(QWidget* parent)
    : Card(parent)
    , m_base(currentEnvironment())
    , m_rank(new QSpinBox(this))
    , m_inherited(new QToolButton(this))
    , m_problem(new QLabel(this))
    , m_table(new QTableView(this))
{
    setLook(m_inherited, "flat");
    m_inherited->setCheckable(true);
    addHeaderWidget(m_inherited);
    addHeaderWidget(m_rank);
    setSubtitleDispensable();
    m_problem->setWordWrap(true);
    setLook(m_problem, "muted");
    setLook(m_table, "framed");
    m_table->setModel(&m_model);
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(26);
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->setColumnWidth(EnvironmentModel::Name, 215);
    fitColumns();
    content()->addWidget(m_problem);
    content()->addWidget(m_table, 1);
    connect(m_rank, qOverload<int>(&QSpinBox::valueChanged), this, &EnvironmentPanel::render);
    connect(m_inherited, &QToolButton::toggled, this, &EnvironmentPanel::render);
    translated(this, [this] { setTexts(); });
}

void EnvironmentPanel::resizeEvent(QResizeEvent* event)
{
    Card::resizeEvent(event);
    fitColumns();
}

/// Where there is room, names and values are whole, and who set them stands beside them.
void EnvironmentPanel::fitColumns()
{
    constexpr int Wide = 760;
    const bool isWide = width() >= Wide;
    QHeaderView& header = *m_table->horizontalHeader();
    header.setMaximumSectionSize(isWide ? Wide / 2 : 320);
    header.setSectionResizeMode(EnvironmentModel::Name,
                                isWide ? QHeaderView::ResizeToContents : QHeaderView::Interactive);
    header.setSectionResizeMode(EnvironmentModel::Value,
                                isWide ? QHeaderView::ResizeToContents : QHeaderView::Stretch);
    header.setSectionResizeMode(EnvironmentModel::Origin,
                                isWide ? QHeaderView::Stretch : QHeaderView::ResizeToContents);
}

void EnvironmentPanel::setJob(const JobSpec& spec, const MachineCounts& counts)
{
    m_spec = spec;
    m_counts = counts;
    const std::vector<int> workers = workersOf(spec, counts);
    m_rank->setMaximum(std::max(0, std::accumulate(workers.begin(), workers.end(), 0) - 1));
    render();
}

void EnvironmentPanel::render()
{
    const auto environment = environmentOfRank(m_spec, m_rank->value(), m_counts, m_base);
    m_problem->setVisible(!environment);
    if (!environment)
        m_problem->setText(text(environment.error()));
    m_model.setEnvironment(environment.value_or(WorkerEnvironment{}), m_inherited->isChecked());
}

void EnvironmentPanel::setTexts()
{
    setTitle(tr("Every worker gets"));
    m_rank->setPrefix(tr("rank "));
    m_rank->setAccessibleName(tr("Rank whose environment is shown"));
    m_inherited->setText(tr("Inherited too"));
    m_inherited->setToolTip(
        tr("Also show what the workers inherit from this program's environment"));
    m_table->setAccessibleName(tr("Environment of a rank"));
    render();
}

} // namespace ringmaster::app
