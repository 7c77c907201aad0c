#include "app/main/AlertRules.h"

#include <QUrl>

#include <array>
#include <utility>

namespace ringmaster::app {

namespace {

constexpr std::array Causes{
    std::pair{AlertCause::Hangs, "hangs"}, std::pair{AlertCause::Fails, "fails"},
    std::pair{AlertCause::Slows, "slows"}, std::pair{AlertCause::Finishes, "finishes"}};

QString groupOf(const QString& job)
{
    return QStringLiteral("alerts/jobs/") + QString::fromLatin1(QUrl::toPercentEncoding(job));
}

constexpr QLatin1String GroupOfAll("alerts/all");

} // namespace

std::optional<AlertRule> AlertRules::read(const QString& group) const
{
    if (!m_settings.contains(group + QLatin1String("/notifies")))
        return std::nullopt;
    m_settings.beginGroup(group);
    AlertRule rule{.causes = {},
                   .notifies = m_settings.value(QLatin1String("notifies")).toBool(),
                   .sounds = m_settings.value(QLatin1String("sounds")).toBool(),
                   .command = m_settings.value(QLatin1String("command")).toString()};
    for (const auto& [cause, key] : Causes) {
        if (m_settings.value(QLatin1String(key)).toBool())
            rule.causes.insert(cause);
    }
    m_settings.endGroup();
    return rule;
}

void AlertRules::write(const QString& group, const AlertRule& rule)
{
    m_settings.beginGroup(group);
    m_settings.setValue(QLatin1String("notifies"), rule.notifies);
    m_settings.setValue(QLatin1String("sounds"), rule.sounds);
    m_settings.setValue(QLatin1String("command"), rule.command);
    for (const auto& [cause, key] : Causes)
        m_settings.setValue(QLatin1String(key), rule.causes.contains(cause));
    m_settings.endGroup();
}

AlertRule AlertRules::ofAll() const
{
    return read(GroupOfAll).value_or(AlertRule{});
}

void AlertRules::setOfAll(const AlertRule& rule)
{
    write(GroupOfAll, rule);
}

std::optional<AlertRule> AlertRules::ofJob(const QString& name) const
{
    return read(groupOf(name));
}

void AlertRules::setOfJob(const QString& name, const std::optional<AlertRule>& rule)
{
    if (rule)
        write(groupOf(name), *rule);
    else
        m_settings.remove(groupOf(name));
}

} // namespace ringmaster::app
