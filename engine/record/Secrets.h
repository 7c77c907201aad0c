#pragma once

#include "engine/base/Environment.h"
#include "engine/event/Event.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// What a job's environment and arguments hold that isn't for others.
struct Secrets
{
    /// A value that is known by its length and hash alone.
    struct Fingerprint
    {
        size_t length = 0;
        std::uint64_t hash = 0;
        auto operator<=>(const Fingerprint&) const = default;
    };

    std::vector<std::string> names{};  ///< Sorted, each once.
    std::vector<std::string> values{}; ///< Those long enough to be looked for elsewhere.
    std::uint64_t key = 0;             ///< Of the fingerprints, which mean nothing without it.
    std::vector<Fingerprint> fingerprints{};
    bool operator==(const Secrets&) const = default;
};

/// Masks the values in the job file and the command line, and says what they were. A job file that
/// can't be read goes out empty.
Secrets maskSecrets(RunStarted& started);

/// Adds what the environment of a run's launcher held: its workers have inherited that. Only
/// fingerprints are kept, since nothing needs the values again.
void addInherited(Secrets& secrets, const EnvironmentMap& environment);

/// Puts asterisks over every occurrence of the values; the length stays.
void scrub(std::string& bytes, const Secrets& secrets);

/// How far an occurrence can reach.
size_t longestValue(const Secrets& secrets);

} // namespace ringmaster
