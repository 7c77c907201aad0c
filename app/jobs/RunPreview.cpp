#include "app/jobs/RunPreview.h"

#include "app/bridge/Messages.h"
#include "app/jobs/JobHeader.h"
#include "app/jobs/RunPreviewPanels.h"
#include "app/model/RunListModel.h"
#include "app/model/RunModel.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Pill.h"
#include "app/widget/Translated.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ringmaster::app {

namespace {

constexpr int FollowAfter = 150; ///< ms

} // namespace

RunPreview::RunPreview(EngineBridge& bridge, QWidget* parent)
    : QWidget(parent)
    , m_bridge(bridge)
    , m_name(new QLabel(this))
    , m_badge(new StatusBadge(this))
    , m_line(new ElidedLabel(this))
    , m_open(new QPushButton(this))
{
    setLook(m_name, "title");
    setLook(m_line, "muted");
    auto* head = new QHBoxLayout;
    head->setSpacing(10);
    head->addWidget(m_name);
    head->addWidget(m_badge);
    head->addWidget(m_line, 1);
    head->addWidget(m_open);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addLayout(head);
    layout->addStretch(0);
    m_soon.setSingleShot(true);
    m_soon.setInterval(FollowAfter);
    connect(&m_soon, &QTimer::timeout, this, &RunPreview::follow);
    connect(&bridge, &EngineBridge::runsChanged, this, &RunPreview::update);
    connect(m_open, &QPushButton::clicked, this,
            [this] { Q_EMIT openRequested(QString::fromStdString(m_run)); });
    translated(this, [this] { setTexts(); });
}

void RunPreview::show(const std::string& run)
{
    if (std::exchange(m_run, run) == run)
        return;
    update();
    if (isVisible())
        m_soon.start();
}

void RunPreview::setExtent(RunPanels::Extent extent)
{
    if (std::exchange(m_extent, extent) != extent && isVisible())
        m_soon.start();
}

void RunPreview::follow()
{
    forget();
    if (m_run.empty() || !isVisible())
        return;
    m_panels = new RunPreviewPanels(m_bridge, m_run, m_extent, this);
    connect(m_panels, &RunPreviewPanels::changed, this, &RunPreview::update);
    connect(m_panels, &RunPreviewPanels::told, this, &RunPreview::told);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, m_panels, 1);
    update();
}

void RunPreview::forget()
{
    if (m_panels == nullptr)
        return;
    m_panels->hide();
    m_panels->deleteLater();
    m_panels = nullptr;
}

void RunPreview::update()
{
    const RunSummary* listed = m_bridge.find(m_run);
    if (listed == nullptr)
        return;
    // As the list above tells it.
    m_name->setText(QString::fromStdString(listed->shownName()));
    m_badge->setHealth(listed->health.health, JobHeader::badgeText(listed->health));
    const Message& said = firstToldOf(*listed);
    m_line->setText(saysAnything(said) ? text(said) : QString());
}

void RunPreview::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    m_soon.start();
}

void RunPreview::hideEvent(QHideEvent* event)
{
    QWidget::hideEvent(event);
    m_soon.stop();
    forget();
}

void RunPreview::setTexts()
{
    m_open->setText(tr("Open"));
    m_open->setToolTip(tr("The whole page of this run, with its actions"));
    update();
}

} // namespace ringmaster::app
