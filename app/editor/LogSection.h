#pragma once

#include "app/editor/FormSection.h"

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace ringmaster::app {

/// Where output goes besides the run folder, where figures are read, and what the workers'
/// environment is spared.
class LogSection : public FormSection
{
    Q_OBJECT

public:
    explicit LogSection(QWidget* parent = nullptr);

    void load(const JobSpec& spec, size_t role) override;
    void store(JobSpec& spec, size_t role) const override;

private:
    void showSelection(QComboBox& box, const StreamSelection& selection) const;
    void setTexts();

    QLineEdit* m_folder;
    QComboBox* m_redirects;
    QComboBox* m_tee;
    QLineEdit* m_linePrefix;
    QLineEdit* m_metrics;
    QCheckBox* m_plain;
    std::vector<QLabel*> m_labels;
};

} // namespace ringmaster::app
