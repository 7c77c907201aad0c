#pragma once

#include "app/editor/FormSection.h"

class QComboBox;
class QLineEdit;

namespace ringmaster::app {

/// How the nodes find each other.
class RendezvousSection : public FormSection
{
    Q_OBJECT

public:
    explicit RendezvousSection(QWidget* parent = nullptr);

    void load(const JobSpec& spec, size_t role) override;
    void store(JobSpec& spec, size_t role) const override;
    void jobChanged(const JobSpec& spec) override;

private:
    void updateFields();
    void setTexts();

    bool m_isLed = false;
    bool m_isOneNode = true; ///< It takes a free port where none is named.
    QComboBox* m_method;
    QLineEdit* m_endpoint;
    QLineEdit* m_id;
    std::vector<QLabel*> m_labels;
};

} // namespace ringmaster::app
