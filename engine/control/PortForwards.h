#pragma once

#include "engine/base/LoopThread.h"
#include "engine/control/Cluster.h"
#include "engine/event/Snapshot.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace ringmaster {

/// Ports of other machines at 127.0.0.1 here, each until its subscription is dropped. They live on
/// a thread of their own, where callbacks come; nobody who asks waits.
class PortForwards
{
public:
    struct Told
    {
        std::function<void(Result<int> localPort)> opened{}; ///< Once.
        /// A connection didn't come about, or broke; again and again.
        std::function<void(const Error& why)> failed{};
    };

    PortForwards() = default;
    ~PortForwards();
    PortForwards(const PortForwards&) = delete;
    PortForwards& operator=(const PortForwards&) = delete;

    /// `host`: of the host book, or one that ssh knows. The port here is the same where that is
    /// free. The subscription goes first.
    [[nodiscard]] Subscription open(const std::string& host, int port, Told told);

private:
    class Forward;

    int m_last = 0;
    LoopThread m_thread{"rm-forward"};
    std::map<int, std::shared_ptr<Forward>> m_forwards; ///< On the thread; gone before its loop.
};

/// The host that has this rank, of a run on several; nothing: no rank is known to be it.
std::optional<std::string> hostOfRank(const RunSnapshot& run, int globalRank);

} // namespace ringmaster
