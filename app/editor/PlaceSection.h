#pragma once

#include "app/editor/FormSection.h"

class QComboBox;
class QSpinBox;

namespace ringmaster::app {

class DevicePicker;

/// Where it runs: workers a node, nodes, GPUs.
class PlaceSection : public FormSection
{
    Q_OBJECT

public:
    explicit PlaceSection(QWidget* parent = nullptr);

    void load(const JobSpec& spec, size_t role) override;
    void store(JobSpec& spec, size_t role) const override;
    void setFacts(const MachineFacts& facts) override;
    QWidget* fieldWidget(const QString& key) const override;

private:
    void setTexts();

    MachineCounts m_counts;
    QComboBox* m_workers;
    QSpinBox* m_minNodes;
    QSpinBox* m_maxNodes;
    QLabel* m_to;
    DevicePicker* m_devices;
    QComboBox* m_backend;
    std::vector<QLabel*> m_labels;
};

} // namespace ringmaster::app
