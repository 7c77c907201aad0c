#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// A value that is known by its length, and by a hash that means nothing without its key.
struct SecretFingerprint
{
    std::size_t length = 0; ///< Bytes.
    std::uint64_t key = 0;
    std::uint64_t hash = 0;
    auto operator<=>(const SecretFingerprint&) const = default;
};

/// What the environment of a launcher held that isn't for others: its workers have inherited that.
struct InheritedSecrets
{
    std::vector<std::string> names{}; ///< Sorted, each once.
    std::vector<SecretFingerprint> values{};
    bool operator==(const InheritedSecrets&) const = default;
};

} // namespace ringmaster
