#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// Every error, finding, restart cause and verdict that Ringmaster can state. The list, with the
/// English sentence of each, is Codes.def; the dashboard translates the same codes.
enum class Code {
#define RM_CODE(name, english) name,
#include "engine/base/Codes.def"
#undef RM_CODE
};

/// What a sentence is about: rank, path, seconds … Values are shown as they are.
using Parameters = std::map<std::string, std::string, std::less<>>;

/// One statement: a code, its named parameters, and what can't be translated (errno text,
/// traceback).
struct Message
{
    Code code = Code::None;
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

/// Puts parameters into a template with `{name}` places; unknown names stay as they are.
std::string substitute(std::string_view sentence, const Parameters& parameters);

/// errno as text, thread-safe.
std::string errnoText(int error);

} // namespace ringmaster
