#include "engine/control/PortForwards.h"

#include "engine/control/Codes.h"
#include "engine/control/PortForward.h"
#include "engine/hosts/HostBook.h"

#include <algorithm>
#include <mutex>

namespace ringmaster {

/// One of them, which can be told from another thread that nobody listens any more.
class PortForwards::Forward : private PortForward::Listener
{
public:
    explicit Forward(Told told) : m_told(std::move(told)) {}

    void open(EventLoop& loop, const std::string& host, int port)
    {
        auto opened = forward(loop, host, port);
        const std::lock_guard lock(m_mutex);
        if (m_isDropped)
            return;
        if (opened)
            m_forward = *std::move(opened);
        m_told.opened(m_forward ? Result<int>(m_forward->localPort())
                                : tl::unexpected(std::move(opened).error()));
    }

    /// No callback runs when it returns.
    void drop()
    {
        const std::lock_guard lock(m_mutex);
        m_isDropped = true;
    }

private:
    Result<std::unique_ptr<PortForward>> forward(EventLoop& loop, const std::string& name, int port)
    {
        const HostBook book = RM_TRY(HostBook::load());
        const Host* known = book.find(name);
        PortForward::Options options{.host = known != nullptr ? *known : Host{.name = name},
                                     .port = port,
                                     .localPort = port};
        options.ssh = RM_TRY(usualSshSettings(book.sshConfig()));
        auto same = PortForward::open(loop, *this, options);
        const bool isTaken = !same && (same.error().code == code::ForwardPortTaken ||
                                       same.error().code == code::ForwardPortRefused);
        if (!isTaken)
            return same;
        options.localPort = 0;
        return PortForward::open(loop, *this, options);
    }

    void connectionFailed(const Error& why) override
    {
        const std::lock_guard lock(m_mutex);
        if (!m_isDropped)
            m_told.failed(why);
    }

    const Told m_told;
    std::mutex m_mutex;
    bool m_isDropped = false;
    std::unique_ptr<PortForward> m_forward;
};

PortForwards::~PortForwards()
{
    m_thread.stop();
}

Subscription PortForwards::open(const std::string& host, int port, Told told)
{
    const int id = ++m_last;
    auto forward = std::make_shared<Forward>(std::move(told));
    const std::weak_ptr<Forward> known = forward;
    m_thread.post([this, id, forward = std::move(forward), host, port] {
        m_forwards[id] = forward;
        forward->open(m_thread.loop(), host, port);
    });
    // Only its own thread may be the last to let it go.
    return Subscription([this, id, known] {
        if (const auto still = known.lock())
            still->drop();
        m_thread.post([this, id] { m_forwards.erase(id); });
    });
}

std::optional<std::string> hostOfRank(const RunSnapshot& run, int globalRank)
{
    const auto worker = std::ranges::find_if(run.workers, [&](const WorkerSnapshot& each) {
        return each.assignment.globalRank == globalRank;
    });
    if (worker == run.workers.end())
        return std::nullopt;
    const auto host = std::ranges::find(run.hosts, worker->agent, &HostSnapshot::agent);
    return host != run.hosts.end() ? std::optional(host->host) : std::nullopt;
}

} // namespace ringmaster
