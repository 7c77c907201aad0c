#include "engine/node/WorkerServerTurn.h"

#include <mutex>
#include <set>

namespace ringmaster {

namespace {

struct Questions
{
    std::mutex mutex{};
    std::set<std::string> sockets{}; ///< Of those that are under way.
};

Questions& questions()
{
    static Questions ours;
    return ours;
}

} // namespace

std::unique_ptr<WorkerServerTurn> WorkerServerTurn::take(const std::string& socket)
{
    const std::lock_guard lock(questions().mutex);
    if (!questions().sockets.insert(socket).second)
        return nullptr;
    return std::unique_ptr<WorkerServerTurn>(new WorkerServerTurn(socket));
}

WorkerServerTurn::~WorkerServerTurn()
{
    const std::lock_guard lock(questions().mutex);
    questions().sockets.erase(m_socket);
}

} // namespace ringmaster
