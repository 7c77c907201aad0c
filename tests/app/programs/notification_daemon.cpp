// Owns org.freedesktop.Notifications on the session bus, as a desktop's daemon does, and writes
// each notification as a line of JSON.

#include <QCoreApplication>
#include <QDBusConnection>
#include <QJsonDocument>
#include <QJsonObject>
#include <QStringList>
#include <QVariantMap>

#include <cstdio>

class NotificationDaemon : public QObject
{
    Q_OBJECT
    Q_CLASSINFO("D-Bus Interface", "org.freedesktop.Notifications")

public Q_SLOTS:
    uint Notify(const QString& application, uint replaces, const QString& icon,
                const QString& summary, const QString& body, const QStringList&, const QVariantMap&,
                int timeout)
    {
        const QJsonObject told{{QStringLiteral("application"), application},
                               {QStringLiteral("icon"), icon},
                               {QStringLiteral("summary"), summary},
                               {QStringLiteral("body"), body},
                               {QStringLiteral("timeout"), timeout}};
        std::puts(QJsonDocument(told).toJson(QJsonDocument::Compact).constData());
        std::fflush(stdout);
        return replaces != 0 ? replaces : ++m_last;
    }

    QStringList GetCapabilities() { return {QStringLiteral("body")}; }

private:
    uint m_last = 0;
};

int main(int argc, char** argv)
{
    const QCoreApplication application(argc, argv);
    NotificationDaemon daemon;
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.registerObject(QStringLiteral("/org/freedesktop/Notifications"), &daemon,
                            QDBusConnection::ExportAllSlots) ||
        !bus.registerService(QStringLiteral("org.freedesktop.Notifications")))
        return 1;
    std::puts("{}");
    std::fflush(stdout);
    return QCoreApplication::exec();
}

#include "notification_daemon.moc"
