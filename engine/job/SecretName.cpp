#include "engine/job/SecretName.h"

#include <algorithm>
#include <array>
#include <string>

namespace ringmaster {

bool isSecretName(std::string_view name)
{
    static constexpr std::array<std::string_view, 6> Words{"TOKEN",  "SECRET", "PASSWORD",
                                                           "PASSWD", "KEY",    "CREDENTIAL"};
    std::string upper(name);
    std::ranges::transform(upper, upper.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    });
    return std::ranges::any_of(
        Words, [&upper](std::string_view word) { return upper.find(word) != std::string::npos; });
}

} // namespace ringmaster
