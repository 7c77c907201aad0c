#pragma once

#include "engine/attach/HeldDevices.h"
#include "engine/base/Error.h"
#include "engine/event/EvidenceFolds.h"

#include <string>
#include <vector>

namespace ringmaster {

struct SeenJob;

/// What one rank was seen to be in.
struct FoundRank
{
    enum class State { Running, Stopped, Ended };

    int rank = 0;
    int pid = 0;
    State state = State::Running;
    double cpuShare = 0; ///< Of one core.
    std::int64_t memoryBytes = 0;
    std::vector<HeldDevice> devices{}; ///< GPUs that it holds memory of.
    std::string place{};               ///< "all_reduce, train.py:88"; empty: not known.
    bool operator==(const FoundRank&) const = default;
};

/// What looking at a job from outside has shown, for who shows it to a person.
struct JobFindings
{
    Message statement{}; ///< The gravest judgement's.
    std::vector<Message> evidence{};
    bool isAnybodyNamed = false;
    Message source{}; ///< How it is known.
    std::vector<FoundRank> ranks{};
    KeptEvidence stacks{};
};

JobFindings findingsOf(const SeenJob& seen);

/// A sentence about a job, and what it rests on.
struct JobJudgement
{
    Message statement{};
    std::vector<Message> evidence{};
    Message remedy{};
    bool isAnybodyNamed = false; ///< For whom the others wait.
};

/// By what is recorded where that says something, else by the stacks; the gravest first, and one at
/// least.
std::vector<JobJudgement> judgementsOf(const SeenJob& seen);

} // namespace ringmaster
