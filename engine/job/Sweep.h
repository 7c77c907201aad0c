#pragma once

#include "engine/job/JobSpec.h"
#include "engine/text/Finding.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// What a sweep shall measure, as the command's options and the page's controls say it.
struct SweepRequest
{
    std::vector<std::string> collectives{"all_reduce"};
    std::vector<std::string> backends{"gloo", "ring"};
    std::int64_t smallest = 8; ///< Bytes of nccl-tests' size, as all sizes here.
    std::int64_t largest = std::int64_t{256} << 20U;
    int factor = 2;                   ///< From one size to the next.
    int ranks = 4;                    ///< With hosts: on each of them.
    std::vector<std::string> hosts{}; ///< As `--hosts` has them; empty: this machine.
    std::string type = "float32";
    std::string reduction = "sum";
    std::string algorithm = "auto"; ///< Of the ring.
    int iterations = 0;             ///< 0: as many as fit in a moment.
    int warmup = 3;
    bool isChecked = true;
    bool isCalibration = false;
    bool sharesGpus = false; ///< nccl's ranks may be more than this machine's GPUs.

    std::vector<std::int64_t> sizes() const;
    bool operator==(const SweepRequest&) const = default;
};

/// What this machine gives to a sweep; of other hosts only `program` counts.
struct SweepFacts
{
    std::filesystem::path program{}; ///< The workers' executable; empty: not built.
    bool hasNccl = false;            ///< It can use nccl.
    int gpus = 0;
    std::int64_t freeBytes = 0; ///< Memory; 0: unknown.
};

/// About ten seconds that show what the backends can do: a few sizes of the collectives that
/// training uses. Between hosts: of one pair.
SweepRequest calibrationRequest(int ranks, std::vector<std::string> backends,
                                std::vector<std::string> hosts = {});

/// Of this machine; looks at files only.
SweepFacts sweepFacts(int gpus);

/// The choices, for menus and for messages.
const std::vector<std::string>& sweepCollectives();
const std::vector<std::string>& sweepBackends();
const std::vector<std::string>& sweepTypes();
const std::vector<std::string>& sweepReductions();

/// Memory that the workers of a host need in all for the largest size, by a careful estimate.
std::int64_t sweepMemory(const SweepRequest& request);

/// Everything that is wrong with a request or may be, errors first. Fields are the request's
/// members: "largest", "ranks" …
std::vector<Finding> validate(const SweepRequest& request, const SweepFacts& facts);

/// The job that measures it: launched like any other. The request has no errors.
JobSpec sweepJob(const SweepRequest& request, const SweepFacts& facts);

/// The other way round; nothing for a job that isn't a sweep.
std::optional<SweepRequest> sweepOf(const JobSpec& spec);

} // namespace ringmaster
