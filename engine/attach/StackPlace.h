#pragma once

#include "engine/diagnose/Stack.h"

#include <compare>
#include <string>
#include <vector>

namespace ringmaster {

/// Where a rank stands, by its Python stack: the call of torch.distributed that it is in, and the
/// calls that led there.
struct StackPlace
{
    std::string operation{}; ///< As operationIn() has it.
    std::vector<diagnose::Stack::Frame> frames{};

    /// With the calls down to the program's own innermost one, or with all.
    static StackPlace of(const diagnose::Stack& stack, bool isWhole);

    std::strong_ordering operator<=>(const StackPlace& other) const;
    bool operator==(const StackPlace&) const = default;
};

/// The call of torch.distributed that a stack is in: "all_reduce"; "backward" where autograd waits
/// for its threads; empty: none.
std::string operationIn(const diagnose::Stack& stack);

/// That, and the program's own line: "all_reduce, train.py:88".
std::string placeIn(const diagnose::Stack& stack);

} // namespace ringmaster
