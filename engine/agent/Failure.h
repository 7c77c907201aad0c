#pragma once

#include "engine/base/Clock.h"
#include "engine/event/Event.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// One worker's end, with what is known about it.
struct Failure
{
    WorkerExited exit{};
    Moment at{};                            ///< When the keeper saw the exit.
    std::string node{};                     ///< Where; empty: on this machine.
    std::optional<std::int64_t> raisedAt{}; ///< Epoch seconds, as the worker's error.json says.
    std::string file{};                     ///< Where it was raised, if that is known …
    int line = 0;                           ///< … and its line.
    int userSignal = 0;                     ///< The user had sent it to this worker.
    std::string stderrTail{};
    std::string logFolder{}; ///< Empty: no log was kept.
};

/// What a worker's end says about who is guilty.
enum class FailureKind {
    None,        ///< It succeeded, or the agent ended it and it had nothing to say.
    Independent, ///< Its own doing: an exception, a crash, memory …
    Interrupted, ///< The agent ended it, but it had failed by itself before (a slow teardown).
    PeerLost,    ///< It complains about another worker that has gone.
    TimedOut,    ///< It waited for another worker in vain.
    UserEnded,   ///< The user's own signal.
};

/// So close that one may be why the other came, whichever was seen first; by one clock.
bool areNear(const Moment& one, const Moment& other);

/// The driver clears up what an error before it has ended (Xid 43, 45).
bool isOfCleanUp(const Message& deviceFault);

/// Whether an error that a GPU reported, told at `toldAt`, is what this worker has ended of, which
/// computed there: it isn't always the end of who does.
bool hasEndedOf(const Message& deviceFault, const Moment& toldAt, const Failure& failure);

FailureKind kindOf(const Failure& failure);
/// Its error speaks of another worker, that has gone or hasn't come.
bool isOfAnother(FailureKind kind);

/// "ValueError: boom", or the last line that says something; empty if nothing does.
std::string errorLine(const Failure& failure);

/// What can be done, as far as the end of this worker shows it; nothing after the user's own
/// signal.
Message remedyFor(const Failure& failure);

} // namespace ringmaster
