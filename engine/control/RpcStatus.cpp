#include "engine/control/RpcStatus.h"

#include "engine/control/Codes.h"
#include "engine/event/Proto.h"

namespace ringmaster {

namespace {

/// gRPC puts details into a header of at most 8 KiB.
constexpr size_t LongestDetail = 4000;

} // namespace

grpc::Status toStatus(const Error& error)
{
    Error bounded = error;
    if (bounded.detail.size() > LongestDetail)
        bounded.detail.resize(LongestDetail);
    const auto code = error.code == code::SubscriberTooSlow ? grpc::StatusCode::RESOURCE_EXHAUSTED
                                                            : grpc::StatusCode::FAILED_PRECONDITION;
    return {code, std::string(codeName(error.code)), serialize(bounded)};
}

Error toError(const grpc::Status& status, const std::string& run)
{
    if (!status.error_details().empty()) {
        if (auto error = parseError(status.error_details()))
            return *std::move(error);
    }
    const Code code = status.error_code() == grpc::StatusCode::DEADLINE_EXCEEDED
                          ? code::AgentNotAnswering
                          : code::AgentConnectionLost;
    return Error{{code, {{"run", run}}, status.error_message()}, {}};
}

} // namespace ringmaster
