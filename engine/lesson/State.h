#pragma once

#include "engine/event/Event.h"
#include "engine/lesson/Calls.h"
#include "engine/lesson/WholeTensorRing.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster::lesson {

/// A variable as it was seen last.
struct Cell
{
    LessonValue value{};
    size_t changedAt = 0; ///< Step.
    bool operator==(const Cell&) const = default;
};

/// One function of the program that a rank is in.
struct Frame
{
    std::string function{};
    std::vector<Cell> cells{}; ///< In the order in which they came.
    bool operator==(const Frame&) const = default;
};

struct RankState
{
    enum class Phase {
        NotStarted, ///< It hasn't reached the program's first line.
        AtLine,     ///< Before `line`; or it runs it, until its next step.
        InCall,     ///< In a call of torch.distributed: `call`.
        Failed,     ///< Left the program with an exception: `error`.
        Finished,   ///< Did the program's last line.
        Exited,     ///< The process is gone without any of this: killed, for one.
    };
    Phase phase = Phase::NotStarted;
    int pid = 0;
    std::string file{};
    int line = 0;
    std::vector<Frame> frames{}; ///< Outermost first; never empty once it has started.
    LessonCall call{};           ///< InCall only.
    std::string error{};
    std::uint64_t lines = 0;     ///< That it has reached.
    bool isPaused = false;       ///< Stopped by a fault, and not let go on since.
    bool isEndedByAgent = false; ///< The process is gone; `phase` says where it was.

    /// The innermost variable of that name.
    const Cell* find(const std::string& name) const;
    bool operator==(const RankState&) const = default;
};

/// A buffer that was touched while torch still worked on it.
struct Hazard
{
    int rank = -1;
    std::string tensor{};
    bool isWrite = false;
    LessonCall call{}; ///< isend, irecv …
    Place startedAt{}; ///< Where the call was.
    Place touchedAt{};
    bool operator==(const Hazard&) const = default;
};

/// What the ring backend told of one of its operations.
struct RingOperation
{
    struct Arrival
    {
        LessonChunk chunk{};
        size_t step = 0;
        bool isTainted = false; ///< What was corrupted on the way is in it.
    };
    std::string group{};
    std::uint64_t sequence = 0; ///< In its group.
    std::string operation{};
    std::string algorithm{};
    std::vector<Arrival> arrivals{}; ///< In the list's order: nothing before what it is made of.
    std::optional<LessonChunk> corrupted{}; ///< By a fault, on the way to its `to`.

    bool isOf(const LessonChunk& chunk) const;
    /// Whom what was corrupted has come to.
    void followCorruption();
};

/// Members of a group that the program made.
struct Group
{
    std::string name{};     ///< torch's own.
    std::string variable{}; ///< The first one of the program's that held it; empty: none has yet.
    std::vector<int> members{};
    Place madeAt{};
    bool operator==(const Group&) const = default;
};

/// A wait that ended with an error: whoever it was for will never come.
struct BrokenWait
{
    Wait wait{};
    std::vector<int> gone{}; ///< Of those: who had ended, or left its process group.
    std::string error{};
    bool operator==(const BrokenWait&) const = default;
};

/// All ranks after some step of a recording. Made by applying its events in order; pure.
class State
{
public:
    /// `collectivesBefore`: of each group, how many there were before the first one that is told
    /// of.
    explicit State(std::map<std::string, std::uint64_t> collectivesBefore = {})
        : m_collectivesBefore(std::move(collectivesBefore))
    {
    }

    void apply(const Event& event, size_t index);

    int rankCount() const { return static_cast<int>(m_ranks.size()); }
    int attempt() const { return m_attempt; }
    const RankState& rank(int rank) const { return m_ranks.at(static_cast<size_t>(rank)); }
    const Calls& calls() const { return m_calls; }
    const std::vector<Hazard>& hazards() const { return m_hazards; }
    const std::vector<RingOperation>& ringOperations() const { return m_ring; }
    /// Groups that the program has made, in their order; not the default one.
    const std::vector<Group>& groups() const { return m_groups; }
    /// Of a group by torch's name: how many, and whether this rank is one.
    int sizeOf(const std::string& group) const;
    bool isIn(const std::string& group, int rank) const;
    const std::vector<BrokenWait>& brokenWaits() const { return m_brokenWaits; }
    /// An all_reduce that the program makes of whole tensors.
    const std::optional<WholeTensorRing::Finding>& wholeTensorRing() const
    {
        return m_wholeTensorRing.found();
    }
    /// Stays until one of its ranks comes back from its call, whoever ends its processes.
    const std::optional<Deadlock>& deadlock() const { return m_deadlock; }

private:
    void start(const AttemptStarted& attempt);
    void apply(const LessonStep& step, size_t index);
    void takeValues(RankState& rank, const LessonStep& step, size_t index);
    void takeHazard(const LessonStep& step, size_t index);
    void takeChunk(const LessonStep& step, size_t index);
    void takeFault(const LessonStep& step);
    void takeGroup(const LessonStep& step, size_t index);
    void nameGroup(const LessonValue& value);
    void takeBrokenWait(const LessonStep& step);
    bool isGone(int rank) const;
    void exited(const WorkerExited& exit);
    void lookForDeadlock(const LessonStep& step);
    RingOperation& ringOperation(const LessonChunk& chunk);

    std::map<std::string, std::uint64_t> m_collectivesBefore;
    int m_attempt = -1;
    std::vector<RankState> m_ranks;
    Calls m_calls;
    std::vector<Hazard> m_hazards;
    std::vector<RingOperation> m_ring;
    std::vector<Group> m_groups;
    std::vector<BrokenWait> m_brokenWaits;
    std::optional<Deadlock> m_deadlock;
    WholeTensorRing m_wholeTensorRing;
    std::map<std::pair<int, std::uint64_t>, std::pair<LessonCall, Place>> m_requests;
};

} // namespace ringmaster::lesson
