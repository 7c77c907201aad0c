#pragma once

#include "engine/base/EventLoop.h"

#include <functional>
#include <memory>
#include <utility>

namespace ringmaster {

/// What comes over one connection, on gRPC's thread, is passed on on the loop; once the connection
/// has ended, it is nobody's. Belongs to the loop's thread; the loop outlives it.
class ConnectionReplies
{
public:
    explicit ConnectionReplies(EventLoop& loop) : m_loop(loop) {}
    ConnectionReplies(const ConnectionReplies&) = delete;
    ConnectionReplies& operator=(const ConnectionReplies&) = delete;

    /// The connection has ended: what is on its way is dropped, as it is with this object.
    void drop() { m_connection = std::make_shared<bool>(); }

    template <class T>
    std::function<void(T)> onLoop(std::function<void(T)> then) const
    {
        return [&loop = m_loop, connection = std::weak_ptr(m_connection),
                then = std::move(then)](T told) {
            loop.post([connection, then, told = std::move(told)]() mutable {
                if (!connection.expired())
                    then(std::move(told));
            });
        };
    }

private:
    EventLoop& m_loop;
    std::shared_ptr<bool> m_connection = std::make_shared<bool>();
};

} // namespace ringmaster
