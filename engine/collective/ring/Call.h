#pragma once

#include "engine/collective/ring/Types.h"

#include <array>
#include <string>

namespace ringmaster::ring {

/// What all ranks must agree about in one collective: compared before data is believed.
struct Signature
{
    std::uint64_t sequence = 0; ///< Counts a group's collectives, from 1.
    std::uint64_t bytes = 0;    ///< Of the whole; 0 where ranks may differ (all_to_all).
    Operation operation = Operation::None;
    DataType type = DataType::Bytes;
    Reduction reduction = Reduction::Sum;
    Algorithm algorithm = Algorithm::Auto; ///< As asked for.
    std::int32_t root = -1;

    bool operator==(const Signature&) const = default;
};
static_assert(sizeof(Signature) == 24);

/// "all_reduce #12 (sum, float32, 4000 bytes)"
std::string describe(const Signature& signature);

/// "all_reduce #12"
std::string shortName(const Signature& signature);

/// One collective on this rank.
struct Call
{
    Signature signature{};
    Algorithm algorithm = Algorithm::Direct; ///< As taken.
    Deadline deadline{};
    Deadline begun{};
};

} // namespace ringmaster::ring
