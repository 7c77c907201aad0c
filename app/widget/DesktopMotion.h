#pragma once

#include <QObject>

class QDBusVariant;

namespace ringmaster::app {

/// Whether the desktop wants animations, as its settings portal says (GNOME, KDE, and the common
/// setting of both); where nobody says anything, it does. Asks without waiting.
class DesktopMotion : public QObject
{
    Q_OBJECT

public:
    explicit DesktopMotion(QObject* parent = nullptr);

    bool isWanted() const;
    /// What the portal says of one of its settings.
    void take(const QString& group, const QString& key, const QVariant& value);

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void settingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void ask(const QString& group, const QString& key);

    bool m_isOffInGnome = false;
    bool m_isOffInKde = false;
    bool m_isReduced = false;
};

} // namespace ringmaster::app
