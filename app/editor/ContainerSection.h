#pragma once

#include "app/editor/FormSection.h"

class QComboBox;
class QLineEdit;
class QPlainTextEdit;

namespace ringmaster::app {

/// The image that a role's workers run in, and how: on this machine, on hosts and under Slurm
/// alike.
class ContainerSection : public FormSection
{
    Q_OBJECT

public:
    explicit ContainerSection(QWidget* parent = nullptr);

    void load(const JobSpec& spec, size_t role) override;
    void store(JobSpec& spec, size_t role) const override;
    void setFacts(const LocalFacts& facts) override;
    void jobChanged(const JobSpec& spec) override;

private:
    QPlainTextEdit* addList();
    /// What only a container has is asked for where there is one.
    void showRows();
    void setTexts();
    QString engineText(const QString& engine) const;

    std::vector<std::string> m_engines; ///< Of this machine.
    std::string m_inherited;            ///< The image of the first role, where this is another.
    bool m_isElsewhere = false;         ///< Other machines' engines run it.
    QLineEdit* m_image;
    QComboBox* m_engine;
    QLabel* m_missing;
    QPlainTextEdit* m_mounts;
    QPlainTextEdit* m_devices;
    QPlainTextEdit* m_options;
    std::vector<QLabel*> m_labels;
};

} // namespace ringmaster::app
