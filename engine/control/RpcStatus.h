#pragma once

#include "engine/base/Result.h"

#include <string>

#include <grpcpp/support/status.h>

namespace ringmaster {

/// An Error as the status of an RPC, complete in its details, and back. `run` names the run in what
/// gRPC itself has to say (connection lost …).
grpc::Status toStatus(const Error& error);
Error toError(const grpc::Status& status, const std::string& run);

/// The way of all that is asked of an agent.
inline Result<void> toResult(const grpc::Status& status, const std::string& run)
{
    if (status.ok())
        return {};
    return tl::unexpected(toError(status, run));
}

} // namespace ringmaster
