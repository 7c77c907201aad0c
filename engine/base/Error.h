#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// An error, finding, restart cause or verdict that Ringmaster can state. Each folder lists its own
/// in Codes.def, with the English sentence, and its Codes.h makes constants of them; the dashboard
/// translates the same codes. The value is made from the name, so that a folder's new code concerns
/// nobody else.
enum class Code : std::uint32_t {};

/// FNV-1a of a code's name, moved so that a Code{} is "None".
constexpr Code codeOf(std::string_view name)
{
    const auto hash = [](std::string_view text) {
        std::uint32_t value = 2'166'136'261;
        for (const char character : text)
            value = (value ^ static_cast<unsigned char>(character)) * 16'777'619;
        return value;
    };
    return Code{hash(name) ^ hash("None")};
}

/// What a sentence is about: rank, path, seconds … Values are shown as they are.
using Parameters = std::map<std::string, std::string, std::less<>>;

/// One statement: a code, its named parameters, and what can't be translated (errno text,
/// traceback).
struct Message
{
    Code code{};
    Parameters parameters{};
    std::string detail{};

    bool operator==(const Message&) const = default;
};

/// An expected failure. `context` says, innermost first, what was being done.
struct Error : Message
{
    std::vector<Message> context{};

    Error during(Code action, Parameters actionParameters = {}) &&;

    bool operator==(const Error&) const = default;
};

/// English, one line unless `detail` has several: the thing, the cause, the remedy.
std::string describe(const Message& message);
std::string describe(const Error& error);

/// The sentence of a code with `{name}` where a parameter goes.
std::string_view englishTemplate(Code code);

/// Stable text form of a code: what files and sockets carry.
std::string_view codeName(Code code);
std::optional<Code> codeFromName(std::string_view name);

/// All codes, for the test that walks them through both fronts.
const std::vector<Code>& allCodes();

/// Puts parameters into a template with `{name}` places; unknown names stay as they are. Of a list
/// of ranks, `{name|rank}` is "rank 3" or "ranks 0-2 and 5", and `{name|is|are}` a word that
/// agrees.
std::string substitute(std::string_view sentence, const Parameters& parameters);

/// errno as text, thread-safe.
std::string errnoText(int error);

} // namespace ringmaster
