#pragma once

#include "engine/base/EventLoop.h"
#include "engine/store/SocketAddress.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace ringmaster {

/// The addresses of a host, asked for without holding up the loop: a resolver can take ten seconds.
/// IP addresses and "localhost" need no resolver. Destroying it drops the callback.
class HostLookup
{
public:
    using Done = std::function<void(Result<std::vector<SocketAddress>>)>;

    /// `done` runs on `loop`, never before this returns.
    HostLookup(EventLoop& loop, std::string host, std::uint16_t port, Done done);

private:
    struct Answer;

    std::shared_ptr<Answer> m_answer;
    EventLoop::Registration m_ready;
};

} // namespace ringmaster
