#pragma once

#include "engine/event/Event.h"
#include "engine/job/SecretName.h"

#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// What a job's environment and arguments hold that isn't for others, found by its names.
struct Secrets
{
    std::vector<std::string> names{};  ///< Sorted, each once.
    std::vector<std::string> values{}; ///< Those long enough to be looked for elsewhere.
    bool operator==(const Secrets&) const = default;
};

/// Masks the values in the job file and the command line, and says what they were. A job file that
/// can't be read goes out empty.
Secrets maskSecrets(RunStarted& started);

/// Puts asterisks over every occurrence of the values; the length stays.
void scrub(std::string& bytes, const Secrets& secrets);

/// How far an occurrence can reach.
size_t longestValue(const Secrets& secrets);

} // namespace ringmaster
