#pragma once

#include <functional>
#include <thread>

namespace ringmaster::ring {

/// A thread with a name that takes no signals: those are for the program that we are loaded into.
std::jthread startServiceThread(const char* name, std::function<void()> work);

} // namespace ringmaster::ring
