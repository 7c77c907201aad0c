#pragma once

#include "engine/text/NumberList.h"
#include "engine/text/NumberRules.h"

namespace ringmaster {

/// Finds numbers of a training in a line of a program's output, whatever printed it: words ("step
/// 120/1000 loss 0.31"), JSON and Python's dicts, progress bars, and what the job's own rules say.
/// Pure; finite numbers, at most NumberList::Most a line, of its first bytes.
class LineNumbers
{
public:
    static constexpr size_t LongestLine = 16U << 10U;

    LineNumbers() = default;
    explicit LineNumbers(NumberRules rules) : m_rules(std::move(rules)) {}

    /// A line without its end and without a terminal's escape sequences.
    std::vector<NamedNumber> read(std::string_view line) const;

private:
    NumberRules m_rules{};
};

} // namespace ringmaster
