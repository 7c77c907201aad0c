#pragma once

#include "engine/lesson/Recording.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace ringmaster::test {

/// Walks a recording's list and notes every step that stands before one that it needs: of its own
/// rank, of the message that it received, of the collective that it left, of the chunk that its
/// chunk was made of. Knows nothing of times, nor of what the engine concludes from the list.
class HappenedBefore
{
public:
    explicit HappenedBefore(const lesson::Recording& recording);

    /// A line each; empty: everything stands in its order.
    const std::string& violations() const { return m_violations; }
    size_t chunks() const { return m_chunks; }
    size_t messages() const { return m_received; }
    size_t collectives() const { return m_collectivesLeft; }

private:
    using Channel = std::tuple<std::string, int, int, int>; ///< Group, from, to, tag.
    using Operation = std::tuple<std::string, std::string, std::uint64_t>;
    /// An arrival of an operation: at whom, in which step, which chunk, from whom.
    using Arrival = std::tuple<int, int, std::uint64_t, int>;

    struct Rank
    {
        std::map<std::uint64_t, LessonCall> entered{};
        std::set<std::uint64_t> open{};                     ///< Entered or asked for, and not over.
        std::map<std::string, std::uint64_t> collectives{}; ///< Entered, by group.
        std::map<std::uint64_t, std::uint64_t> numbers{};   ///< Of its collectives, by call.
        std::uint64_t lastCall = 0;
        bool isOver = false;
    };

    void learnMembers();
    void check(const LessonStep& step);
    void called(const LessonStep& step);
    void returned(const LessonStep& step);
    void received(int rank, const LessonCall& asked, int from);
    void left(int rank, const LessonCall& asked, std::uint64_t number);
    void arrived(const LessonStep& step);
    std::vector<Arrival> causesOf(const LessonChunk& chunk) const;
    bool hasEntered(int rank, const LessonChunk& chunk) const;
    std::set<int> neededBy(int rank, const LessonCall& call, std::uint64_t number) const;
    std::optional<std::set<int>> sendersTo(int rank, const std::string& group,
                                           std::uint64_t number) const;
    void complain(const std::string& what);

    const lesson::Recording& m_recording;
    size_t m_index = 0;
    int m_attempt = -1;
    std::string m_violations;
    size_t m_count = 0;
    size_t m_chunks = 0;
    size_t m_received = 0;
    size_t m_collectivesLeft = 0;

    std::map<std::string, std::vector<int>> m_members;
    std::map<std::string, std::uint64_t> m_lastSequence; ///< Of the chunks, by group.
    std::map<std::pair<int, std::string>, std::uint64_t> m_allCollectives; ///< In the whole list.
    std::map<Operation, std::set<Arrival>> m_allArrivals;                  ///< In the whole list.

    std::map<int, Rank> m_ranks;
    std::map<Channel, std::uint64_t> m_sent;
    std::map<Channel, std::uint64_t> m_taken;
    std::map<Operation, std::set<Arrival>> m_arrivals;
};

} // namespace ringmaster::test
