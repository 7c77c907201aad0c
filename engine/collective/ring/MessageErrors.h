#pragma once

#include "engine/collective/ring/PeerMessages.h"

namespace ringmaster::ring {

/// Why a message to or from a rank that has ended can't be.
Error endedError(Ending ending, int rank, const Post& post);

void failPost(Post& post, Error error);

/// What a receive was given it keeps, even if its sender can't be told any more.
void dropControls(Conversation& conversation);

} // namespace ringmaster::ring
