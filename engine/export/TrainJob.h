#pragma once

#include "engine/base/Result.h"
#include "engine/job/JobSpec.h"

#include <string>
#include <vector>

namespace ringmaster {

/// A job as a manifest for Kubeflow Trainer (trainer.kubeflow.org/v1alpha1, JSON, which kubectl
/// takes as it takes YAML). The runtime sets the nodes and the rendezvous by PET_ variables. Values
/// of secret variables aren't in it: they come from the Secret that is named there.
struct TrainJobManifest
{
    std::string text{};
    std::vector<Message> cannotSay{};
    std::vector<Message> needs{}; ///< As CommandLine's.
};

/// `runtime` is a ClusterTrainingRuntime; Kubeflow brings torch-distributed. Refuses a job without
/// a container image.
Result<TrainJobManifest> toTrainJob(const JobSpec& spec,
                                    const std::string& runtime = "torch-distributed");

} // namespace ringmaster
