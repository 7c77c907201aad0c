#pragma once

#include "app/editor/FormSection.h"

class QDoubleSpinBox;
class QLineEdit;

namespace ringmaster::app {

/// What ends a run though nothing has failed: its longest time, a verdict that stands.
class LimitSection : public FormSection
{
    Q_OBJECT

public:
    explicit LimitSection(QWidget* parent = nullptr);

    void load(const JobSpec& spec, size_t role) override;
    void store(JobSpec& spec, size_t role) const override;

private:
    void setTexts();

    QDoubleSpinBox* m_longest;
    QLineEdit* m_stopOn;
    std::vector<QLabel*> m_labels;
};

} // namespace ringmaster::app
