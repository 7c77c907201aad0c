#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// A number that a program has printed under a name.
struct NamedNumber
{
    std::string name{};
    double value = 0;              ///< Finite.
    std::optional<double> total{}; ///< Of a counter, where it says what it counts up to.
    bool operator==(const NamedNumber&) const = default;
};

/// The numbers of one line: each name once, the first that is found, and only so many.
class NumberList
{
public:
    static constexpr size_t Most = 64;

    /// Under the name in lower case; nothing where it can't be a name.
    void add(std::string_view name, double value, std::optional<double> total = {});
    /// Under that name as it is.
    void addAs(const std::string& name, double value, std::optional<double> total = {});

    bool isEmpty() const { return m_numbers.empty(); }
    std::vector<NamedNumber> take() { return std::move(m_numbers); }

private:
    std::vector<NamedNumber> m_numbers;
};

} // namespace ringmaster
