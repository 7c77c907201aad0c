#include "app/model/HostText.h"

#include "app/bridge/Messages.h"
#include "app/bridge/Words.h"

#include <QCoreApplication>

namespace ringmaster::app {

namespace {

class HostWords
{
    Q_DECLARE_TR_FUNCTIONS(HostWords)
};

} // namespace

QString hostNote(const HostSnapshot& host)
{
    QStringList lines;
    if (host.state == HostChanged::State::StandingBy)
        lines << HostWords::tr("The group runs without it; it takes part from the next start on, "
                               "where there is room.");
    if (host.state == HostChanged::State::Reconnecting)
        lines << HostWords::tr("Its workers go on; nobody restarts while it is away for less than "
                               "the job's node_timeout.");
    if (saysAnything(host.reason))
        lines << text(host.reason);
    if (host.clock)
        lines << HostWords::tr("Its clock is ahead of this machine's by %1.")
                     .arg(offsetText(host.clock->wallOffsetNs, host.clock->boundNs));
    return lines.join(u'\n');
}

} // namespace ringmaster::app
