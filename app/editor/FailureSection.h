#pragma once

#include "app/editor/FormSection.h"

class QDoubleSpinBox;
class QLineEdit;
class QSpinBox;

namespace ringmaster::app {

/// When a worker fails: the restart budget, back-off, minimum healthy time, grace,
/// by what it printed it is tried again, and when its host is left out.
class FailureSection : public FormSection
{
    Q_OBJECT

public:
    explicit FailureSection(QWidget* parent = nullptr);

    void load(const JobSpec& spec, size_t role) override;
    void store(JobSpec& spec, size_t role) const override;

private:
    QLayout* withNote(QWidget* field, QLabel*& note);
    void setTexts();

    QSpinBox* m_restarts;
    QDoubleSpinBox* m_delay;
    QDoubleSpinBox* m_healthy;
    QDoubleSpinBox* m_grace;
    QLineEdit* m_onlyIf;
    QLineEdit* m_unless;
    QSpinBox* m_leaveOut;
    QLabel* m_restartsNote = nullptr;
    QLabel* m_delayNote = nullptr;
    QLabel* m_healthyNote = nullptr;
    QLabel* m_graceNote = nullptr;
    QLabel* m_leaveOutNote = nullptr;
    std::vector<QLabel*> m_labels;
};

} // namespace ringmaster::app
