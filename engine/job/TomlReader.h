#pragma once

#include "engine/job/Finding.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
// toml++ 3.3 asserts (under NDEBUG: lets the compiler assume) that a table's name begins with a
// proper character before it checks and reports just that: "[ü]" must be an error, not the end.
#pragma push_macro("NDEBUG")
#undef NDEBUG
#define TOML_ASSERT(expression) static_assert(true)
#include <toml++/toml.h>
#pragma pop_macro("NDEBUG")

namespace ringmaster {

/// A value's name as the file has it ("workers") and as findings call it ("role.workers").
struct TomlSpot
{
    std::string key{};
    std::string field{};
};

/// One key that a table may have and what to do with its value.
struct TomlKey
{
    std::string_view name;
    std::function<void(const toml::node&, const TomlSpot&)> read;
    std::string scope{}; ///< Before the key in the name of the field: "role.".
};
using TomlKeys = std::vector<TomlKey>;

/// Reads TOML tables by a list of their keys and collects every error with its place. Included by
/// sources of this folder only: it brings all of toml++.
class TomlReader
{
public:
    /// Unknown keys are errors with the nearest known one. `prefix` is "" or "restart.".
    void readTable(const toml::node& node, const TomlSpot& spot, const std::string& prefix,
                   const TomlKeys& keys);
    /// Any keys, values are texts or whole numbers.
    void readMap(const toml::node& node, const TomlSpot& spot,
                 std::map<std::string, std::string>& map);

    TomlKey text(std::string_view name, std::string& target);
    TomlKey integer(std::string_view name, int& target);
    TomlKey flag(std::string_view name, bool& target);
    TomlKey duration(std::string_view name, std::chrono::milliseconds& target);
    TomlKey texts(std::string_view name, std::vector<std::string>& target);
    TomlKey integers(std::string_view name, std::vector<int>& target);

    std::optional<std::string> asText(const toml::node& node, const TomlSpot& spot);
    std::optional<int> asInteger(const toml::node& node, const TomlSpot& spot);

    void wrongType(const toml::node& node, const TomlSpot& spot, const char* expected);
    void complain(const toml::node& node, const TomlSpot& spot, Code code,
                  Parameters parameters = {});

    static Place placeOf(const toml::source_region& region, std::string field);

    std::map<std::string, Place> takePlaces() { return std::move(m_places); }
    std::vector<Finding> takeErrors() { return std::move(m_errors); }
    bool has(const std::string& field) const { return m_places.contains(field); }

private:
    void unknownKey(const toml::key& key, const TomlSpot& spot, const TomlKeys& keys);

    std::map<std::string, Place> m_places;
    std::vector<Finding> m_errors;
};

} // namespace ringmaster
