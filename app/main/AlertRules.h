#pragma once

#include <QSettings>
#include <QString>

#include <optional>
#include <set>

namespace ringmaster::app {

/// What of a job is worth an alert.
enum class AlertCause { Hangs, Fails, Slows, Finishes };

/// When somebody wants to be told of a job, and how.
struct AlertRule
{
    std::set<AlertCause> causes{AlertCause::Hangs, AlertCause::Fails, AlertCause::Finishes};
    bool notifies = true; ///< On the desktop, while the window isn't in use.
    bool sounds = false;
    QString command{}; ///< Of a shell; empty: none.
    bool operator==(const AlertRule&) const = default;
};

/// The rules in the settings: one for all jobs, and those of single ones, by their name.
class AlertRules
{
public:
    AlertRule ofAll() const;
    void setOfAll(const AlertRule& rule);
    /// Nothing: that of all.
    std::optional<AlertRule> ofJob(const QString& name) const;
    void setOfJob(const QString& name, const std::optional<AlertRule>& rule);
    AlertRule ruleFor(const QString& name) const { return ofJob(name).value_or(ofAll()); }

private:
    std::optional<AlertRule> read(const QString& group) const;
    void write(const QString& group, const AlertRule& rule);

    mutable QSettings m_settings;
};

} // namespace ringmaster::app
