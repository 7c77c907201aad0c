#include "app/main/DesktopNotifier.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"
#include "app/model/RunListModel.h"
#include "engine/base/Codes.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QSystemTrayIcon>
#include <QWidget>

namespace ringmaster::app {

DesktopNotifier::DesktopNotifier(const EngineBridge& bridge, QWidget* window)
    : QObject(window), m_bridge(bridge), m_window(window)
{
    for (const RunSummary& run : bridge.runs())
        m_health.insert(QString::fromStdString(run.id), run.health.health);
    connect(&bridge, &EngineBridge::runsChanged, this, &DesktopNotifier::update);
}

void DesktopNotifier::update()
{
    QHash<QString, Health> all;
    for (const RunSummary& run : m_bridge.runs()) {
        const QString id = QString::fromStdString(run.id);
        const Health health = run.health.health;
        const auto before = m_health.constFind(id);
        const bool isNews =
            isOver(health) ? health != Health::StoppedByUser : health == Health::Hanging;
        if (isNews && before != m_health.constEnd() && !isOver(*before) && *before != health &&
            !m_window->isActiveWindow())
            notify(run);
        all.insert(id, health);
    }
    m_health = all;
}

void DesktopNotifier::notify(const RunSummary& run)
{
    const QString title =
        QStringLiteral("%1: %2").arg(QString::fromStdString(run.name), word(run.health.health));
    const Message& first = firstToldOf(run);
    const QString reason = first.code == code::None ? QString() : text(first);
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
