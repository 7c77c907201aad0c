#include "app/main/JobAlerts.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/main/AlertCommand.h"
#include "app/main/AlertSound.h"
#include "app/main/AlertsDialog.h"
#include "app/main/DesktopNotifier.h"
#include "app/model/RunListModel.h"
#include "engine/base/Codes.h"

#include <QWidget>

namespace ringmaster::app {

namespace {

/// Nothing: it is none.
std::optional<AlertCause> causeOf(Health health)
{
    switch (health) {
    case Health::Hanging: return AlertCause::Hangs;
    case Health::Failed:
    case Health::Lost: return AlertCause::Fails;
    case Health::Slow: return AlertCause::Slows;
    case Health::Finished: return AlertCause::Finishes;
    case Health::Starting:
    case Health::Running:
    case Health::Waiting:
    case Health::Stopped:
    case Health::Restarting:
    case Health::Stopping:
    case Health::Ended:
    case Health::StoppedByUser:
    case Health::Recorded: return std::nullopt;
    }
    return std::nullopt;
}

} // namespace

JobAlerts::JobAlerts(const EngineBridge& bridge, QWidget* window)
    : QObject(window)
    , m_bridge(bridge)
    , m_window(window)
    , m_notifier(new DesktopNotifier(this))
    , m_command(new AlertCommand(this))
{
    for (const RunSummary& run : bridge.runs())
        m_health.insert(QString::fromStdString(run.id), run.health.health);
    connect(&bridge, &EngineBridge::runsChanged, this, &JobAlerts::update);
    connect(m_command, &AlertCommand::failed, this, [this](const QString& why) {
        Q_EMIT told(tr("The command for alerts failed: %1").arg(why));
    });
}

void JobAlerts::update()
{
    QHash<QString, Health> all;
    for (const RunSummary& run : m_bridge.runs()) {
        const QString id = QString::fromStdString(run.id);
        const Health health = run.health.health;
        const auto before = m_health.constFind(id);
        const std::optional<AlertCause> cause = causeOf(health);
        if (cause && before != m_health.constEnd() && !isOver(*before) && *before != health)
            raise(run, *cause);
        all.insert(id, health);
    }
    m_health = all;
}

void JobAlerts::raise(const RunSummary& run, AlertCause cause)
{
    const QString id = QString::fromStdString(run.id);
    const QString name = QString::fromStdString(run.name);
    const AlertRule rule = m_rules.ruleFor(name);
    if (!rule.causes.contains(cause))
        return;
    const auto now = std::chrono::steady_clock::now();
    const auto [last, isFirst] = m_raised.try_emplace({id, cause}, now);
    if (!isFirst && now - last->second < Quiet)
        return;
    last->second = now;
    const Message& first = firstToldOf(run);
    raise({id, name, run.health.health, first.code == code::None ? QString() : text(first)}, rule,
          false);
}

/// `evenIfSeen`: who looks at the window wants to see the notification nevertheless.
void JobAlerts::raise(const Alert& alert, const AlertRule& rule, bool evenIfSeen)
{
    if (rule.notifies && (evenIfSeen || !m_window->isActiveWindow()))
        m_notifier->notify(QStringLiteral("%1: %2").arg(alert.job, word(alert.health)),
                           alert.cause);
    if (rule.sounds)
        playAlertSound(alert.health != Health::Finished);
    if (rule.command.isEmpty())
        return;
    QProcessEnvironment told;
    const std::string_view state = nameOf(alert.health);
    // Not RINGMASTER_RUN: who has that is ended as what is left of a lost run.
    told.insert(QStringLiteral("RINGMASTER_ALERT_RUN"), alert.run);
    told.insert(QStringLiteral("RINGMASTER_JOB"), alert.job);
    told.insert(QStringLiteral("RINGMASTER_STATE"),
                QString::fromLatin1(state.data(), static_cast<qsizetype>(state.size())));
    told.insert(QStringLiteral("RINGMASTER_CAUSE"), alert.cause);
    m_command->run(rule.command, told);
}

void JobAlerts::configure(const QString& job)
{
    QStringList jobs;
    for (const RunSummary& run : m_bridge.runs())
        jobs << QString::fromStdString(run.name);
    auto* dialog = new AlertsDialog(m_rules, jobs, job, m_window);
    connect(dialog, &AlertsDialog::tried, this, [this](const QString& name, const AlertRule& rule) {
        raise({QStringLiteral("example"), name.isEmpty() ? tr("A job") : name, Health::Hanging,
               tr("This is how Ringmaster tells you of it.")},
              rule, true);
    });
    dialog->open();
}

} // namespace ringmaster::app
