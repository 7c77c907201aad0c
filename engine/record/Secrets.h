#pragma once

#include "engine/base/Environment.h"
#include "engine/event/Event.h"
#include "engine/event/InheritedSecrets.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// What a job's environment and arguments hold that isn't for others.
struct Secrets
{
    std::vector<std::string> names{};  ///< Sorted, each once.
    std::vector<std::string> values{}; ///< Those long enough to be looked for elsewhere.
    std::vector<SecretFingerprint> fingerprints{};
    bool operator==(const Secrets&) const = default;
};

/// Masks the values in the job file and the command line, and says what they were. A job file that
/// can't be read goes out empty.
Secrets maskSecrets(RunStarted& started);

/// The value of one setting of a job file, as TOML has it ("arguments", "environment.HF_TOKEN"),
/// with masks.
std::string maskedSetting(const std::string& setting, const std::string& value);

/// Only fingerprints are kept, since nothing needs the values again.
InheritedSecrets inheritedSecrets(const EnvironmentMap& environment);
/// Adds what isn't among them yet, and could be looked for.
void addInherited(InheritedSecrets& secrets, const InheritedSecrets& more);

/// Puts asterisks over every occurrence of the values; the length stays.
void scrub(std::string& bytes, const Secrets& secrets);

/// How far an occurrence can reach.
size_t longestValue(const Secrets& secrets);

} // namespace ringmaster
