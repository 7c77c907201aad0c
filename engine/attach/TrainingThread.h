#pragma once

#include "engine/event/Evidence.h"

#include <string>
#include <vector>

namespace ringmaster {

/// The name of the thread in which the ranks of a job train, the same in all of them, where that
/// isn't the main one, as Ray Train does it: some stand in a call of torch.distributed there, and
/// no main thread does. Empty: the main one. `ranks`: the threads of each. Pure.
std::string trainingThreadOf(const std::vector<std::vector<ThreadStack>>& ranks);

} // namespace ringmaster
