#include "app/widget/Theme.h"

#include "app/widget/Tokens.h"

#include <QApplication>
#include <QDBusConnection>
#include <QDBusMessage>
#include <QDBusPendingCallWatcher>
#include <QDBusPendingReply>
#include <QDBusVariant>
#include <QFontDatabase>
#include <QStyleFactory>

namespace ringmaster::app {

namespace {

constexpr auto PortalService = "org.freedesktop.portal.Desktop";
constexpr auto PortalPath = "/org/freedesktop/portal/desktop";
constexpr auto PortalSettings = "org.freedesktop.portal.Settings";
constexpr auto AppearanceGroup = "org.freedesktop.appearance";
constexpr auto ColorSchemeKey = "color-scheme";

QString latin(const char* text)
{
    return QString::fromLatin1(text);
}

/// The portal's numbers: 0 no preference, 1 dark, 2 light. Read() wraps the value twice.
uint schemeOf(QVariant value)
{
    while (value.canConvert<QDBusVariant>())
        value = value.value<QDBusVariant>().variant();
    return value.toUInt();
}

QFont interfaceFont()
{
    QFont font = QApplication::font();
    const QString inter = QStringLiteral("Inter");
    if (QFontDatabase::hasFamily(inter))
        font.setFamilies({inter, QStringLiteral("Noto Sans CJK JP"), font.family()});
    font.setPixelSize(13);
    return font;
}

} // namespace

Theme::Theme(QObject* parent) : QObject(parent)
{
    m_systemIsDark = QApplication::palette().color(QPalette::Window).lightness() < 128;
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setFont(interfaceFont());
    apply();
    askPortal();
}

void Theme::askPortal()
{
    QDBusConnection bus = QDBusConnection::sessionBus();
    if (!bus.isConnected())
        return;
    bus.connect(latin(PortalService), latin(PortalPath), latin(PortalSettings),
                QStringLiteral("SettingChanged"), this,
                SLOT(portalSettingChanged(QString, QString, QDBusVariant)));
    QDBusMessage read = QDBusMessage::createMethodCall(
        latin(PortalService), latin(PortalPath), latin(PortalSettings), QStringLiteral("Read"));
    read << latin(AppearanceGroup) << latin(ColorSchemeKey);
    auto* watcher = new QDBusPendingCallWatcher(bus.asyncCall(read), this);
    connect(watcher, &QDBusPendingCallWatcher::finished, this, [this, watcher] {
        const QDBusPendingReply<QDBusVariant> reply = *watcher;
        if (reply.isValid())
            portalSettingChanged(latin(AppearanceGroup), latin(ColorSchemeKey), reply.value());
        watcher->deleteLater();
    });
}

void Theme::portalSettingChanged(const QString& group, const QString& key,
                                 const QDBusVariant& value)
{
    if (group != latin(AppearanceGroup) || key != latin(ColorSchemeKey))
        return;
    const uint scheme = schemeOf(value.variant());
    if (scheme == 0)
        return;
    m_systemIsDark = scheme == 1;
    if (m_mode == Mode::System)
        apply();
}

void Theme::setMode(Mode mode)
{
    m_mode = mode;
    apply();
}

const Tokens& Theme::tokens() const
{
    switch (m_mode) {
    case Mode::System: return m_systemIsDark ? darkTokens() : lightTokens();
    case Mode::Light: return lightTokens();
    case Mode::Dark: return darkTokens();
    }
    return lightTokens();
}

void Theme::apply()
{
    if (m_applied == &tokens())
        return;
    m_applied = &tokens();
    // The palette goes first: polishing with the style sheet resolves palette() in it.
    QApplication::setPalette(paletteOf(tokens()));
    qApp->setStyleSheet(styleSheetOf(tokens()));
    Q_EMIT changed();
}

QPalette paletteOf(const Tokens& t)
{
    QPalette palette;
    palette.setColor(QPalette::Window, t.window);
    palette.setColor(QPalette::WindowText, t.text);
    palette.setColor(QPalette::Base, t.field);
    palette.setColor(QPalette::AlternateBase, t.hover);
    palette.setColor(QPalette::Text, t.text);
    palette.setColor(QPalette::Button, t.card);
    palette.setColor(QPalette::ButtonText, t.text);
    palette.setColor(QPalette::BrightText, t.failed.text);
    palette.setColor(QPalette::ToolTipBase, t.card);
    palette.setColor(QPalette::ToolTipText, t.text);
    palette.setColor(QPalette::Highlight, t.selection);
    palette.setColor(QPalette::HighlightedText, t.text);
    palette.setColor(QPalette::Link, t.accent);
    palette.setColor(QPalette::PlaceholderText, t.mutedText);
    palette.setColor(QPalette::Light, t.card);
    palette.setColor(QPalette::Mid, t.border);
    palette.setColor(QPalette::Dark, t.border);
    const QColor faded = withAlpha(t.mutedText, 0.6);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, faded);
    return palette;
}

QFont monospaceFont()
{
    // To ask for it goes through all families of the system: a drawing wants it for each of its
    // lines.
    static const QFont font = [] {
        QFont made = QFontDatabase::systemFont(QFontDatabase::FixedFont);
        const QString jetBrains = QStringLiteral("JetBrains Mono");
        if (QFontDatabase::hasFamily(jetBrains))
            made.setFamilies({jetBrains, QStringLiteral("Noto Sans Mono CJK JP"), made.family()});
        made.setPixelSize(12);
        made.setStyleHint(QFont::Monospace);
        return made;
    }();
    return font;
}

} // namespace ringmaster::app
