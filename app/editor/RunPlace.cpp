#include "app/editor/RunPlace.h"

namespace ringmaster::app {

QString ThisMachine::title() const
{
    return tr("This machine");
}

bool ThisMachine::holds(const JobSpec& spec) const
{
    return !spec.isLed();
}

void ThisMachine::store(JobSpec& spec) const
{
    spec.runOn = RunOn::Hosts;
    spec.hosts.clear();
}

} // namespace ringmaster::app
