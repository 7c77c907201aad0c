#pragma once

#include "app/bridge/EngineBridge.h"

#include <QHash>
#include <QObject>

class QSystemTrayIcon;

namespace ringmaster::app {

/// Tells the desktop that a job ended or hangs, when nobody looks at the window: over D-Bus, else
/// with a tray icon. Never the only place where it can be seen.
class DesktopNotifier : public QObject
{
    Q_OBJECT

public:
    DesktopNotifier(const EngineBridge& bridge, QWidget* window);

Q_SIGNALS:
    /// What was said; also when the desktop can't show it.
    void notified(const QString& title, const QString& text);

private:
    void update();
    void notify(const RunSummary& run);
    void showInTray(const QString& title, const QString& text);

    const EngineBridge& m_bridge;
    QWidget* m_window;
    QHash<QString, Health> m_health;
    QSystemTrayIcon* m_tray = nullptr;
};

} // namespace ringmaster::app
