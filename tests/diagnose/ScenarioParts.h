#pragma once

#include "Scenarios.h"
#include "Simulation.h"
#include "tests/support/Nanoseconds.h"

namespace ringmaster::diagnose {

// What the jobs of several scenarios have in common.

using ledger::DataType;
using ledger::OperationKind;
using ledger::Reduction;
using Call = Simulation::Call;

inline const Call Sum{};
inline const Call Large{.elements = 1U << 18U};
inline const Call RootZero{
    .kind = OperationKind::Broadcast, .reduction = Reduction::None, .peer = 0};
inline const Call Barrier{.kind = OperationKind::Barrier,
                          .elements = 0,
                          .type = DataType::None,
                          .reduction = Reduction::None};

inline Call pairCall(OperationKind kind, int peer, std::uint32_t group = 0)
{
    return {.kind = kind, .reduction = Reduction::None, .peer = peer, .group = group};
}

inline ProcessWait waitsFor(ProcessWait::Child child)
{
    child.pid = 4711;
    child.isAwaited = true;
    return {.kind = ProcessWait::Kind::Child, .children = {std::move(child)}};
}

/// `seconds(step, rank)`: what a rank computes before each all_reduce.
template <class Seconds>
void train(Simulation& job, int steps, Seconds seconds)
{
    for (int step = 0; step < steps; ++step) {
        for (int rank = 0; rank < job.ranks(); ++rank) {
            job.computes(rank, seconds(step, rank));
            job.calls(rank, Sum);
        }
    }
}

inline void train(Simulation& job, int steps)
{
    train(job, steps, [&](int, int) { return 0.1 + job.noise(0.01); });
}

/// Training that goes well, and then something else.
template <class Then>
Recording afterTraining(int ranks, double seconds, Then then)
{
    Simulation job(ranks);
    train(job, 20);
    then(job);
    return job.run(seconds);
}

/// Who comes last does so by 200 ms.
template <class IsLate>
Recording lateBy200Ms(int ranks, IsLate isLate, int buckets = 1)
{
    Simulation job(ranks);
    for (int step = 0; step < 60; ++step) {
        for (int rank = 0; rank < ranks; ++rank) {
            job.computes(rank, 0.3 + job.noise(0.02) + (isLate(step, rank) ? 0.2 : 0));
            for (int bucket = 0; bucket < buckets; ++bucket) {
                job.begins(rank, Sum);
                job.computes(rank, 0.002);
            }
            job.waits(rank);
        }
    }
    return job.run(30);
}

inline std::vector<WirePromise> promisedOfGloo(int ranks, double busBandwidth)
{
    return {{ledger::Backend::Gloo, OperationKind::AllReduce, ranks, 1U << 10U, busBandwidth},
            {ledger::Backend::Gloo, OperationKind::AllReduce, ranks, 1U << 24U, busBandwidth}};
}

/// All_reduces of a MiB in so many seconds.
inline Recording transfers(int ranks, double seconds)
{
    Simulation job(ranks, seconds);
    for (int step = 0; step < 80; ++step) {
        for (int rank = 0; rank < ranks; ++rank) {
            job.computes(rank, 0.1 + job.noise(0.02));
            job.calls(rank, Large);
        }
    }
    return job.run(12);
}

} // namespace ringmaster::diagnose
