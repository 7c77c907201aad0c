#pragma once

#include "Recording.h"

namespace ringmaster::diagnose {

/// A whole job and what is to be found in it.
struct JobScenario
{
    const char* name;
    Recording (*make)(); ///< Null: recorded, in the file of that name.
    QStringList found;   ///< Each verdict and whom it names; empty: healthy.
    std::vector<WirePromise> promises{};
};

/// Somebody is guilty of something: hangs, calls that don't fit, slowness.
std::vector<JobScenario> guiltyScenarios();
/// Healthy jobs, of whatever shape.
std::vector<JobScenario> healthyScenarios();

} // namespace ringmaster::diagnose
