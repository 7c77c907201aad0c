#include "engine/agent/StopRequests.h"

#include <chrono>
#include <csignal>
#include <utility>

namespace ringmaster {

namespace {

// A process and its group are told together.
constexpr std::chrono::milliseconds SameSignal{100};

} // namespace

StopRequests::Kind StopRequests::signalled(int signal, std::int64_t nowNs)
{
    const bool isSame = std::exchange(m_lastSignal, signal) == signal;
    const std::chrono::nanoseconds sinceLast(nowNs - std::exchange(m_lastSignalNs, nowNs));
    // A terminal closes once, and sends SIGHUP twice, through the kernel and the shell. On a busy
    // machine they come whenever they come.
    const bool isEcho = isSame && (signal == SIGHUP || sinceLast < SameSignal);
    return isEcho ? Kind::Echo : asked();
}

} // namespace ringmaster
