#pragma once

#include "engine/text/NumberList.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// The numbers of one line that a rank has printed.
struct PrintedNumbers
{
    int attempt = 0;
    int rank = 0;
    std::vector<NamedNumber> numbers{};
};

/// How far a run's output has come, before a fire drill and after it: by one counter of one rank,
/// the drilled one where it prints any, else the first that does. Of its counters the finest that
/// doesn't begin anew within the run, as steps do with each epoch. Bounded. Pure:
/// fed with what is printed, in order.
class DrillNumbers
{
public:
    struct Progress
    {
        std::string counter{};
        double reached = 0;            ///< What was printed last before the drill …
        std::optional<double> first{}; ///< … and first after it.
        std::string loss{};            ///< Its name; empty: none is printed.
        double lossBefore = 0;
        std::optional<double> lossAfter{};
    };

    void add(const PrintedNumbers& printed);
    /// What this attempt still prints is from before the drill, which is of that rank.
    void began(int attempt, int rank)
    {
        m_drilled = attempt;
        m_drilledRank = rank;
    }
    /// What it prints from now on is from after it.
    void wentOn() { m_hasGoneOn = true; }
    /// What came after it is void: the job has begun another time. Ranks may be others.
    void beganAnew()
    {
        m_progress.reset();
        m_drilledRank = -1;
    }

    /// Nothing: no counter was printed before the drill.
    std::optional<Progress> progress() const;
    /// The highest that any rank of the latest attempt has printed under that name.
    std::optional<double> highest(const std::string& name) const;

private:
    struct Counter
    {
        double last = 0;
        double highest = 0;
        int moves = 0;
        bool hasRestarted = false;
    };
    struct Rank
    {
        std::map<std::string, Counter> counters{};
        std::map<std::string, double> losses{};
    };

    void addBefore(const PrintedNumbers& printed);
    void addAfter(const PrintedNumbers& printed);
    std::optional<int> tellingRank() const;

    std::map<int, Rank> m_ranks; ///< Of the latest attempt, or of the one that was drilled.
    int m_attempt = 0;
    std::optional<int> m_drilled{};
    int m_drilledRank = -1;
    bool m_hasGoneOn = false;
    int m_rank = -1;                      ///< Whose counter it is, once something came after.
    std::optional<Progress> m_progress{}; ///< The same.
};

} // namespace ringmaster
