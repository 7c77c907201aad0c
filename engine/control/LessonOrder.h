#pragma once

#include "engine/control/LessonOperations.h"

#include <map>
#include <vector>

namespace ringmaster {

/// Puts what ranks did into one order in which nothing comes before what it depends on: what the
/// rank did before, the other members of a collective, the sender of a message. Times decide only
/// between what doesn't depend on each other. Pure.
class LessonOrder
{
public:
    using Happening = lesson::RecordedJob::Happening;

    explicit LessonOrder(std::int64_t untilNs) : m_untilNs(untilNs) {}

    void add(int rank, const LessonOperation& one);
    void add(int rank, ExitStatus exit, std::int64_t atNs);

    std::vector<Happening> take();

private:
    struct Node
    {
        Happening happening{};
        std::int64_t atNs = 0;
        std::vector<size_t> then{}; ///< What comes after it.
        size_t waitsFor = 0;        ///< So many come before it.
    };
    /// One operation of one rank.
    struct Part
    {
        int rank = 0;
        LessonOperation one{};
        size_t enter = 0;
        std::optional<size_t> leave{};
    };

    void before(size_t one, size_t other);
    void linkRanks();
    void linkParts();
    void linkCollective(const std::vector<const Part*>& parts);

    std::int64_t m_untilNs;
    std::vector<Node> m_nodes;
    std::vector<Part> m_parts;
    std::map<int, std::uint64_t> m_calls; ///< Of each rank.
};

} // namespace ringmaster
