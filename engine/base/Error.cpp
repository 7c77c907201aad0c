#include "engine/base/Error.h"

#include <array>
#include <cstring>

namespace ringmaster {

namespace {

struct CodeRow
{
    std::string_view name;
    std::string_view english;
};

constexpr auto Rows = std::to_array<CodeRow>({
#define RM_CODE(name, english) {#name, english},
#include "engine/base/Codes.def"
#undef RM_CODE
});

} // namespace

Error Error::during(Code action, Parameters actionParameters) &&
{
    context.push_back({action, std::move(actionParameters), {}});
    return std::move(*this);
}

std::string_view englishTemplate(Code code)
{
    return Rows.at(static_cast<size_t>(code)).english;
}

std::string_view codeName(Code code)
{
    return Rows.at(static_cast<size_t>(code)).name;
}

std::optional<Code> codeFromName(std::string_view name)
{
    for (size_t i = 0; i < Rows.size(); ++i) {
        if (Rows.at(i).name == name)
            return static_cast<Code>(i);
    }
    return std::nullopt;
}

const std::vector<Code>& allCodes()
{
    static const std::vector<Code> codes = [] {
        std::vector<Code> all;
        for (size_t i = 0; i < Rows.size(); ++i)
            all.push_back(static_cast<Code>(i));
        return all;
    }();
    return codes;
}

std::string substitute(std::string_view sentence, const Parameters& parameters)
{
    std::string text;
    while (!sentence.empty()) {
        const size_t open = sentence.find('{');
        const size_t close = open == std::string_view::npos ? open : sentence.find('}', open);
        if (close == std::string_view::npos)
            break;
        text += sentence.substr(0, open);
        const auto found = parameters.find(sentence.substr(open + 1, close - open - 1));
        if (found == parameters.end())
            text += sentence.substr(open, close + 1 - open);
        else
            text += found->second;
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
    return strerror_r(error, buffer.data(), buffer.size());
}

} // namespace ringmaster
