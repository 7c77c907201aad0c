#pragma once

#include "engine/attach/JobLook.h"

#include <string>
#include <vector>

namespace ringmaster {

/// Who differs, by stacks and CPU time alone. Without a recording it is known only where each rank
/// stands: that some are in a collective and others aren't, not which call of it.
struct StackComparison
{
    std::vector<int> odd{};    ///< For whom the others wait, it seems; empty: nobody stands out.
    std::vector<int> others{}; ///< Those that stand together.
    std::string operation{};   ///< That the others are in; empty: in none.
    Message statement{};
    std::vector<Message> evidence{};
};

/// The rule: ranks that stand in torch.distributed wait for those that don't; else the majority
/// waits for who is in another operation, or in another place. Nothing is said of ranks that
/// move, and nothing where no place has more than half of them. Pure.
StackComparison compareStacks(const SeenJob& seen);

} // namespace ringmaster
