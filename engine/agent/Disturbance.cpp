#include "engine/agent/Disturbance.h"

#include <csignal>
#include <utility>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

// A quarter of the time, in pieces too short to be seen as pauses.
constexpr auto Held = 150ms;
constexpr auto Free = 50ms;

} // namespace

void Disturbance::begin(const BeginDrill& drill, Signal signal)
{
    end();
    if (drill.kind == BeginDrill::Kind::Kill)
        return;
    m_signal = std::move(signal);
    m_over = m_loop.callAfter(drill.duration, [this] { end(); });
    if (drill.kind == BeginDrill::Kind::Slow)
        return hold(Held);
    m_signal(SIGSTOP);
}

void Disturbance::end()
{
    m_over.cancel();
    m_next.cancel();
    if (const Signal signal = std::exchange(m_signal, nullptr))
        signal(SIGCONT);
}

void Disturbance::hold(std::chrono::nanoseconds time)
{
    m_signal(SIGSTOP);
    m_next = m_loop.callAfter(time, [this] { letRun(); });
}

void Disturbance::letRun()
{
    m_signal(SIGCONT);
    m_next = m_loop.callAfter(Free, [this] { hold(Held); });
}

} // namespace ringmaster
