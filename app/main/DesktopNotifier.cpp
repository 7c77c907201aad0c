#include "app/main/DesktopNotifier.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QSystemTrayIcon>

namespace ringmaster::app {

void DesktopNotifier::notify(const QString& title, const QString& reason)
{
    Q_EMIT notified(title, reason);
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected()) {
        showInTray(title, reason);
        return;
    }
    QDBusMessage message = QDBusMessage::createMethodCall(
        QStringLiteral("org.freedesktop.Notifications"),
        QStringLiteral("/org/freedesktop/Notifications"),
        QStringLiteral("org.freedesktop.Notifications"), QStringLiteral("Notify"));
    message << QStringLiteral("Ringmaster") << 0U << QApplication::desktopFileName() << title
            << reason.toHtmlEscaped() << QStringList() << QVariantMap() << -1;
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(message), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, title, reason] {
        if (QDBusPendingReply<uint>(*watcher).isError())
            showInTray(title, reason);
        watcher->deleteLater();
    });
}

void DesktopNotifier::showInTray(const QString& title, const QString& text)
{
    if (!QSystemTrayIcon::isSystemTrayAvailable())
        return;
    if (m_tray == nullptr)
        m_tray = new QSystemTrayIcon(QApplication::windowIcon(), this);
    m_tray->show();
    m_tray->showMessage(title, text);
}

} // namespace ringmaster::app
