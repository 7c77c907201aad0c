#pragma once

#include "engine/diagnose/Found.h"
#include "engine/diagnose/RankView.h"

#include <chrono>
#include <map>

namespace ringmaster::diagnose {

/// What the wire between ranks has shown that it can: one row of a calibration.
struct WirePromise
{
    ledger::Backend backend = ledger::Backend::Gloo;
    ledger::OperationKind kind = ledger::OperationKind::AllReduce;
    int ranks = 0;
    std::uint64_t bytes = 0;
    double busBandwidth = 0; ///< Bytes a second.
};

/// The promise for an operation, between the sizes that were measured; 0: there is none for its
/// backend, kind and number of ranks, or it is smaller or larger than all that was measured.
double promisedBandwidth(const std::vector<WirePromise>& promises, const Operation& operation,
                         int ranks);

/// Says where large operations move much less than the calibration promised. What counts is the
/// smallest duration over the ranks, which is without waiting for the late, and of many operations
/// the quickest tenth, which is without the machine being busy otherwise. Pure, but for what it has
/// looked at.
class WireWatch
{
public:
    struct Limits
    {
        std::uint64_t bytes = 256U << 10U; ///< Smaller ones are a matter of latency.
        size_t operations = 30;            ///< Fewer say nothing.
        size_t window = 120;
        std::chrono::nanoseconds span = std::chrono::seconds(5); ///< That they are spread over.
        double share = 0.5;                                      ///< Of the promise.
    };

    WireWatch() = default;
    explicit WireWatch(Limits limits) : m_limits(limits) {}

    /// Operations whose backend isn't known, or that nothing was promised of, say nothing.
    std::vector<Found> look(const std::vector<RankView>& ranks,
                            const std::vector<WirePromise>& promises);

private:
    struct Transfer
    {
        double share = 0; ///< Of the promise.
        double busBandwidth = 0;
        std::int64_t endedNs = 0;
        Operation operation{};
    };

    struct Course
    {
        std::uint64_t looked = 0;
        std::deque<Transfer> transfers{};
    };

    void follow(Course& course, const GroupKey& group, const std::vector<const RankView*>& members,
                const std::vector<WirePromise>& promises) const;
    void judge(const Course& course, const GroupKey& group, std::vector<Found>& found) const;

    Limits m_limits{};
    std::map<GroupKey, Course> m_courses;
};

} // namespace ringmaster::diagnose
