#pragma once

#include "engine/base/Error.h"
#include "engine/control/Cluster.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// A run of a watched machine. Here it is known as MACHINE:RUN.
struct MachineRun
{
    std::string machine{};
    std::string run{}; ///< Its id there.

    /// Nothing: it is a run of this machine.
    static std::optional<MachineRun> parse(std::string_view id);
    std::string id() const { return machine + ":" + run; }
};

/// How it stands with the way to a machine that is watched.
struct WatchedMachineState
{
    enum class Connection {
        Connecting,
        Connected,
        Lost, ///< It is tried again and again.
    };

    std::string name{};
    Connection connection = Connection::Connecting;
    Message why{}; ///< Lost: why. Connecting: what takes so long; code::None: nothing does.
    bool operator==(const WatchedMachineState&) const = default;
};

/// Other machines whose runs a Cluster has, too: reached by the user's own ssh, by the names of the
/// host book or of ~/.ssh/config. Every method returns at once; callbacks come on a thread of its
/// own, never inside the call.
class MachineWatch
{
public:
    virtual ~MachineWatch() = default;

    /// Those that are watched from now on, and no others.
    virtual void watch(const std::vector<std::string>& machines) = 0;
    /// By name.
    virtual std::vector<WatchedMachineState> machines() const = 0;
    [[nodiscard]] virtual Subscription onMachinesChanged(std::function<void()> changed) = 0;
};

} // namespace ringmaster
