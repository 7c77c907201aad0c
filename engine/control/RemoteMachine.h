#pragma once

#include "engine/hosts/HostLink.h"

#include <string>
#include <vector>

namespace ringmaster {

/// A machine that a command names with --on: an entry of the host book, or a name that ssh knows.
struct RemoteMachine
{
    Host host{};
    SshSettings ssh{};
    AgentBundle bundle{};

    /// Reads the host book. Packs the agent, which takes seconds the first time.
    static Result<RemoteMachine> find(const std::string& name);

    /// How `ringmaster agent WORDS…` is started there. They stand on ssh's command line, which
    /// everybody sees, and in a script: for plain words.
    HostLink::Options wayTo(const std::vector<std::string>& words, std::string_view sentinel) const;
    /// The same over a connection of its own: the one that others share could be broken.
    HostLink::Options freshWayTo(const std::vector<std::string>& words,
                                 std::string_view sentinel) const;
};

} // namespace ringmaster
