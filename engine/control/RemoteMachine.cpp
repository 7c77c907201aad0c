#include "engine/control/RemoteMachine.h"

#include "engine/control/Codes.h"
#include "engine/hosts/HostBook.h"

namespace ringmaster {

Result<RemoteMachine> RemoteMachine::find(const std::string& name)
{
    const HostBook book = RM_TRY(HostBook::load());
    if (!HostBook::isName(name))
        return fail(code::OnNoMachine, {{"text", name}});
    const Host* known = book.find(name);
    RemoteMachine machine{.host = known != nullptr ? *known : Host{.name = name}};
    if (machine.host.isHere())
        return machine;
    machine.ssh = RM_TRY(usualSshSettings(book.sshConfig()));
    machine.bundle = RM_TRY(agentBundle());
    return machine;
}

HostLink::Options RemoteMachine::wayTo(const std::vector<std::string>& words,
                                       std::string_view sentinel) const
{
    std::vector<std::string> all{"agent"};
    all.insert(all.end(), words.begin(), words.end());
    HostLink::Options way = host.isHere() ? localLink(host, all) : sshLink(ssh, host, bundle, all);
    way.sentinel = sentinel;
    return way;
}

HostLink::Options RemoteMachine::freshWayTo(const std::vector<std::string>& words,
                                            std::string_view sentinel) const
{
    RemoteMachine alone = *this;
    alone.ssh = unshared(ssh);
    return alone.wayTo(words, sentinel);
}

} // namespace ringmaster
