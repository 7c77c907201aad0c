#pragma once

#include "engine/base/Environment.h"

#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// What stands in a secret's place.
inline constexpr std::string_view SecretMask = "***";

/// Where a secret stands, and what it is called there: "--api-key", "HF_TOKEN", "password".
struct SecretPlace
{
    size_t word = 0;
    size_t begin = 0;
    size_t length = 0;
    std::string name{};

    bool operator==(const SecretPlace&) const = default;
};

/// The secrets among a command's words, in order: `--token X`, `--token=X`, `wandb.api_key=X`,
/// `HF_TOKEN=X`, the password in a URL. What is masked already is none.
std::vector<SecretPlace> secretsIn(const std::vector<std::string>& words);

/// The same of the value of a variable or a key.
std::vector<SecretPlace> secretsIn(std::string_view name, const std::string& value);

/// The words with masks in those places.
void maskSecrets(std::vector<std::string>& words, const std::vector<SecretPlace>& places);

/// A command line as a shell reads it, with masks.
std::string maskedLine(const std::string& line);

} // namespace ringmaster
