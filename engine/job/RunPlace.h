#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// Who gives a job its machines: the user, who names hosts or means this one, or Slurm.
enum class RunOn { Hosts, Slurm };

/// hosts, slurm
std::string_view textOf(RunOn place);
std::optional<RunOn> runOnOf(std::string_view text);

/// What is asked of Slurm; what it isn't told it decides itself.
struct SlurmSpec
{
    std::string partition{};
    std::string account{};
    std::string time{};                 ///< As sbatch takes it: 90, 4:00:00, 2-12
    int gpusPerNode = 0;                ///< 0: as many as the workers' devices, else none.
    std::vector<std::string> options{}; ///< Further words of sbatch's: --constraint=a100

    bool operator==(const SlurmSpec&) const = default;
};

/// How a role's image is run, where it has one.
struct ContainerSpec
{
    std::string engine{}; ///< podman, docker, apptainer or charliecloud; empty: the first found.
    std::vector<std::string> mounts{};  ///< SOURCE[:TARGET[:ro]], beside what Ringmaster mounts.
    std::vector<std::string> devices{}; ///< Beside the GPUs, which come with the job's devices.
    std::vector<std::string> options{}; ///< Further words of the engine's own `run`.

    bool operator==(const ContainerSpec&) const = default;
};

} // namespace ringmaster
