#pragma once

#include "engine/collective/ring/Collectives.h"

#include <functional>
#include <memory>
#include <thread>
#include <vector>

namespace ringmaster::ring::testing {

/// A team for each rank over one segment, all in this process: what thread checkers can follow.
class ThreadTeams
{
public:
    explicit ThreadTeams(int size) : m_segment(*Segment::create(size))
    {
        std::vector<int> all;
        for (int rank = 0; rank < size; ++rank)
            all.push_back(rank);
        for (int rank = 0; rank < size; ++rank) {
            m_teams.push_back(std::make_unique<Team>(
                Team::Place{rank, size, rank, all, 0, size % 2 == 0}, m_segment));
            m_collectives.push_back(std::make_unique<Collectives>(*m_teams.back()));
        }
    }

    int size() const { return static_cast<int>(m_teams.size()); }
    Team& team(int rank) { return *m_teams[static_cast<size_t>(rank)]; }
    Collectives& operator[](int rank) { return *m_collectives[static_cast<size_t>(rank)]; }
    const Segment& segment() const { return m_segment; }

    /// Runs `work` once a rank, each in a thread; what each returned.
    std::vector<Result<void>> run(const std::function<Result<void>(int rank)>& work) const
    {
        std::vector<Result<void>> results(m_teams.size());
        std::vector<std::jthread> threads;
        for (size_t rank = 0; rank < m_teams.size(); ++rank)
            threads.emplace_back([&, rank] { results[rank] = work(static_cast<int>(rank)); });
        threads.clear();
        return results;
    }

private:
    Segment m_segment;
    std::vector<std::unique_ptr<Team>> m_teams;
    std::vector<std::unique_ptr<Collectives>> m_collectives;
};

inline Collectives::Options within(std::chrono::milliseconds time,
                                   Algorithm algorithm = Algorithm::Auto)
{
    return {Deadline::clock::now() + time, algorithm};
}

} // namespace ringmaster::ring::testing
