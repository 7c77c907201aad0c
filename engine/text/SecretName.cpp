#include "engine/text/SecretName.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace ringmaster {

namespace {

using NameWords = std::vector<std::string>;

bool isUpper(char c)
{
    return c >= 'A' && c <= 'Z';
}

bool isLowerOrDigit(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

/// "--wandb.apiKey" has wandb, api, key.
NameWords wordsOf(std::string_view name)
{
    NameWords words(1);
    char before = ' ';
    for (const char c : name) {
        const bool begins = isUpper(c) && isLowerOrDigit(before);
        const bool separates = !isUpper(c) && !isLowerOrDigit(c);
        if ((begins || separates) && !words.back().empty())
            words.emplace_back();
        if (!separates)
            words.back() += isUpper(c) ? static_cast<char>(c + 32) : c;
        before = c;
    }
    if (words.back().empty())
        words.pop_back();
    return words;
}

template <size_t Count>
bool isAmong(const std::array<std::string_view, Count>& list, std::string_view word)
{
    return std::ranges::find(list, word) != list.end();
}

} // namespace

bool isSecretName(std::string_view name)
{
    static constexpr std::array<std::string_view, 8> Endings{"token",      "secret",     "password",
                                                             "passwd",     "passphrase", "apikey",
                                                             "credential", "credentials"};
    static constexpr std::array<std::string_view, 10> Whole{
        "key", "pat", "auth", "authorization", "pass", "pw", "pwd", "dsn", "bearer", "secrets"};
    // Names of files and of what is counted; a language model's tokens.
    static constexpr std::array<std::string_view, 8> NoValues{"sock", "socket", "file", "path",
                                                              "dir",  "folder", "type", "size"};
    static constexpr std::array<std::string_view, 14> OfModels{
        "pad",     "eos",   "bos",  "unk", "sep", "cls", "mask",
        "special", "image", "stop", "num", "max", "min", "per"};
    const NameWords words = wordsOf(name);
    if (words.empty() || isAmong(NoValues, words.back()) || name == "PWD" || name == "OLDPWD")
        return false;
    if (words.size() > 1 && words.back() == "url" && words[words.size() - 2] == "database")
        return true;
    for (size_t i = 0; i < words.size(); ++i) {
        const bool isOfModel = words[i] == "token" && i > 0 && isAmong(OfModels, words[i - 1]);
        const bool endsSo = std::ranges::any_of(
            Endings, [&](std::string_view ending) { return words[i].ends_with(ending); });
        if ((endsSo && !isOfModel) || isAmong(Whole, words[i]))
            return true;
    }
    return false;
}

} // namespace ringmaster
