#pragma once

#include <QObject>

class QSystemTrayIcon;

namespace ringmaster::app {

/// Tells the desktop something: over D-Bus, else with a tray icon. Never the only place where it
/// can be seen.
class DesktopNotifier : public QObject
{
    Q_OBJECT

public:
    using QObject::QObject;

    void notify(const QString& title, const QString& text);

Q_SIGNALS:
    /// What was said; also when the desktop can't show it.
    void notified(const QString& title, const QString& text);

private:
    void showInTray(const QString& title, const QString& text);

    QSystemTrayIcon* m_tray = nullptr;
};

} // namespace ringmaster::app
