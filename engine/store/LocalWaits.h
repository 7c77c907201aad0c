#pragma once

#include "engine/base/EventLoop.h"
#include "engine/store/Codes.h"
#include "engine/store/KeySpace.h"

#include <chrono>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace ringmaster {

/// Who waits for keys of a store inside the store's own process. Lives on the store's thread.
class LocalWaits
{
public:
    using Then = std::function<void(Result<void>)>;

    LocalWaits(KeySpace& keys, EventLoop& loop);
    ~LocalWaits();

    /// Calls `then` once: at once, when the last key comes, or with code::StoreKeyMissing. Keys are
    /// as on the wire.
    void wait(std::vector<std::string> keys, std::chrono::milliseconds timeout, Then then);

    /// Frees what is over; not inside a `then`.
    void sweep();

private:
    class Wait;
    using List = std::list<std::unique_ptr<Wait>>;

    void finish(List::iterator wait, Result<void> result);

    KeySpace& m_keys;
    EventLoop& m_loop;
    List m_pending;
    List m_over;
};

} // namespace ringmaster
