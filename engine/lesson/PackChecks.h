#pragma once

#include "engine/lesson/Pack.h"
#include "engine/text/TomlReader.h"

namespace ringmaster::lesson {

/// What one key of a `.ringlesson` can't tell: whether all of them fit together. Each error stands
/// where the key does.
class PackChecks
{
public:
    PackChecks(TomlReader& toml, const Pack& pack, const toml::table& root)
        : m_toml(toml), m_pack(pack), m_root(root)
    {
    }

    /// Errors go to the reader.
    void check();

private:
    void checkRecording();
    void checkRanks();
    void checkChoices();
    void checkLines();
    void checkAnswers();

    TomlReader& m_toml;
    const Pack& m_pack;
    const toml::table& m_root;
};

/// Where a key's value stands; a key that isn't there is missing in its table.
const toml::node& placeIn(const toml::table& table, std::string_view key);

template <class Names>
std::string listedNames(const Names& names)
{
    std::string text;
    for (const std::string_view name : names)
        text += (text.empty() ? "" : ", ") + std::string(name);
    return text;
}

} // namespace ringmaster::lesson
