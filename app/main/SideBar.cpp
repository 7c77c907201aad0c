#include "app/main/SideBar.h"

#include "app/jobs/RunDelegate.h"
#include "app/main/MachineList.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Tokens.h"
#include "app/widget/Translated.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {

/// An entry of the side bar.
class NavButton : public QAbstractButton
{
public:
    explicit NavButton(QWidget* parent) : QAbstractButton(parent)
    {
        setCheckable(true);
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
    }

    QSize sizeHint() const override { return {120, 30}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        const Tokens& tokens = themeTokens();
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(hasFocus() ? QPen(tokens.accent, 1.5) : QPen(Qt::NoPen));
        painter.setBrush(isChecked()    ? QBrush(tokens.selection)
                         : underMouse() ? QBrush(tokens.hover)
                                        : QBrush());
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 6, 6);
        QFont face = font();
        face.setWeight(isChecked() ? QFont::DemiBold : QFont::Normal);
        painter.setFont(face);
        painter.setPen(tokens.text);
        painter.drawText(rect().adjusted(13, 0, -6, 0), Qt::AlignVCenter, text());
    }
};

} // namespace

SideBar::SideBar(RunListModel& runs, QWidget* parent)
    : QFrame(parent)
    , m_runs(runs)
    , m_live(RunFilter::Show::Live)
    , m_brand(new QLabel(this))
    , m_newButton(new QPushButton(this))
    , m_pages(new QButtonGroup(this))
    , m_pageLayout(new QVBoxLayout)
    , m_runningTitle(new QLabel(this))
    , m_runList(new QListView(this))
    , m_agents(new ElidedLabel(this))
{
    setObjectName(QStringLiteral("sideBar"));
    setFixedWidth(218);
    setLook(m_brand, "brand");
    setLook(m_newButton, "primary");
    setLook(m_runningTitle, "section");
    setLook(m_agents, "muted");
    m_pageLayout->setSpacing(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 16, 12, 12);
    layout->setSpacing(10);
    layout->addWidget(m_brand);
    layout->addWidget(m_newButton);
    layout->addLayout(m_pageLayout);
    layout->addSpacing(14);
    layout->addWidget(m_runningTitle);
    layout->addWidget(m_runList, 1);
    layout->addWidget(m_agents);
    connect(m_newButton, &QPushButton::clicked, this, &SideBar::newJobRequested);
    connect(m_pages, &QButtonGroup::idClicked, this, &SideBar::pageChosen);
    buildRuns();
    translated(this, [this] { setTexts(); });
}

void SideBar::buildRuns()
{
    m_live.setSourceModel(&m_runs);
    setLook(m_runList, "nav");
    m_runList->setModel(&m_live);
    m_runList->setItemDelegate(new RunDelegate(m_runList));
    m_runList->setMouseTracking(true);
    m_runList->setUniformItemSizes(true);
    m_runList->setSpacing(0);
    m_runList->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_runList->setEditTriggers(QAbstractItemView::NoEditTriggers);
    const auto choose = [this](const QModelIndex& index) {
        Q_EMIT runChosen(index.data(RunListModel::IdRole).toString());
    };
    connect(m_runList, &QListView::clicked, this, choose);
    connect(m_runList, &QListView::activated, this, choose);
    for (const auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(&m_live, signal, this, &SideBar::updateAgents);
    connect(&m_live, &QAbstractItemModel::modelReset, this, &SideBar::updateAgents);
    m_tick.setInterval(1s);
    m_tick.setTimerType(Qt::VeryCoarseTimer); // on the second, as the page's
    connect(&m_tick, &QTimer::timeout, &m_runs, &RunListModel::tick);
    m_tick.start();
}

void SideBar::setMachines(const MachineBridge& machines)
{
    layout()->addWidget(new MachineList(machines, m_runs, this));
}

void SideBar::addPage(int id, const QString& title)
{
    auto* button = new NavButton(this);
    m_pages->addButton(button, id);
    m_pageLayout->addWidget(button);
    setPageTitle(id, title);
}

void SideBar::setPageTitle(int id, const QString& title)
{
    m_pages->button(id)->setText(title);
    m_pages->button(id)->setAccessibleName(title);
}

void SideBar::setCurrentPage(int id)
{
    m_pages->setExclusive(false);
    for (QAbstractButton* button : m_pages->buttons())
        button->setChecked(m_pages->id(button) == id);
    m_pages->setExclusive(id >= 0);
}

void SideBar::setCurrentRun(const QString& run)
{
    const QModelIndex index = m_live.mapFromSource(m_runs.indexOf(run));
    if (index.isValid())
        m_runList->setCurrentIndex(index);
    else
        m_runList->selectionModel()->clear();
}

void SideBar::updateAgents()
{
    m_runningTitle->setVisible(m_live.rowCount() > 0);
    const int live = m_runs.liveCount();
    m_agents->setText(live == 0 ? tr("○ no agent running")
                                : tr("● %n local agents", nullptr, live));
}

void SideBar::setTexts()
{
    m_brand->setText(QStringLiteral("Ringmaster"));
    m_newButton->setText(tr("+  New job"));
    m_newButton->setAccessibleName(tr("New job"));
    m_runningTitle->setText(tr("RUNNING"));
    m_runList->setAccessibleName(tr("Running jobs"));
    m_runList->viewport()->update();
    updateAgents();
}

} // namespace ringmaster::app
