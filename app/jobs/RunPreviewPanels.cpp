#include "app/jobs/RunPreviewPanels.h"

#include "app/jobs/LogPanel.h"
#include "app/jobs/NumbersPanel.h"
#include "app/jobs/OperationsPanel.h"
#include "app/jobs/TimelinePanel.h"
#include "app/jobs/WorkersPanel.h"
#include "app/widget/PanelGrid.h"

#include <QVBoxLayout>

namespace ringmaster::app {

RunPreviewPanels::RunPreviewPanels(EngineBridge& bridge, const std::string& run,
                                   RunPanels::Extent extent, QWidget* parent)
    : QWidget(parent), m_view(run, this), m_panels(bridge, m_view, extent, this)
{
    const bool isWhole = extent == RunPanels::Extent::Whole;
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(new PanelGrid(isWhole ? rows() : rowsOfGlance(), this));
    connect(&m_panels, &RunPanels::told, this, &RunPreviewPanels::told);
    connect(&m_panels, &RunPanels::ticked, this, &RunPreviewPanels::changed);
    connect(&m_view.run, &RunModel::runChanged, this, &RunPreviewPanels::changed);
    if (isWhole)
        connect(&m_panels.operations().feed(), &OperationFeed::changed, this,
                &RunPreviewPanels::showOperations);
}

std::vector<PanelRow::Description> RunPreviewPanels::rows() const
{
    using Room = PanelRow::Room;
    constexpr int Least = 260;
    const GridPanel workers{QStringLiteral("workers"), &m_panels.workers()};
    const GridPanel timeline{QStringLiteral("timeline"), &m_panels.timeline()};
    const GridPanel operations{QStringLiteral("operations"), &m_panels.operations()};
    const GridPanel numbers{QStringLiteral("numbers"), &m_panels.numbers()};
    const GridPanel log{QStringLiteral("log"), &m_panels.log()};
    return {{.room = Room::AsNeeded, .places = {{.panels = {workers}}, {.panels = {timeline}}}},
            {.room = Room::Rest,
             .places = {{.panels = {operations}, .least = Least},
                        {.panels = {numbers}, .least = Least},
                        {.panels = {log}, .least = Least}}}};
}

std::vector<PanelRow::Description> RunPreviewPanels::rowsOfGlance() const
{
    const GridPanel workers{QStringLiteral("workers"), &m_panels.workers()};
    const GridPanel log{QStringLiteral("log"), &m_panels.log()};
    return {{.room = PanelRow::Room::Rest, .places = {{.panels = {workers}}, {.panels = {log}}}}};
}

/// Of a run that is over without any, they take no room from the rest.
void RunPreviewPanels::showOperations()
{
    const OperationFeed& feed = m_panels.operations().feed();
    const bool areNone = !m_view.run.isRunning() && feed.hasAnswer() && !feed.error() &&
                         feed.summary().operations == 0 && feed.summary().rows.empty();
    m_panels.operations().setAvailable(!areNone);
}

void RunPreviewPanels::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_panels.setShown(true);
}

void RunPreviewPanels::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_panels.setShown(false);
}

} // namespace ringmaster::app
