#pragma once

#include "engine/base/SocketQuestion.h"

#include <functional>
#include <optional>
#include <string>

namespace ringmaster {

/// Asks torch's worker server in a rank where its threads stand. One loop's; no answer comes after
/// it is destroyed.
class WorkerServerRequest
{
public:
    /// The answer's text; nothing: there is none.
    using Done = std::function<void(std::optional<std::string>)>;

    WorkerServerRequest(EventLoop& loop, std::chrono::milliseconds patience, Done done);

    /// False where nobody listens at the socket; then nothing comes.
    bool start(const std::string& socket);

private:
    SocketQuestion m_question;
};

} // namespace ringmaster
