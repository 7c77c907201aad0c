#pragma once

#include "engine/base/EventLoop.h"
#include "engine/hosts/Ssh.h"

#include <functional>
#include <memory>
#include <string>

namespace ringmaster {

/// A run whose host a port is forwarded from, and that ends the forwarding.
class ForwardTarget
{
public:
    struct Place
    {
        std::string run{}; ///< As one knows it here.
        Host host{};
        SshSettings ssh{};
    };

    virtual ~ForwardTarget() = default;
    /// Once it is known, or an error. `ended` comes once, when the run has ended. Both on the loop,
    /// never inside the call.
    virtual void find(std::function<void(Result<Place>)> found, std::function<void()> ended) = 0;
};

/// A run of another machine, which is watched meanwhile.
std::unique_ptr<ForwardTarget> runOfMachine(EventLoop& loop, const std::string& machine,
                                            const std::string& run);
/// A run of this machine with several hosts: the one that has the rank.
std::unique_ptr<ForwardTarget> runOnHosts(EventLoop& loop, const std::string& run, int rank,
                                          int port);

} // namespace ringmaster
