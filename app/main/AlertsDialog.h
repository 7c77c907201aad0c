#pragma once

#include "app/main/AlertRules.h"

#include <QDialog>

#include <map>
#include <optional>
#include <vector>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QWidget;

namespace ringmaster::app {

/// When and how the user is told of jobs: of all, and of one that shall be otherwise.
class AlertsDialog : public QDialog
{
    Q_OBJECT

public:
    /// Names of jobs that there are; `job` is the one in sight, may be empty.
    AlertsDialog(AlertRules& rules, QStringList jobs, const QString& job, QWidget* parent);

Q_SIGNALS:
    /// What is in the fields, as if the job hung; empty: no job is chosen.
    void tried(const QString& job, const ringmaster::app::AlertRule& rule);

private:
    struct Cause
    {
        AlertCause cause{};
        QCheckBox* box = nullptr;
    };

    void build();
    QWidget* column(const std::vector<QWidget*>& widgets);
    QLabel* hint(const QString& text);
    /// Empty: all.
    QString job() const;
    AlertRule rule() const;
    AlertRule ruleOfAll() const;
    void show(const AlertRule& rule);
    void load();
    /// What is in the fields, of those that they are about.
    void remember();
    void save();
    void update();

    AlertRules& m_rules;
    QString m_shown;                                      ///< Whose rule is in the fields.
    std::map<QString, std::optional<AlertRule>> m_edited; ///< Not saved yet; by job.
    QComboBox* m_jobs;
    QCheckBox* m_asAll; ///< The job's rule is that of all.
    std::vector<QWidget*> m_fields;
    std::vector<Cause> m_causes;
    QCheckBox* m_notifies;
    QCheckBox* m_sounds;
    QLineEdit* m_command;
};

} // namespace ringmaster::app
