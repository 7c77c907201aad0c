#include "app/main/Session.h"

namespace ringmaster::app {

namespace {

template <class E>
E read(const QSettings& settings, const char* key, E last)
{
    const int value = settings.value(QLatin1String(key), 0).toInt();
    return value >= 0 && value <= static_cast<int>(last) ? static_cast<E>(value) : E{};
}

QString stateKey(const QString& page)
{
    return QStringLiteral("page/") + page;
}

} // namespace

QByteArray Session::geometry() const
{
    return m_settings.value(QLatin1String("window/geometry")).toByteArray();
}

void Session::setGeometry(const QByteArray& geometry)
{
    m_settings.setValue(QLatin1String("window/geometry"), geometry);
}

QString Session::page() const
{
    return m_settings.value(QLatin1String("window/page")).toString();
}

void Session::setPage(const QString& page)
{
    m_settings.setValue(QLatin1String("window/page"), page);
}

QVariantMap Session::pageState(const QString& page) const
{
    return m_settings.value(stateKey(page)).toMap();
}

void Session::setPageState(const QString& page, const QVariantMap& state)
{
    m_settings.setValue(stateKey(page), state);
}

Theme::Mode Session::theme() const
{
    return read(m_settings, "theme", Theme::Mode::Dark);
}

void Session::setTheme(Theme::Mode mode)
{
    m_settings.setValue(QLatin1String("theme"), static_cast<int>(mode));
}

Language::Choice Session::language() const
{
    return read(m_settings, "language", Language::Choice::Japanese);
}

void Session::setLanguage(Language::Choice choice)
{
    m_settings.setValue(QLatin1String("language"), static_cast<int>(choice));
}

bool Session::isTourOver() const
{
    return m_settings.value(QLatin1String("tour/over")).toBool();
}

void Session::setTourOver()
{
    m_settings.setValue(QLatin1String("tour/over"), true);
}

Session::OnClose Session::onClose() const
{
    return read(m_settings, "confirm/onClose", OnClose::KeepRunning);
}

void Session::setOnClose(OnClose choice)
{
    m_settings.setValue(QLatin1String("confirm/onClose"), static_cast<int>(choice));
}

} // namespace ringmaster::app
