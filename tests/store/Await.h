#pragma once

#include "engine/base/Codes.h"
#include "engine/base/EventLoop.h"
#include "engine/base/Result.h"

#include <chrono>
#include <functional>
#include <optional>

namespace ringmaster::test {

/// Runs `loop` until `isDone`, at most twenty seconds.
inline bool runUntil(EventLoop& loop, const std::function<bool()>& isDone)
{
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (!isDone() && std::chrono::steady_clock::now() < end) {
        const auto turn = loop.callAfter(std::chrono::milliseconds(1), [&loop] { loop.stop(); });
        loop.run();
    }
    return isDone();
}

/// What an asynchronous call comes to: await<T>(loop, [&](auto done) { store.get("k", 1s, done); })
template <class T, class Start>
Result<T> await(EventLoop& loop, Start start)
{
    std::optional<Result<T>> result;
    start(std::function<void(Result<T>)>([&result](Result<T> got) { result = std::move(got); }));
    if (!runUntil(loop, [&result] { return result.has_value(); }))
        return fail(code::TimedOut, {{"what", "The callback"}, {"seconds", "20"}});
    return *std::move(result);
}

} // namespace ringmaster::test
