#include "engine/record/Secrets.h"

#include "engine/text/SecretWords.h"

#include <algorithm>
#include <random>
#include <set>
#include <sstream>

#include <toml++/toml.h>

namespace ringmaster {

namespace {

/// A shorter one is a word that stands everywhere.
constexpr size_t ShortestSearched = 6;
constexpr size_t ShortestInherited = 8;
/// Linux has no longer one in an environment.
constexpr size_t LongestInherited = 1U << 17U;

/// A polynomial over the bytes modulo the prime 2^61 - 1, which can be moved along a text.
class RollingHash
{
public:
    RollingHash(std::uint64_t key, size_t length) : m_key(key % (Prime - 512) + 256)
    {
        for (size_t i = 1; i < length; ++i)
            m_highest = times(m_highest, m_key);
    }

    void push(char byte) { m_value = sum(times(m_value, m_key), number(byte)); }
    void pop(char byte) { m_value = sum(m_value, Prime - times(m_highest, number(byte))); }
    std::uint64_t value() const { return m_value; }

    static std::uint64_t of(std::uint64_t key, std::string_view text)
    {
        RollingHash hash(key, text.size());
        for (const char byte : text)
            hash.push(byte);
        return hash.value();
    }

private:
    static constexpr std::uint64_t Prime = (1ULL << 61U) - 1;

    static std::uint64_t number(char byte) { return static_cast<unsigned char>(byte) + 1U; }
    static std::uint64_t sum(std::uint64_t a, std::uint64_t b)
    {
        return a + b < Prime ? a + b : a + b - Prime;
    }
    static std::uint64_t times(std::uint64_t a, std::uint64_t b)
    {
        __extension__ typedef unsigned __int128 Wide; // NOLINT: __extension__ takes no using
        const Wide product = static_cast<Wide>(a) * b;
        return sum(static_cast<std::uint64_t>(product & Prime),
                   static_cast<std::uint64_t>(product >> 61U));
    }

    std::uint64_t m_key;
    std::uint64_t m_highest = 1;
    std::uint64_t m_value = 0;
};

class Masker
{
public:
    Secrets take()
    {
        for (auto* list : {&m_secrets.names, &m_secrets.values}) {
            std::ranges::sort(*list);
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
        // The longest first: one value may be a part of another.
        std::ranges::stable_sort(m_secrets.values, std::ranges::greater(), &std::string::size);
        return std::move(m_secrets);
    }

    void mask(toml::table& table)
    {
        for (auto&& [key, node] : table) {
            if (auto* text = node.as_string(); text != nullptr)
                maskValue(key.str(), *text);
            else
                descend(node);
        }
    }

private:
    void descend(toml::node& node)
    {
        if (toml::table* table = node.as_table(); table != nullptr)
            mask(*table);
        else if (toml::array* array = node.as_array(); array != nullptr)
            mask(*array);
    }

    /// Arguments of a program among others.
    void mask(toml::array& array)
    {
        std::vector<std::string> words;
        for (toml::node& node : array) {
            descend(node);
            words.push_back(node.value_or(std::string()));
        }
        const std::vector<SecretPlace> places = secretsIn(words);
        for (const SecretPlace& place : places)
            add(place.name, words[place.word].substr(place.begin, place.length));
        maskSecrets(words, places);
        for (const SecretPlace& place : places)
            *array[place.word].as_string() = words[place.word];
    }

    void maskValue(std::string_view key, toml::value<std::string>& text)
    {
        std::vector<std::string> words{text.get()};
        const std::vector<SecretPlace> places = secretsIn(key, words.front());
        for (const SecretPlace& place : places)
            add(key, words.front().substr(place.begin, place.length));
        maskSecrets(words, places);
        text = words.front();
    }

    void add(std::string_view name, const std::string& value)
    {
        m_secrets.names.emplace_back(name);
        if (value.size() >= ShortestSearched)
            m_secrets.values.push_back(value);
    }

    Secrets m_secrets;
};

} // namespace

Secrets maskSecrets(RunStarted& started)
{
    Masker masker;
    try {
        toml::table job = toml::parse(started.jobFile);
        masker.mask(job);
        std::ostringstream text;
        text << job << "\n";
        started.jobFile = text.str();
    } catch (const toml::parse_error&) {
        started.jobFile.clear();
    }
    Secrets secrets = masker.take();
    started.torchrunLine = maskedLine(started.torchrunLine);
    scrub(started.torchrunLine, secrets);
    return secrets;
}

std::string maskedSetting(const std::string& setting, const std::string& value)
{
    const std::string key = setting.substr(setting.rfind('.') + 1);
    Masker masker;
    try {
        toml::table one = toml::parse(key + " = " + value);
        masker.mask(one);
        if (masker.take().names.empty())
            return value;
        std::ostringstream text;
        text << toml::node_view(one.begin()->second);
        return text.str();
    } catch (const toml::parse_error&) {
        return secretsIn(key, value).empty() ? maskedLine(value) : std::string(SecretMask);
    }
}

InheritedSecrets inheritedSecrets(const EnvironmentMap& environment)
{
    std::random_device random;
    const std::uint64_t key = (static_cast<std::uint64_t>(random()) << 32U | random()) | 1U;
    std::set<std::string> names;
    std::set<SecretFingerprint> values;
    for (const auto& [name, value] : environment) {
        for (const SecretPlace& place : secretsIn(name, value)) {
            const std::string secret = value.substr(place.begin, place.length);
            if (secret.size() < ShortestInherited)
                continue;
            values.insert({secret.size(), key, RollingHash::of(key, secret)});
            names.insert(name);
        }
    }
    return {{names.begin(), names.end()}, {values.begin(), values.end()}};
}

void addInherited(InheritedSecrets& secrets, const InheritedSecrets& more)
{
    const auto add = [](auto& list, const auto& others) {
        std::set all(list.begin(), list.end());
        all.insert(others.begin(), others.end());
        list.assign(all.begin(), all.end());
    };
    add(secrets.names, more.names);
    add(secrets.values, more.values);
    // Another host may have said anything.
    std::erase_if(secrets.values, [](const SecretFingerprint& each) {
        return each.length < ShortestInherited || each.length > LongestInherited;
    });
}

void scrub(std::string& bytes, const Secrets& secrets)
{
    for (const std::string& value : secrets.values) {
        for (size_t at = bytes.find(value); at != std::string::npos;
             at = bytes.find(value, at + value.size()))
            bytes.replace(at, value.size(), value.size(), '*');
    }
    const std::string before = secrets.fingerprints.empty() ? std::string() : bytes;
    for (size_t i = 0; i < secrets.fingerprints.size();) {
        const auto [length, key, first] = secrets.fingerprints[i];
        std::set<std::uint64_t> wanted;
        for (; i < secrets.fingerprints.size() && secrets.fingerprints[i].length == length &&
               secrets.fingerprints[i].key == key;
             ++i)
            wanted.insert(secrets.fingerprints[i].hash);
        RollingHash hash(key, length);
        for (size_t at = 0; at < before.size(); ++at) {
            if (at >= length)
                hash.pop(before[at - length]);
            hash.push(before[at]);
            if (at + 1 >= length && wanted.contains(hash.value()))
                bytes.replace(at + 1 - length, length, length, '*');
        }
    }
}

size_t longestValue(const Secrets& secrets)
{
    const size_t value = secrets.values.empty() ? 0 : secrets.values.front().size();
    return secrets.fingerprints.empty() ? value
                                        : std::max(value, secrets.fingerprints.back().length);
}

} // namespace ringmaster
