#pragma once

#include "engine/base/Error.h"

#include <string>
#include <vector>

namespace ringmaster {

/// Where a finding belongs: a field of the job ("restart.max", "role.0.workers") and, when the job
/// came from a file, the line and column of its value there (from 1; 0: unknown).
struct Place
{
    std::string field{};
    int line = 0;
    int column = 0;

    bool operator==(const Place&) const = default;
};

/// One line of the editor's list of checks.
struct Finding
{
    enum class Severity { Ok, Warning, Error };

    Severity severity = Severity::Error;
    Message message{};
    Place place{};

    bool operator==(const Finding&) const = default;
};

/// That a field can't be as it is.
Finding errorAt(std::string field, Code code, Parameters parameters = {});

bool hasErrors(const std::vector<Finding>& findings);

/// "line 3, column 8: …" where the place is known, else the message alone.
std::string describe(const Finding& finding);

} // namespace ringmaster
