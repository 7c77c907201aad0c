#include "engine/text/SecretWords.h"

#include "engine/text/SecretName.h"
#include "engine/text/ShellWords.h"

#include <algorithm>

namespace ringmaster {

namespace {

constexpr std::string_view NameCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.+";

bool isOptionName(std::string_view text)
{
    return !text.empty() && text.find_first_not_of(NameCharacters) == std::string_view::npos;
}

class Finder
{
public:
    explicit Finder(size_t word) : m_word(word) {}

    void add(size_t begin, size_t end, std::string_view name)
    {
        m_places.push_back({m_word, begin, end - begin, std::string(name)});
    }

    /// scheme://user:password@host, and name=value behind its question mark.
    void findInUrls(std::string_view text, size_t from)
    {
        for (size_t at = text.find("://", from); at != std::string_view::npos;
             at = text.find("://", at)) {
            at += 3;
            const size_t end = std::min(text.find_first_of(" \t\n'\"<>", at), text.size());
            const size_t host = std::min(text.find_first_of("/?#", at), end);
            const size_t sign = text.substr(0, host).rfind('@');
            const size_t colon = text.find(':', at);
            if (sign != std::string_view::npos && sign >= at && colon < sign && colon + 1 < sign)
                add(colon + 1, sign, "password");
            for (size_t next = text.find_first_of("?&", at); next < end;
                 next = text.find_first_of("?&", next + 1)) {
                const size_t equals = text.find('=', next);
                const size_t stop = std::min(text.find_first_of("&#", next + 1), end);
                if (equals < stop && equals + 1 < stop &&
                    isSecretName(text.substr(next + 1, equals - next - 1)))
                    add(equals + 1, stop, text.substr(next + 1, equals - next - 1));
            }
        }
    }

    std::vector<SecretPlace> take(const std::string& text)
    {
        std::erase_if(m_places, [&text](const SecretPlace& place) {
            return place.length == 0 || text.compare(place.begin, place.length, SecretMask) == 0;
        });
        return std::move(m_places);
    }

private:
    size_t m_word;
    std::vector<SecretPlace> m_places;
};

std::string_view withoutDashes(std::string_view option)
{
    return option.substr(std::min(option.find_first_not_of('-'), option.size()));
}

/// A word that is a command itself, as that of `bash -c`.
std::vector<SecretPlace> secretsOfCommand(const std::string& text, size_t index)
{
    constexpr std::string_view BetweenWords = " \t\n";
    std::vector<std::string> words;
    std::vector<size_t> begins;
    for (size_t at = text.find_first_not_of(BetweenWords); at != std::string::npos;
         at = text.find_first_not_of(BetweenWords, at)) {
        const size_t end = std::min(text.find_first_of(BetweenWords, at), text.size());
        words.push_back(text.substr(at, end - at));
        begins.push_back(at);
        at = end;
    }
    std::vector<SecretPlace> places = secretsIn(words);
    for (SecretPlace& place : places) {
        place.begin += begins[place.word];
        place.word = index;
    }
    return places;
}

std::vector<SecretPlace> secretsOfWord(const std::string& text, size_t index)
{
    Finder finder(index);
    const size_t equals = text.find('=');
    const std::string_view name = std::string_view(text).substr(0, equals);
    if (equals != std::string::npos && isOptionName(name) && isSecretName(withoutDashes(name)))
        finder.add(equals + 1, text.size(), name);
    else if (text.find_first_of(" \t\n") != std::string::npos)
        return secretsOfCommand(text, index);
    else
        finder.findInUrls(text, 0);
    return finder.take(text);
}

} // namespace

std::vector<SecretPlace> secretsIn(const std::vector<std::string>& words)
{
    std::vector<SecretPlace> all;
    std::string option;
    for (size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const bool isOption = word.size() > 1 && word.starts_with('-');
        if (!option.empty() && !isOption && !word.empty() && word != SecretMask) {
            all.push_back({i, 0, word.size(), option});
        } else {
            const auto found = secretsOfWord(word, i);
            all.insert(all.end(), found.begin(), found.end());
        }
        option = isOption && isOptionName(word) && isSecretName(withoutDashes(word)) ? word : "";
    }
    return all;
}

std::vector<SecretPlace> secretsIn(std::string_view name, const std::string& value)
{
    Finder finder(0);
    if (isSecretName(name))
        finder.add(0, value.size(), name);
    else
        finder.findInUrls(value, 0);
    return finder.take(value);
}

void maskSecrets(std::vector<std::string>& words, const std::vector<SecretPlace>& places)
{
    // From the end, so that places before it stay where they are.
    for (auto place = places.rbegin(); place != places.rend(); ++place)
        words[place->word].replace(place->begin, place->length, SecretMask);
}

std::string maskedLine(const std::string& line)
{
    const auto tokens = splitShell(line);
    std::vector<std::string> words;
    for (const ShellToken& token : tokens ? *tokens : std::vector<ShellToken>{})
        words.push_back(token.kind == ShellToken::Kind::Word ? token.plainText() : token.text);
    const std::vector<SecretPlace> places = secretsIn(words);
    if (tokens && places.empty())
        return line;
    std::string all;
    for (size_t i = 0; i < words.size(); ++i) {
        std::string written;
        size_t end = 0;
        for (const SecretPlace& place : places) {
            if (place.word != i)
                continue;
            if (place.begin > end)
                written += shellQuoted(words[i].substr(end, place.begin - end));
            written += SecretMask;
            end = place.begin + place.length;
        }
        if (end < words[i].size() || words[i].empty())
            written += (*tokens)[i].kind == ShellToken::Kind::Word
                           ? shellQuoted(words[i].substr(end))
                           : words[i];
        all += (i > 0 ? " " : "") + written;
    }
    return all;
}

} // namespace ringmaster
