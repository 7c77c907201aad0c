#pragma once

#include "engine/event/Command.h"
#include "engine/event/Event.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster::lesson {

class State;

/// A fault that was made on purpose, and what came of it: who noticed, after how long, and whether
/// the run got over it. All of it as recorded.
struct FaultReport
{
    struct Notice
    {
        enum class By {
            Rank,       ///< An exception in `rank`; `text` says which.
            Agent,      ///< It saw a process end; `message` says how.
            Diagnosis,  ///< A verdict; `message` is its statement.
            Comparison, ///< The ranks' calls don't agree about `text`.
        };
        By by = By::Rank;
        int rank = -1;
        size_t step = 0; ///< Steps that had been recorded by then.
        std::int64_t afterNs = 0;
        bool namesRank =
            false; ///< It says which rank it was, and not only that something is wrong.
        std::string text{};
        Message message{};
        bool operator==(const Notice&) const = default;
    };
    enum class End {
        Open,      ///< Not to be seen yet.
        Recovered, ///< The program went on to its end.
        Restarted, ///< The worker group was started anew.
        Failed,    ///< The run failed.
        Stopped,   ///< Whoever looked on ended it.
    };

    InjectFault::Kind kind = InjectFault::Kind::Kill;
    int rank = 0;
    int attempt = 0;
    size_t step = 0; ///< With which it took effect.
    std::int64_t atNs = 0;
    LessonChunk chunk{}; ///< The one that was corrupted, where it was one.
    std::optional<size_t>
        waitStep{};                ///< With which another rank waited for the one that it held up.
    bool isHeldUp = false;         ///< By it: paused, or late for its call.
    std::vector<Notice> notices{}; ///< In the order of their time.
    End end = End::Open;
    size_t endStep = 0;
    std::int64_t endAfterNs = 0;
    bool operator==(const FaultReport&) const = default;
};

/// Gathers the reports of a run's faults from its events.
class FaultWatch
{
public:
    /// `step`: how many steps were recorded before; `state`: after the event.
    void add(const Event& event, size_t step, const State& state);

    const std::vector<FaultReport>& reports() const { return m_reports; }

private:
    void take(const LessonStep& step, size_t index, const State& state);
    void begin(const LessonStep& step, size_t index);
    void lookWhoWaits(const LessonStep& step, size_t index, const State& state);
    void take(const WorkerExited& exit, std::int64_t atNs, size_t step);
    void take(const Verdict& verdict, std::int64_t atNs, size_t step);
    void notice(FaultReport& report, std::int64_t atNs, FaultReport::Notice notice);
    void compare(const LessonStep& step, size_t index, const State& state);
    void end(FaultReport::End end, size_t index, std::int64_t atNs);

    std::vector<FaultReport> m_reports;
    size_t m_disagreements = 0; ///< Seen so far.
};

/// As a LessonStep of the kind Fault has it in its text.
std::string_view nameOf(InjectFault::Kind kind);
std::optional<InjectFault::Kind> faultNamed(std::string_view name);

} // namespace ringmaster::lesson
