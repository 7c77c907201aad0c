#pragma once

#include "app/editor/RunPlace.h"

class QLabel;

namespace ringmaster::app {

/// One machine of the host book, which runs the job by itself; PlaceSection has a row for each.
class MachinePlace : public RunPlace
{
    Q_OBJECT

public:
    explicit MachinePlace(QWidget* parent = nullptr);

    void setMachine(const Host& machine);
    /// As the row of a machine is called.
    static QString titleOf(const std::string& machine);
    /// What this machine can check of the job: what the other one has, its own agent says.
    static JobSpec checkedHere(JobSpec spec, const std::string& machine);

    QString title() const override { return titleOf(m_machine.name); }
    bool holds(const JobSpec& spec) const override { return !spec.isLed(); }
    void load(const JobSpec&) override {}
    void store(JobSpec& spec) const override;
    void clear(JobSpec&) const override {}

private:
    void setTexts();

    Host m_machine;
    QLabel* m_hint;
};

} // namespace ringmaster::app
