#include "app/widget/DesktopMotion.h"

#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>

namespace ringmaster::app {

namespace {

constexpr QLatin1String Service("org.freedesktop.portal.Desktop");
constexpr QLatin1String Path("/org/freedesktop/portal/desktop");
constexpr QLatin1String Settings("org.freedesktop.portal.Settings");

constexpr QLatin1String GnomeGroup("org.gnome.desktop.interface");
constexpr QLatin1String GnomeKey("enable-animations");
constexpr QLatin1String KdeGroup("org.kde.kdeglobals.KDE");
constexpr QLatin1String KdeKey("AnimationDurationFactor");
constexpr QLatin1String CommonGroup("org.freedesktop.appearance");
constexpr QLatin1String CommonKey("reduced-motion");

} // namespace

DesktopMotion::DesktopMotion(QObject* parent) : QObject(parent)
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(Service, Path, Settings, QStringLiteral("SettingChanged"), this,
                SLOT(settingChanged(QString, QString, QDBusVariant)));
    ask(GnomeGroup, GnomeKey);
    ask(KdeGroup, KdeKey);
    ask(CommonGroup, CommonKey);
}

bool DesktopMotion::isWanted() const
{
    return !m_isOffInGnome && !m_isOffInKde && !m_isReduced;
}

void DesktopMotion::ask(const QString& group, const QString& key)
{
    QDBusMessage read =
        QDBusMessage::createMethodCall(Service, Path, Settings, QStringLiteral("Read"));
    read << group << key;
    auto* watcher =
        new QDBusPendingCallWatcher(QDBusConnection::sessionBus().asyncCall(read), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher, group, key] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isValid())
            settingChanged(group, key, reply.value());
        watcher->deleteLater();
    });
}

/// Read() wraps the value twice.
void DesktopMotion::settingChanged(const QString& group, const QString& key,
                                   const QDBusVariant& value)
{
    QVariant plain = value.variant();
    while (plain.canConvert<QDBusVariant>())
        plain = plain.value<QDBusVariant>().variant();
    take(group, key, plain);
}

void DesktopMotion::take(const QString& group, const QString& key, const QVariant& value)
{
    const bool was = isWanted();
    if (group == GnomeGroup && key == GnomeKey)
        m_isOffInGnome = !value.toBool();
    else if (group == KdeGroup && key == KdeKey)
        m_isOffInKde = value.toDouble() <= 0;
    else if (group == CommonGroup && key == CommonKey)
        m_isReduced = value.toUInt() == 1;
    if (was != isWanted())
        Q_EMIT changed();
}

} // namespace ringmaster::app
