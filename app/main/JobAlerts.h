#pragma once

#include "app/bridge/EngineBridge.h"
#include "app/main/AlertRules.h"

#include <QHash>

#include <chrono>
#include <map>

class QWidget;

namespace ringmaster::app {

class AlertCommand;
class DesktopNotifier;

/// Tells the user when a job hangs, fails, slows or finishes, in the ways that the rules say.
class JobAlerts : public QObject
{
    Q_OBJECT

public:
    /// A job that changes to and fro is told of no more often.
    static constexpr std::chrono::minutes Quiet{1};

    JobAlerts(const EngineBridge& bridge, QWidget* window);

    /// Lets the user change the rules; `job` is the one in sight, may be empty.
    void configure(const QString& job);

Q_SIGNALS:
    /// Something went wrong on the way.
    void told(const QString& sentence);

private:
    struct Alert
    {
        QString run{};
        QString job{};
        Health health{};
        QString cause{};
    };

    void update();
    void raise(const RunSummary& run, AlertCause cause);
    void raise(const Alert& alert, const AlertRule& rule, bool evenIfSeen);

    const EngineBridge& m_bridge;
    QWidget* m_window;
    AlertRules m_rules;
    DesktopNotifier* m_notifier;
    AlertCommand* m_command;
    QHash<QString, Health> m_health;
    std::map<std::pair<QString, AlertCause>, std::chrono::steady_clock::time_point> m_raised;
};

} // namespace ringmaster::app
