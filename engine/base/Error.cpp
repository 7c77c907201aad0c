#include "engine/base/Error.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>

namespace ringmaster {

namespace {

struct CodeRow
{
    Code code;
    std::string_view name;
    std::string_view english;
};

constexpr auto Rows = std::to_array<CodeRow>({
#define RM_CODE(name, english) {codeOf(#name), #name, english},
#include "AllCodes.def"
#undef RM_CODE
});

/// Not of std::ranges: their calls of calls exhaust the steps that clang has for a constant.
constexpr bool eachCodeOnce()
{
    std::array<Code, Rows.size()> codes{};
    for (size_t i = 0; i < Rows.size(); ++i)
        codes[i] = Rows[i].code;
    std::sort(codes.begin(), codes.end());
    return std::adjacent_find(codes.begin(), codes.end()) == codes.end();
}
static_assert(eachCodeOnce(), "two codes have one name, or two names one value");

const CodeRow& rowOf(Code code)
{
    const auto row = std::ranges::find(Rows, code, &CodeRow::code);
    return row == Rows.end() ? rowOf(Code{}) : *row;
}

} // namespace

Error Error::during(Code action, Parameters actionParameters) &&
{
    context.push_back({action, std::move(actionParameters), {}});
    return std::move(*this);
}

std::string_view englishTemplate(Code code)
{
    return rowOf(code).english;
}

std::string_view codeName(Code code)
{
    return rowOf(code).name;
}

std::optional<Code> codeFromName(std::string_view name)
{
    const auto row = std::ranges::find(Rows, name, &CodeRow::name);
    return row == Rows.end() ? std::nullopt : std::optional(row->code);
}

const std::vector<Code>& allCodes()
{
    static const std::vector<Code> codes = [] {
        std::vector<Code> all;
        std::ranges::transform(Rows, std::back_inserter(all), &CodeRow::code);
        return all;
    }();
    return codes;
}

namespace {

/// "0-2, 5", of which a record that was made before says "ranks 0-2, 5".
std::string_view withoutNoun(std::string_view ranks)
{
    for (const std::string_view noun : {"rank ", "ranks "}) {
        if (ranks.starts_with(noun))
            ranks.remove_prefix(noun.size());
    }
    return ranks;
}

/// "is|are" for these ranks: the one or the other; "rank": with what they are.
std::string worded(std::string_view ranks, std::string_view words)
{
    ranks = withoutNoun(ranks);
    const bool isOne = ranks.find_first_of(",-") == std::string_view::npos;
    if (const size_t bar = words.find('|'); bar != std::string_view::npos)
        return std::string(isOne ? words.substr(0, bar) : words.substr(bar + 1));
    std::string text = std::string(words) + (isOne ? " " : "s ") + std::string(ranks);
    if (const size_t comma = text.rfind(", "); comma != std::string::npos)
        text.replace(comma, 2, " and ");
    return text;
}

} // namespace

std::string substitute(std::string_view sentence, const Parameters& parameters)
{
    std::string text;
    while (!sentence.empty()) {
        const size_t open = sentence.find('{');
        const size_t close = open == std::string_view::npos ? open : sentence.find('}', open);
        if (close == std::string_view::npos)
            break;
        text += sentence.substr(0, open);
        const std::string_view place = sentence.substr(open + 1, close - open - 1);
        const size_t bar = place.find('|');
        const auto found = parameters.find(place.substr(0, bar));
        if (found == parameters.end())
            text += sentence.substr(open, close + 1 - open);
        else if (bar == std::string_view::npos)
            text += found->second;
        else
            text += worded(found->second, place.substr(bar + 1));
        sentence.remove_prefix(close + 1);
    }
    return text.append(sentence);
}

std::string describe(const Message& message)
{
    std::string text = substitute(englishTemplate(message.code), message.parameters);
    if (!message.detail.empty()) {
        const bool multiline = message.detail.find('\n') != std::string::npos;
        text += multiline ? "\n" + message.detail : " (" + message.detail + ")";
    }
    return text;
}

std::string describe(const Error& error)
{
    std::string text;
    for (auto step = error.context.rbegin(); step != error.context.rend(); ++step)
        text += substitute(englishTemplate(step->code), step->parameters) + ": ";
    return text + describe(static_cast<const Message&>(error));
}

std::string errnoText(int error)
{
    std::array<char, 128> buffer{};
    const std::string text = strerror_r(error, buffer.data(), buffer.size());
    return error == EMFILE ? text + "; allow more with `ulimit -n`" : text;
}

} // namespace ringmaster
