#include "app/main/LaunchBar.h"

#include "app/bridge/Messages.h"
#include "app/widget/Card.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Translated.h"
#include "engine/base/Codes.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace ringmaster::app {

LaunchBar::LaunchBar(MachineBridge& machines, MachineLaunch launch, QWidget* parent)
    : QFrame(parent)
    , m_machine(QString::fromStdString(launch.machine))
    , m_headline(new QLabel(this))
    , m_detail(new ElidedLabel(this))
    , m_cancel(new QPushButton(this))
{
    setLook(this, "tour");
    setObjectName(QStringLiteral("launchBar"));
    setLook(m_detail, "muted");
    setLook(m_cancel, "flat");
    m_headline->setTextFormat(Qt::PlainText);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(22, 8, 22, 8);
    row->setSpacing(10);
    row->addWidget(m_headline);
    row->addWidget(m_detail, 1);
    row->addWidget(m_cancel);
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        m_launch.cancel();
        Q_EMIT cancelled(m_step == LaunchStep::Starting);
    });
    translated(this, [this] { setTexts(); });
    m_launch = machines.launch(
        std::move(launch), this,
        [this](LaunchStep step, const Message& progress) { told(step, progress); },
        [this](const Result<std::string>& run) {
            if (run)
                Q_EMIT started(QString::fromStdString(*run));
            else
                Q_EMIT failed(run.error());
        });
}

void LaunchBar::told(LaunchStep step, const Message& progress)
{
    m_step = step;
    m_progress = progress;
    setTexts();
}

void LaunchBar::setTexts()
{
    switch (m_step) {
    case LaunchStep::Reaching: m_headline->setText(tr("◌ Reaching %1…").arg(m_machine)); break;
    case LaunchStep::Bringing:
        m_headline->setText(tr("◌ Bringing the program to %1…").arg(m_machine));
        break;
    case LaunchStep::Starting:
        m_headline->setText(tr("◌ Starting the agent on %1…").arg(m_machine));
        break;
    }
    const QString detail = m_progress.code == code::None ? QString() : text(m_progress);
    m_detail->setText(detail);
    setAccessibleName(m_headline->text());
    setAccessibleDescription(detail);
    m_cancel->setText(tr("Cancel"));
    m_cancel->setToolTip(tr("Call the launch on %1 off").arg(m_machine));
}

} // namespace ringmaster::app
