#include "app/editor/MachinePlace.h"

#include "app/widget/Card.h"
#include "app/widget/Translated.h"

#include <QLabel>

namespace ringmaster::app {

MachinePlace::MachinePlace(QWidget* parent) : RunPlace(parent), m_hint(new QLabel(this))
{
    setLook(m_hint, "muted");
    m_hint->setWordWrap(true);
    addRow(m_hint);
    translated(this, [this] { setTexts(); });
}

void MachinePlace::setMachine(const Host& machine)
{
    m_machine = machine;
    setTexts();
}

QString MachinePlace::titleOf(const std::string& machine)
{
    return tr("On %1, by itself").arg(QString::fromStdString(machine));
}

JobSpec MachinePlace::checkedHere(JobSpec spec, const std::string& machine)
{
    spec.runOn = RunOn::Hosts;
    spec.hosts = {machine};
    spec.rendezvous = {};
    return spec;
}

void MachinePlace::store(JobSpec& spec) const
{
    spec.runOn = RunOn::Hosts;
    spec.hosts.clear();
}

void MachinePlace::setTexts()
{
    const QString name = QString::fromStdString(m_machine.name);
    const QString alone =
        tr("The job lives on %1 alone: this computer may sleep, lose its network or be closed, and "
           "finds the job again. With “Hosts over ssh” it has to stay on and connected.")
            .arg(name);
    const QString code =
        m_machine.sync == CodeSync::Rsync && m_machine.code.empty()
            ? tr("The program's folder is brought to the same path there first.")
        : m_machine.sync == CodeSync::Rsync
            ? tr("The program's folder is brought to %1 there first.")
                  .arg(QString::fromStdString(m_machine.code))
        : m_machine.code.empty()
            ? tr("The program has to be at the same path there.")
            : tr("The program has to be in %1 there.").arg(QString::fromStdString(m_machine.code));
    m_hint->setText(tr("%1 %2", "two sentences").arg(alone, code));
}

} // namespace ringmaster::app
