#pragma once

#include "app/editor/FormSection.h"

#include <optional>

class QComboBox;
class QSpinBox;
class QStackedWidget;

namespace ringmaster::app {

class DevicePicker;
class MachinePlace;
class RunPlace;

/// Where it runs: on this machine, on hosts, under Slurm or on another machine by itself; workers a
/// node, nodes, GPUs.
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

    /// The machine that runs the job by itself, which the job doesn't say; empty: none does.
    std::string machine() const;
    /// A job of its own. One that says nothing yet begins where the last one was sent, if the user
    /// sits at a laptop; else here.
    void begin(bool isFresh);
    /// What the user has chosen last: a machine, or empty for anything else; nothing: nothing yet.
    const std::optional<std::string>& lastMachine() const { return m_lastMachine; }
    void setLastMachine(const std::optional<std::string>& machine);

Q_SIGNALS:
    void preflightRequested();

private:
    void build();
    void addPlace(RunPlace* place);
    void showPlace(int index);
    void placeChosen(int index);
    bool goElsewhere();
    RunPlace* placeAt(int index) const;
    int rowOf(const std::string& machine) const;
    bool isElsewhere() const;
    void setTexts();

    MachineCounts m_counts;
    std::vector<RunPlace*> m_places; ///< Row by row of m_runOn; below them are the machines.
    MachinePlace* m_machine = nullptr;
    std::vector<Host> m_machines;
    std::optional<std::string> m_lastMachine;
    bool m_isLaptop = false;
    bool m_isFresh = false; ///< And nobody has chosen a place for it.
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
