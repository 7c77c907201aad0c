#pragma once

#include <memory>
#include <string>
#include <utility>

namespace ringmaster {

/// One question at a time to a rank's worker server, of all threads of this process. Each question
/// makes a Python thread state, and up to 3.11 Python lists that before it is whole: who writes the
/// stacks of all threads at that moment crashes the rank. Any thread.
class WorkerServerTurn
{
public:
    /// Null: somebody else's question is under way.
    static std::unique_ptr<WorkerServerTurn> take(const std::string& socket);

    ~WorkerServerTurn();
    WorkerServerTurn(const WorkerServerTurn&) = delete;
    WorkerServerTurn& operator=(const WorkerServerTurn&) = delete;

private:
    explicit WorkerServerTurn(std::string socket) : m_socket(std::move(socket)) {}

    const std::string m_socket;
};

} // namespace ringmaster
