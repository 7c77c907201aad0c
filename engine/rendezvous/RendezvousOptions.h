#pragma once

#include "engine/base/EventLoop.h"
#include "engine/rendezvous/Rendezvous.h"
#include "engine/rendezvous/Settings.h"

#include <memory>

namespace ringmaster {

/// Which rendezvous a job wants, in this folder's own words.
struct RendezvousOptions
{
    enum class Method { Static, C10d };

    Method method = Method::Static;
    bool standalone = false;
    RendezvousSettings settings{};
    std::map<std::string, std::string> configuration{}; ///< --rdzv-conf
    std::string endpoint{};
    int nodeRank = 0;            ///< static only
    std::string masterAddress{}; ///< static only
    int masterPort = 29500;      ///< static only
    std::string localAddress{};  ///< --local-addr; empty: the host's name
    int localId = 0;             ///< Tells the agents of one process apart.
    bool shareStore = true;      ///< False with TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1, c10d only.
};

/// Errors are those of the configuration; nothing is opened before join(). The loop outlives the
/// object.
Result<std::unique_ptr<Rendezvous>> makeRendezvous(RendezvousOptions options, EventLoop& loop,
                                                   Rendezvous::Host& host);

/// A version 4 UUID: the id that torchrun gives a standalone job.
std::string randomRunId();

} // namespace ringmaster
