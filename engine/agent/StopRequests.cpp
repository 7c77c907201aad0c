#include "engine/agent/StopRequests.h"

#include <chrono>
#include <utility>

namespace ringmaster {

namespace {

// A terminal that closes sends SIGHUP twice, through the kernel and the shell: nobody's second
// request.
constexpr std::chrono::milliseconds SameSignal{100};

} // namespace

StopRequests::Kind StopRequests::signalled(int signal, std::int64_t nowNs)
{
    const bool isSame = std::exchange(m_lastSignal, signal) == signal;
    const std::chrono::nanoseconds sinceLast(nowNs - std::exchange(m_lastSignalNs, nowNs));
    return isSame && sinceLast < SameSignal ? Kind::Echo : asked();
}

} // namespace ringmaster
