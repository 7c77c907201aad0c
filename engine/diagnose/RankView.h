#pragma once

#include "engine/diagnose/NcclRas.h"
#include "engine/diagnose/RankTrack.h"
#include "engine/diagnose/Stack.h"
#include "engine/machine/ProcessWait.h"

namespace ringmaster::diagnose {

/// What the system says of a rank's process.
struct ProcessView
{
    enum class State { Unknown, Alive, Stopped, Dead };
    State state = State::Unknown;
    int pid = 0;
    /// For how long it has been seen dead; nothing: nobody has looked for so long.
    std::optional<std::int64_t> deadNs{};
    bool hasSucceeded = false; ///< It has ended, with exit code 0, as far as that is known.
    bool isEndUnknown = false; ///< It is gone, and nobody has told yet how it ended.
    bool hasLostPeer = false;  ///< It has ended with an error that speaks of another rank.
    std::int64_t idleNs = 0;   ///< For how long it and its children have done next to nothing.
    /// For how long its main thread hasn't run at all: it stands where it stood.
    std::int64_t frozenNs = 0;
    /// How long ago it was last seen quiet, but at work (see isQuiet); -1: never.
    std::int64_t quietAgoNs = -1;
    double cpuShare = 0; ///< Of one core, lately.
    /// Of the last seconds: how long its main thread could have run and had no processor.
    double processorWait = 0;
    std::optional<Stack> stack{};
    std::optional<ProcessWait> wait{}; ///< Nothing: nobody has looked.
    /// What keeps it after its main program's end: threads that aren't daemons, by name and place.
    std::vector<Message> threadsLeft{};
    std::vector<Message> threadsFailed{}; ///< Its threads that ended with an exception.
    std::optional<Stack> childStack{};    ///< Of the first copy that it waits for.
    std::vector<NcclMember> nccl{};       ///< What NCCL's RAS says of it; empty: nothing.
    Message noStack{};                    ///< Why there is none; code::None: nobody has asked.
};

/// How a rank's clock compares with the reader's.
struct RankClock
{
    std::int64_t offsetNs = 0; ///< To be added to its times.
    std::int64_t errorNs = 0;  ///< At most; 0 on the same machine.
    std::string host{};        ///< Whose clock it is; empty: the reader's own.
};

/// One rank at one moment.
struct RankView
{
    int rank = 0;
    bool isRecorded = false; ///< Its operations are known.
    const RankTrack* track = nullptr;
    ProcessView process{};
    RankClock clock{};
    std::string machine{}; ///< The name of its host; empty, "localhost": this machine.

    /// One of its times, by the reader's clock.
    std::int64_t here(std::int64_t ns) const { return ns + clock.offsetNs; }
};

/// Its stack, unless it has called something since that was taken, or something was over; null:
/// there is none.
const Stack* freshStackOf(const RankView& view);

/// By how much what lies between two of their times may be wrong; 0: they have the same clock.
std::int64_t clockErrorNs(const RankView& one, const RankView& other);

/// nullptr: no such rank.
const RankView* viewOf(const std::vector<RankView>& ranks, int rank);

/// The groups of several ranks all of whose members are known here.
std::map<GroupKey, std::vector<const RankView*>> wholeGroups(const std::vector<RankView>& ranks);

} // namespace ringmaster::diagnose
