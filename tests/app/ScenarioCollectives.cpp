#include "engine/base/Codes.h"
#include "tests/app/Scenario.h"

#include <cmath>

namespace ringmaster {

void Scenario::collectives(const std::string& run, Attempts attempts)
{
    using ledger::OperationKind;
    constexpr std::int64_t Second = 1'000'000'000;
    constexpr std::int64_t Millisecond = 1'000'000;
    OperationSummary summary{.attempt = 1,
                             .operations = 9'600,
                             .wallNs = (attempts == Attempts::Both ? 195 : 118) * Second,
                             .spanNs = Second};
    const diagnose::GroupKey group{"0", {0, 1, 2, 3, 4, 5, 6, 7}};
    const auto add = [&](OperationKind kind, double bytes, double busBytesASecond, double share) {
        OperationSummary::Series series{.kind = kind};
        for (int second = attempts == Attempts::Both ? 203 : 118; second > 0; --second) {
            if (second > 118 && second < 127) // between the two
                continue;
            const double wave = 1 + 0.15 * std::sin(second * 0.31) + 0.05 * std::sin(second * 2.3);
            const std::int64_t transfer = 200 * Millisecond;
            series.points.push_back({.fromNs = ago(run, second).monotonicNs / Second * Second,
                                     .count = 80,
                                     .bytes = bytes * 80,
                                     .busBytes = busBytesASecond * wave * 0.2,
                                     .transferNs = transfer});
        }
        summary.series.push_back(series);
        const double inside = share * 118e9;
        summary.rows.push_back(
            {.kind = kind,
             .type = ledger::DataType::Float32,
             .group = group,
             .backend = ledger::Backend::Ring,
             .algorithm = ledger::Algorithm::Ring,
             .bucket = 1U << 24U,
             .count = 9'440,
             .bytes = static_cast<std::uint64_t>(bytes * 9'440),
             .transferNs = static_cast<std::int64_t>(bytes * 9'440 / busBytesASecond * 1.75e9),
             .feltNs = static_cast<std::int64_t>(inside),
             .isWire = true,
             .share = share});
    };
    add(OperationKind::AllReduce, 26'214'400, 21.3e9, 0.31);
    add(OperationKind::AllGatherIntoTensor, 8'388'608, 12.4e9, 0.08);
    summary.rows.push_back({.kind = OperationKind::Barrier,
                            .group = group,
                            .backend = ledger::Backend::Ring,
                            .algorithm = ledger::Algorithm::Direct,
                            .count = 118,
                            .transferNs = 3 * Millisecond,
                            .feltNs = 412 * Millisecond,
                            .isWire = true,
                            .share = 0.0035});
    // The verdicts of hangs() and waits() are about the one that comes next.
    constexpr std::uint32_t LastDone = 411;
    OperationSummary::GroupCollectives collectives{.group = group};
    for (std::uint32_t number = 348; number <= LastDone; ++number) {
        const std::int64_t at = ago(run, 0.1 * (LastDone + 1 - number)).monotonicNs;
        OperationSummary::Collective collective{.kind = OperationKind::AllReduce,
                                                .type = ledger::DataType::Float32,
                                                .number = number,
                                                .bytes = 26'214'400};
        for (int rank = 0; rank < 8; ++rank) {
            const std::int64_t late = rank == 2 && number % 9 != 0
                                          ? 41 * Millisecond + number % 5 * Millisecond
                                          : (number * 7 + rank * 13) % 10 * Millisecond / 3;
            collective.arrivals.push_back({rank, at + late, at + 90 * Millisecond});
        }
        collectives.collectives.push_back(collective);
    }
    summary.collectives.push_back(collectives);
    for (int rank = 0; rank < 8; ++rank)
        summary.places.push_back({.rank = rank,
                                  .kind = OperationKind::AllReduce,
                                  .number = rank == 2 ? LastDone : LastDone + 1,
                                  .isInside = rank != 2,
                                  .calledAt = {.site = 1,
                                               .file = "/home/mika/jobs/mnist/train.py",
                                               .function = "train_step",
                                               .line = 88},
                                  .sinceNs = ago(run, rank == 2 ? 0.5 : 0.3).monotonicNs});
    m_cluster.setOperations(run, summary);
}

std::string Scenario::sweep(const std::string& name, int measured, const std::string& id)
{
    begin(id, 4, 0, 60);
    SweepPlan plan{.collectives = {"all_reduce"},
                   .backends = {"gloo", "ring"},
                   .type = "float32",
                   .reduction = "sum",
                   .algorithm = "auto",
                   .ranks = 4};
    for (int power = 3; power <= 27; power += 2)
        plan.sizes.push_back(std::int64_t{1} << power);
    m_cluster.publish(id, ago(59), RunStateChanged{RunState::Running, {code::None}, 0});
    m_cluster.publish(id, ago(58), plan);
    measure(id, 0, measured);
    RunSummary shown = summary(id, RunState::Running, 4, 60);
    shown.name = name;
    shown.purpose = RunPurpose::Sweep;
    m_cluster.setRun(shown);
    return id;
}

void Scenario::measure(const std::string& run, int first, int end)
{
    constexpr int Sizes = 13;
    for (int index = first; index < end; ++index) {
        const bool isRing = index >= Sizes;
        const std::int64_t bytes = std::int64_t{1} << (3 + 2 * (index % Sizes));
        // Latency first, then the wire.
        const double seconds = isRing ? 6e-6 + static_cast<double>(bytes) / 5.2e9
                                      : 62e-6 + static_cast<double>(bytes) / 1.1e9;
        const auto timeNs = static_cast<std::int64_t>(seconds * 1e9);
        const double bandwidth = static_cast<double>(bytes) / seconds;
        m_cluster.publish(run, ago(57 - index),
                          SweepRow{.index = static_cast<std::uint64_t>(index),
                                   .collective = "all_reduce",
                                   .backend = isRing ? "ring" : "gloo",
                                   .device = "cpu",
                                   .type = "float32",
                                   .reduction = "sum",
                                   .ranks = 4,
                                   .wantedBytes = bytes,
                                   .bytes = bytes,
                                   .count = bytes / 4,
                                   .iterations = 20,
                                   .timeNs = timeNs,
                                   .minNs = timeNs * 9 / 10,
                                   .p50Ns = timeNs,
                                   .p99Ns = timeNs * 6 / 5,
                                   .algorithmBandwidth = bandwidth,
                                   .busBandwidth = bandwidth * 1.5,
                                   .wrong = 0});
    }
}

void Scenario::endSweep(const std::string& run)
{
    m_cluster.publish(run, ago(1), RunStateChanged{RunState::Succeeded, {code::None}, 0});
}

} // namespace ringmaster
