#pragma once

#include "engine/base/Result.h"

#include <functional>
#include <thread>

namespace ringmaster {

/// Starts a thread with a name of at most 15 letters. It takes no signal: they belong to the thread
/// that starts it. An error where the system gives no more threads.
Result<std::thread> startThread(const char* name, std::function<void()> body);

/// The same, throwing std::system_error: for constructors, below a guardThreads().
std::thread startThreadOrThrow(const char* name, std::function<void()> body);

/// Starts one that does nothing, and waits for it: gRPC and Qt wait for ever for one of their own
/// that can't be started, so they aren't begun then. Throws as startThreadOrThrow().
void tryThreadOrThrow();

/// What `work` returns, or the error of a thread or a loop in it that could not be made.
Result<void> guardThreads(const std::function<Result<void>()>& work);

} // namespace ringmaster
