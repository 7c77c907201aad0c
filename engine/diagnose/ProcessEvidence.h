#pragma once

#include "engine/diagnose/RankView.h"

namespace ringmaster::diagnose {

/// It uses no CPU time, but goes on as far as can be seen: another program works for it, a disk or
/// a connection is in use, a pause ends soon. No proof of a hang.
bool isQuiet(const ProcessView& process);

/// isQuiet because of what others do for it: not of a sleep of its own.
bool isWorkedFor(const ProcessView& process);

/// isQuiet, or was so a moment ago: whoever wakes up on a busy machine has no CPU time yet.
bool isQuietOrWakesUp(const ProcessView& process);

/// That it does nothing proves no hang: isQuietOrWakesUp, or nobody has read its stack yet and it
/// has a child of another program, which it may wait for.
bool mayGoOn(const ProcessView& process);

/// What it waits for by the system, with its children: in the order in which it is told.
std::vector<Message> waitEvidence(const RankView& view);

/// What there is beside its stack, or in its place: the lock that C code holds, the stack of the
/// process that it waits for, what the system says where no stack can be read.
std::vector<Message> stackEvidence(const RankView& view);

/// What to do of a rank that does nothing: where to look.
Message stuckRemedy(const RankView& view);

/// "12 kB"
std::string bytesText(std::int64_t bytes);

} // namespace ringmaster::diagnose
