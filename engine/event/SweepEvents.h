#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Error.h"
#include "engine/event/Fields.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// What a sweep is going to measure: told once an attempt, before its first row. The rows come in
/// the order of collectives, then backends, then sizes, so that progress is the number of rows.
struct SweepPlan
{
    int attempt = 0;
    bool isCalibration = false;
    std::vector<std::string> collectives{}; ///< torch.distributed's names, "sendrecv" for a pair.
    std::vector<std::string> backends{};    ///< "gloo", "ring", "nccl"
    std::vector<std::int64_t> sizes{};      ///< Bytes asked for, ascending.
    std::string type{};                     ///< torch's name: "float32"
    std::string reduction{};                ///< "sum"; what doesn't reduce ignores it.
    std::string algorithm{}; ///< Asked of the ring: "auto", "ring", "tree", "direct".
    int ranks = 0;           ///< 0: not known.
    int hosts = 1;
    int iterations = 0; ///< 0: as many as fit in a moment.
    int warmup = 0;
    bool isChecked = true; ///< Results are verified.

    std::uint64_t rows() const { return collectives.size() * backends.size() * sizes.size(); }
    bool operator==(const SweepPlan&) const = default;
};
RM_FIELDS(SweepPlan, attempt, isCalibration, collectives, backends, sizes, type, reduction,
          algorithm, ranks, hosts, iterations, warmup, isChecked);

/// One line of a sweep's table, by the conventions of nccl-tests. The duration of an iteration is
/// that of the slowest rank; a row that couldn't be measured says why in `problem`, and has no
/// times.
struct SweepRow
{
    int attempt = 0;
    std::uint64_t index = 0; ///< In the plan, from 0.
    std::string collective{};
    std::string backend{};
    std::string algorithm{}; ///< The one that was taken; empty where the backend doesn't say.
    std::string device{};    ///< Where the tensors are: "cpu", "cuda".
    std::string type{};
    std::string reduction{}; ///< Empty where nothing is reduced.
    int root = -1;           ///< -1: none
    int ranks = 0;
    int hosts = 1;
    std::int64_t wantedBytes = 0; ///< One of the plan's sizes.
    std::int64_t bytes = 0; ///< nccl-tests' size, what the bandwidths count: at most wantedBytes,
                            ///< since the ranks' parts are equal.
    std::int64_t count = 0; ///< Elements of one rank's part.
    int iterations = 0;
    std::int64_t timeNs = 0; ///< Of the whole loop, over its iterations: nccl-tests' time.
    std::int64_t minNs = 0;  ///< This and the next two: 0, where they aren't told.
    std::int64_t p50Ns = 0;
    std::int64_t p99Ns = 0;
    double algorithmBandwidth = 0; ///< Bytes a second: bytes over timeNs.
    double busBandwidth = 0;       ///< Times nccl-tests' factor of the collective.
    std::int64_t wrong = -1; ///< Elements of all ranks that weren't as expected; -1: unchecked.
    Message problem{};       ///< code::None: measured.

    bool isMeasured() const { return problem.code == code::None; }
    bool operator==(const SweepRow&) const = default;
};
RM_FIELDS(SweepRow, attempt, index, collective, backend, algorithm, device, type, reduction, root,
          ranks, hosts, wantedBytes, bytes, count, iterations, timeNs, minNs, p50Ns, p99Ns,
          algorithmBandwidth, busBandwidth, wrong, problem);

} // namespace ringmaster
