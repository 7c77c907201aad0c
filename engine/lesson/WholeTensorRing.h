#pragma once

#include "engine/lesson/CallFacts.h"

#include <optional>
#include <set>
#include <vector>

namespace ringmaster::lesson {

/// Sees that ranks make an all_reduce of their own by passing whole tensors round a ring: rightly,
/// but with more bytes than chunks take; or with the mistake that each passes on its sum instead of
/// what it received. By the values that were sent and received, and only where each rank sent N-1
/// tensors of one size to its neighbour, between other communication. Pure.
class WholeTensorRing
{
public:
    struct Finding
    {
        bool isWrong = false; ///< Inputs count more than once.
        int ranks = 0;
        Place sentAt{};                 ///< Where rank 0 sends.
        std::uint64_t bytes = 0;        ///< That each rank sent.
        std::uint64_t chunkedBytes = 0; ///< That it would send in chunks.
        bool operator==(const Finding&) const = default;
    };

    explicit WholeTensorRing(int ranks = 0) : m_ranks(static_cast<size_t>(ranks)) {}

    void apply(const LessonStep& step, size_t index);
    const std::optional<Finding>& found() const { return m_found; }

private:
    using Numbers = std::vector<double>;
    /// Tensors of one size that a rank sent and received without anything else in between.
    struct Series
    {
        size_t count = 0;
        std::vector<Numbers> sent{};
        std::vector<Numbers> received{};
        std::set<int> peers{};
        std::uint64_t bytes = 0;
        Place sentAt{};
        bool hasSum = false; ///< A variable of the rank has held the sum of what all sent first.
    };
    struct Rank
    {
        std::vector<Series> series{};
        bool isOpen = false;
    };

    Series* seriesOf(Rank& rank, size_t count);
    void close(Rank& rank);
    void lookForSum(int rank, const std::vector<LessonValue>& values);
    std::optional<Numbers> sumOf(size_t series) const;
    void judge(size_t series);

    std::vector<Rank> m_ranks;
    size_t m_judged = 0; ///< Series.
    std::optional<Finding> m_found;
};

} // namespace ringmaster::lesson
