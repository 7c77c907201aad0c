#pragma once

#include "engine/diagnose/RankView.h"
#include "engine/diagnose/VerdictCandidate.h"

#include <chrono>
#include <map>
#include <optional>

namespace ringmaster::diagnose {

/// What the wire between ranks has shown that it can: one row of a calibration.
struct WirePromise
{
    ledger::Backend backend = ledger::Backend::Gloo;
    ledger::OperationKind kind = ledger::OperationKind::AllReduce;
    int ranks = 0;
    std::uint64_t bytes = 0;
    double busBandwidth = 0;          ///< Bytes a second.
    std::vector<std::string> hosts{}; ///< A pair, sorted; empty: between processes of this machine.
    std::string run{};                ///< That has measured it.
};

/// What an operation may be expected to reach.
struct WireExpectation
{
    double busBandwidth = 0;
    std::string run{}; ///< Whose calibration says so.
};

/// Between the sizes that were measured; a larger one between two hosts as the largest. Nothing
/// where there is no calibration of its backend and kind with as many ranks between the same
/// `hosts`.
std::optional<WireExpectation> promisedBandwidth(const std::vector<WirePromise>& promises,
                                                 const Operation& operation, int ranks,
                                                 const std::vector<std::string>& hosts = {});

/// Says where large operations move much less than the calibration promised. What counts is the
/// smallest duration over the ranks, which is without waiting for the late, and of many operations
/// the quickest tenth, which is without the machine being busy otherwise. A group on two hosts is
/// judged by their own calibration; on more, by the slowest pair of them, and it isn't sure which
/// it is. Pure, but for what it has looked at.
class LinkMonitor
{
public:
    struct Limits
    {
        std::uint64_t bytes = 256U << 10U; ///< Smaller ones are a matter of latency.
        size_t operations = 30;            ///< Fewer say nothing.
        size_t window = 120;
        std::chrono::nanoseconds span = std::chrono::seconds(5); ///< That they are spread over.
        double share = 0.5;                                      ///< Of the promise.
        double shareOfMany = 0.25; ///< Of the slowest pair's, where more than two hosts meet.
    };

    LinkMonitor() = default;
    explicit LinkMonitor(Limits limits) : m_limits(limits) {}

    /// Operations whose backend isn't known, or that nothing was promised of, say nothing.
    std::vector<VerdictCandidate> look(const std::vector<RankView>& ranks,
                                       const std::vector<WirePromise>& promises);

private:
    struct Transfer
    {
        double share = 0; ///< Of the promise.
        double busBandwidth = 0;
        std::int64_t tookNs = 0;
        std::int64_t endedNs = 0;
        std::string calibration{};
        Operation operation{};
    };

    struct GroupHistory
    {
        std::uint64_t looked = 0;
        std::vector<std::string> hosts{}; ///< Of its members, sorted; empty: this machine.
        std::deque<Transfer> transfers{};
    };

    void follow(GroupHistory& history, const GroupKey& group,
                const std::vector<const RankView*>& members,
                const std::vector<WirePromise>& promises) const;
    void judge(const GroupHistory& history, const GroupKey& group,
               std::vector<VerdictCandidate>& found) const;
    static Verdict verdictOf(const GroupHistory& history, const GroupKey& group,
                             const Transfer& best);

    Limits m_limits{};
    std::map<GroupKey, GroupHistory> m_groups;
};

} // namespace ringmaster::diagnose
