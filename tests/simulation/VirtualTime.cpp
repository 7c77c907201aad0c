#include "tests/simulation/VirtualTime.h"

#include <algorithm>
#include <utility>

namespace ringmaster::simulation {

bool VirtualTime::isLater(const Entry& one, const Entry& other)
{
    return one.when != other.when ? one.when > other.when : one.number > other.number;
}

void VirtualTime::at(std::int64_t when, Task task)
{
    m_queue.push_back({std::max(when, m_now), m_number++, std::move(task)});
    std::push_heap(m_queue.begin(), m_queue.end(), isLater);
}

bool VirtualTime::step()
{
    if (m_queue.empty())
        return false;
    std::pop_heap(m_queue.begin(), m_queue.end(), isLater);
    const Entry entry = std::move(m_queue.back());
    m_queue.pop_back();
    m_now = entry.when;
    entry.task();
    return true;
}

struct Process::Timer : EventLoop::Registration::Impl
{
    void cancel() override { task = nullptr; }

    EventLoop::Task task;
};

void Process::run(VirtualTime& time, const std::shared_ptr<State>& state, EventLoop::Task task)
{
    if (!state->isAlive)
        return;
    if (time.now() >= state->stoppedUntil && state->waiting.empty())
        return task();
    state->waiting.push_back(std::move(task));
    if (state->waiting.size() == 1)
        time.at(state->stoppedUntil, [&time, state] { wake(time, state); });
}

void Process::wake(VirtualTime& time, const std::shared_ptr<State>& state)
{
    if (time.now() < state->stoppedUntil)
        return time.at(state->stoppedUntil, [&time, state] { wake(time, state); });
    while (state->isAlive && !state->waiting.empty()) {
        const EventLoop::Task task = std::move(state->waiting.front());
        task();
        if (!state->waiting.empty())
            state->waiting.pop_front();
    }
}

void Process::post(EventLoop::Task task)
{
    m_time.after(0, [&time = m_time, state = m_state, task = std::move(task)]() mutable {
        run(time, state, std::move(task));
    });
}

EventLoop::Registration Process::callAfter(std::chrono::nanoseconds delay, EventLoop::Task task)
{
    auto timer = std::make_shared<Timer>();
    timer->task = std::move(task);
    m_time.after(delay.count(), [&time = m_time, state = m_state, timer]() {
        if (!timer->active)
            return;
        run(time, state, [timer] {
            if (std::exchange(timer->active, false))
                std::exchange(timer->task, nullptr)();
        });
    });
    return EventLoop::Registration(timer);
}

} // namespace ringmaster::simulation
