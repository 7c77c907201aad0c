#pragma once

#include "engine/base/EventLoop.h"

#include <functional>
#include <future>

namespace ringmaster {

/// Has `work` done by a loop that another thread runs, and returns when it is done.
inline void callOnLoop(EventLoop& loop, const std::function<void()>& work)
{
    std::promise<void> done;
    loop.post([&work, &done] {
        work();
        done.set_value();
    });
    done.get_future().get();
}

} // namespace ringmaster
