#pragma once

#include "engine/base/SocketQuestion.h"
#include "engine/node/WorkerServerTurn.h"

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

    WorkerServerRequest(const WorkerServerRequest&) = delete;
    WorkerServerRequest& operator=(const WorkerServerRequest&) = delete;

    /// False where nobody listens at the socket; then nothing comes. Waits for its turn as long as
    /// for the answer.
    bool start(const std::string& socket);

private:
    void askInTurn();

    EventLoop& m_loop;
    const std::chrono::milliseconds m_patience;
    const Done m_done;
    std::string m_socket;
    FileDescriptor m_connection;
    std::chrono::steady_clock::time_point m_limit;
    std::unique_ptr<WorkerServerTurn> m_turn; ///< Null: it isn't its turn.
    EventLoop::Registration m_again;
    SocketQuestion m_question;
};

} // namespace ringmaster
