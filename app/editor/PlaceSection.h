#pragma once

#include "app/editor/FormSection.h"

class QComboBox;
class QSpinBox;
class QStackedWidget;

namespace ringmaster::app {

class DevicePicker;
class RunPlace;

/// Where it runs: on this machine, on hosts or under Slurm; workers a node, nodes, GPUs.
class PlaceSection : public FormSection
{
    Q_OBJECT

public:
    explicit PlaceSection(QWidget* parent = nullptr);

    void load(const JobSpec& spec, size_t role) override;
    void store(JobSpec& spec, size_t role) const override;
    void setFacts(const LocalFacts& facts) override;
    void setHosts(const std::vector<Host>& hosts) override;
    QWidget* fieldWidget(const QString& key) const override;

Q_SIGNALS:
    void preflightRequested();

private:
    void build();
    void addPlace(RunPlace* place);
    void showPlace(int index);
    bool isElsewhere() const;
    void setTexts();

    MachineCounts m_counts;
    std::vector<RunPlace*> m_places; ///< Row by row of m_runOn.
    QComboBox* m_runOn;
    QStackedWidget* m_placeFields;
    QComboBox* m_workers;
    QSpinBox* m_minNodes;
    QSpinBox* m_maxNodes;
    QLabel* m_to;
    DevicePicker* m_devices;
    QComboBox* m_backend;
    std::vector<QLabel*> m_labels;
};

} // namespace ringmaster::app
