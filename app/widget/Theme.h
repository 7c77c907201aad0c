#pragma once

#include <QObject>
#include <QVariant>

class QDBusVariant;

namespace ringmaster::app {

struct Tokens;

/// Dresses the application: palette, fonts and style sheet, for light or dark. In System it follows
/// the desktop's preference (the XDG settings portal, else the palette that Qt came up with).
class Theme : public QObject
{
    Q_OBJECT

public:
    enum class Mode { System, Light, Dark };

    explicit Theme(QObject* parent = nullptr);

    void setMode(Mode mode);
    Mode mode() const { return m_mode; }
    const Tokens& tokens() const;

Q_SIGNALS:
    void changed();

private Q_SLOTS:
    void portalSettingChanged(const QString& group, const QString& key, const QDBusVariant& value);

private:
    void askPortal();
    void apply();

    Mode m_mode = Mode::System;
    bool m_systemIsDark = false;
    const Tokens* m_applied = nullptr;
};

QString styleSheetOf(const Tokens& tokens);
QPalette paletteOf(const Tokens& tokens);
/// For logs, command lines, identifiers.
QFont monospaceFont();

} // namespace ringmaster::app
