#include "app/jobs/JobHeader.h"

#include "app/bridge/MachineBridge.h"
#include "app/bridge/Words.h"
#include "app/jobs/AttemptPicker.h"
#include "app/jobs/JobActions.h"
#include "app/model/RunModel.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Pill.h"
#include "app/widget/Translated.h"
#include "engine/base/Codes.h"

#include <QDateTime>
#include <QHBoxLayout>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <set>

namespace ringmaster::app {

namespace {
/// In a narrower head the name and the line would be cut beside the buttons.
constexpr int ButtonsBelow = 900;
} // namespace

JobHeader::JobHeader(const RunModel& run, AttemptChoice& attempts, JobActions& actions,
                     QWidget* parent)
    : QWidget(parent)
    , m_run(run)
    , m_actions(actions)
    , m_name(new ElidedLabel(this))
    , m_badge(new StatusBadge(this))
    , m_row(new QHBoxLayout)
    , m_line(new ElidedLabel(this))
    , m_buttons(new QWidget(this))
    , m_signalButton(new QToolButton(this))
{
    QFont title = font();
    title.setPixelSize(22);
    title.setWeight(QFont::DemiBold);
    m_name->setFont(title);
    m_name->setElideMode(Qt::ElideMiddle);
    m_name->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    setLook(m_line, "muted");
    auto* lines = new QVBoxLayout(this);
    lines->setContentsMargins(0, 0, 0, 0);
    lines->setSpacing(6);
    lines->addLayout(m_row);
    m_row->setSpacing(10);
    m_row->addWidget(m_name);
    m_row->addSpacing(8);
    m_row->addWidget(m_badge);
    m_row->addSpacing(6);
    m_row->addWidget(m_line, 1);
    m_row->addWidget(new AttemptPicker(attempts, this));
    m_row->addWidget(m_buttons);
    auto* buttons = new QHBoxLayout(m_buttons);
    buttons->setContentsMargins(0, 0, 0, 0);
    buttons->setSpacing(10);
    for (QAction* action : {actions.showStacks, actions.runAgain, actions.restart, actions.stop}) {
        auto* button = new QToolButton(m_buttons);
        setLook(button, "button");
        button->setFocusPolicy(Qt::StrongFocus);
        button->setDefaultAction(action);
        buttons->addWidget(button);
    }
    setLook(m_signalButton, "button");
    m_signalButton->setFocusPolicy(Qt::StrongFocus);
    m_signalButton->setMenu(actions.signalMenu);
    m_signalButton->setPopupMode(QToolButton::InstantPopup);
    buttons->insertWidget(buttons->count() - 2, m_signalButton);
    connect(&run, &RunModel::runChanged, this, &JobHeader::update);
    translated(this, [this] { update(); });
}

QString JobHeader::badgeText(const JobHealth& health)
{
    if (health.statement.code == code::None)
        return word(health.health);
    const std::int64_t lasted =
        QDateTime::currentMSecsSinceEpoch() * 1'000'000 - health.since.wallNs;
    return QStringLiteral("%1 %2").arg(word(health.health), clockText(lasted));
}

QSize JobHeader::minimumSizeHint() const
{
    const int buttons = m_buttons->minimumSizeHint().width();
    const int row = m_row->minimumSize().width();
    return {std::max(m_areButtonsBelow ? row : row - m_row->spacing() - buttons, buttons),
            QWidget::minimumSizeHint().height()};
}

void JobHeader::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeButtons(width() < ButtonsBelow);
}

void JobHeader::placeButtons(bool areBelow)
{
    if (std::exchange(m_areButtonsBelow, areBelow) == areBelow)
        return;
    auto* lines = static_cast<QVBoxLayout*>(layout());
    if (areBelow) {
        m_row->removeWidget(m_buttons);
        lines->addWidget(m_buttons, 0, Qt::AlignLeft);
    } else {
        lines->removeWidget(m_buttons);
        m_row->addWidget(m_buttons);
    }
}

QString JobHeader::lineText() const
{
    const RunSnapshot& run = m_run.snapshot();
    QStringList parts;
    if (const QString machine = machineOf(m_run.run()); !machine.isEmpty())
        parts << (m_outOfReach.isEmpty() ? tr("on %1").arg(machine)
                                         : tr("▲ %1 isn't reached: as last seen").arg(machine));
    if (run.attempt >= 0)
        parts << tr("attempt %1").arg(run.attempt + 1);
    if (run.restartBudget > 0 || run.restartsUsed > 0)
        parts << tr("%1 of %n restarts used", nullptr, run.restartBudget).arg(run.restartsUsed);
    if (run.worldSize > 0) {
        std::set<std::string> nodes;
        for (const WorkerSnapshot& worker : run.workers)
            nodes.insert(worker.node);
        parts << (nodes.size() > 1 ? tr("%1 on %n hosts", nullptr, static_cast<int>(nodes.size()))
                                         .arg(ranksCountText(run.worldSize))
                                   : ranksCountText(run.worldSize));
    }
    if (run.startedAt != Moment{})
        parts << clockText(m_run.durationNs(QDateTime::currentMSecsSinceEpoch() * 1'000'000));
    return parts.join(QStringLiteral(" · "));
}

void JobHeader::setOutOfReach(const QString& why)
{
    m_outOfReach = why;
    m_line->setAccessibleDescription(why);
    update();
}

void JobHeader::update()
{
    const RunSnapshot& run = m_run.snapshot();
    m_name->setText(
        QString::fromStdString(run.started.name.empty() ? m_run.run() : run.started.name));
    const JobHealth health = m_run.health();
    m_badge->setHealth(health.health, badgeText(health));
    m_line->setText(lineText());
    m_signalButton->setText(m_actions.signalMenu->title() + QStringLiteral(" ▾"));
    m_signalButton->setEnabled(m_actions.signalMenu->isEnabled());
    m_signalButton->setToolTip(m_actions.signalMenu->toolTip());
    m_signalButton->setAccessibleName(m_actions.signalMenu->title());
}

} // namespace ringmaster::app
