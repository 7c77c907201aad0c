#pragma once

#include "engine/base/EventLoop.h"
#include "engine/event/Command.h"
#include "engine/lesson/Calls.h"

#include <chrono>
#include <deque>
#include <functional>
#include <map>
#include <set>

namespace ringmaster::lesson {

/// Decides which rank of a lesson may run its next line. Knows no sockets; lives on the loop of its
/// Host. A rank is settled when it is held again, at its end, or in a call that can't go on before
/// others have come; the next ones are let go when those before have settled, so that the same
/// order of ranks gives the same run.
class StepGate
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        /// The rank may run one line more.
        virtual void go(int rank) = 0;
        /// The rank needn't wait at the gate, or has to again.
        virtual void setFree(int rank, bool isFree) = 0;
        [[nodiscard]] virtual EventLoop::Registration callAfter(std::chrono::nanoseconds delay,
                                                                EventLoop::Task task) = 0;
    };

    explicit StepGate(Host& host) : m_host(host) {}

    void attemptStarted(int ranks);
    void came(int rank); ///< Its tracer is there.
    void held(int rank); ///< It waits before a line.
    void took(const LessonStep& step, size_t index);
    void gone(int rank); ///< Its tracer, or its process.

    void move(const MoveLesson& move);
    bool isFree() const { return m_move.move == MoveLesson::Move::ToEnd; }
    bool isMoving() const { return m_isMoving; }

private:
    /// Arriving has told the line that it will be held before.
    enum class Standing { Absent, Arriving, Held, Running, Gone };

    /// How long a call that others must complete is given to come back all the same: a backend may
    /// take a message before anybody receives it.
    static constexpr auto Patience = std::chrono::milliseconds(50);

    void next();
    void nextOfOrder();
    void nextRound();
    void release(int rank);
    void stop();
    bool isOneStep() const;
    bool allCame() const;
    bool allSettled();
    bool isSettled(int rank);
    bool mayGo(int rank) const;
    std::set<int> blocked() const;
    void wakeAfter(std::chrono::nanoseconds delay);

    Host& m_host;
    Calls m_calls;
    std::map<int, Standing> m_ranks;
    std::map<int, int> m_lines; ///< That each is at.
    std::map<int, std::chrono::steady_clock::time_point> m_blockedSince;
    MoveLesson m_move{.move = MoveLesson::Move::Hold};
    std::deque<int> m_order;
    bool m_isOneRank = false;
    std::set<int> m_blockedBefore; ///< ToBlocked: who was when it began.
    std::chrono::steady_clock::time_point m_roundAt{};
    bool m_isMoving = false;
    EventLoop::Registration m_timer;
};

} // namespace ringmaster::lesson
