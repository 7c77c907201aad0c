#pragma once

#include "engine/base/Result.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// One word as a POSIX shell reads it: unchanged where nothing is special, else quoted.
std::string shellQuoted(std::string_view word);

/// True for NAME of NAME=value.
bool isVariableName(std::string_view text);

/// A piece of a shell word. A variable's value isn't known to the reader.
struct ShellPart
{
    enum class Kind { Text, Variable };

    Kind kind = Kind::Text;
    bool quoted = false;
    std::string text{};                    ///< Text, or the variable's name.
    std::string original{};                ///< Variable only: as written, "${NAME:-2}".
    std::optional<std::string> fallback{}; ///< "2" of ${NAME:-2}
};

struct ShellToken
{
    enum class Kind { Word, Operator };

    Kind kind = Kind::Word;
    std::vector<ShellPart> parts{}; ///< Word only.
    std::string text{};             ///< Operator only: "\n", ";", "&&", "|", ">", "2>" …

    /// A word without variables, quotes removed; else as written.
    std::string plainText() const;
};

/// Splits a pasted text as a shell would: quotes, backslashes, continued lines, comments,
/// operators. Command substitutions stay text. Fails only where a quote isn't closed.
Result<std::vector<ShellToken>> splitShell(std::string_view text);

using VariableLookup = std::function<std::optional<std::string>(const std::string&)>;

/// The words that one token becomes: variables replaced, unquoted ones split at blanks. What
/// `lookup` doesn't know stays as written and is added to `unknown`.
std::vector<std::string> expandWord(const ShellToken& token, const VariableLookup& lookup,
                                    std::vector<std::string>& unknown);

} // namespace ringmaster
