#pragma once

#include "engine/base/Clock.h"
#include "engine/base/EventLoop.h"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <vector>

namespace ringmaster::simulation {

constexpr std::int64_t Millisecond = 1'000'000;
constexpr std::int64_t Second = 1'000'000'000;

/// What happens, in the order of its time; what is due at the same time, in the order in which it
/// was asked for. Nothing else moves the time.
class VirtualTime
{
public:
    using Task = std::function<void()>;

    std::int64_t now() const { return m_now; }
    void at(std::int64_t when, Task task);
    void after(std::int64_t delay, Task task) { at(m_now + delay, std::move(task)); }

    /// False: nothing is left.
    bool step();
    /// Nothing of what was to happen will.
    void clear() { m_queue.clear(); }

private:
    struct Entry
    {
        std::int64_t when = 0;
        std::uint64_t number = 0;
        Task task{};
    };
    static bool isLater(const Entry& one, const Entry& other);

    std::int64_t m_now = Second;
    std::uint64_t m_number = 0;
    std::vector<Entry> m_queue; ///< A heap.
};

/// A process: its loop runs until it is killed, and stands still while it is stopped.
class Process final : public EventLoop::Scheduler, public Clock
{
public:
    explicit Process(VirtualTime& time) : m_time(time), m_state(std::make_shared<State>()) {}
    ~Process() override { m_state->isAlive = false; }

    void post(EventLoop::Task task) override;
    EventLoop::Registration callAfter(std::chrono::nanoseconds delay,
                                      EventLoop::Task task) override;
    Moment now() const override { return {m_time.now(), m_time.now()}; }

    void kill()
    {
        m_state->isAlive = false;
        // A task may hold what holds this; the one that runs now ends later.
        m_state->waiting.clear();
    }
    bool isAlive() const { return m_state->isAlive; }
    void stopUntil(std::int64_t when)
    {
        m_state->stoppedUntil = std::max(m_state->stoppedUntil, when);
    }

private:
    struct State
    {
        bool isAlive = true;
        std::int64_t stoppedUntil = 0;
        std::deque<EventLoop::Task> waiting{}; ///< Of a process that is stopped.
    };
    struct Timer;

    static void wake(VirtualTime& time, const std::shared_ptr<State>& state);
    static void run(VirtualTime& time, const std::shared_ptr<State>& state, EventLoop::Task task);

    VirtualTime& m_time;
    std::shared_ptr<State> m_state;
};

} // namespace ringmaster::simulation
