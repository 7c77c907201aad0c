#pragma once

#include "engine/base/Result.h"

#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace ringmaster {

/// A user's expression (RE2) for something in a program's output; ^ and $ are the ends of a line.
/// Takes time linear in the text. An empty one is in no text.
class OutputPattern
{
public:
    OutputPattern() = default;

    /// code::OutputPatternInvalid where it can't be used.
    static Result<OutputPattern> parse(const std::string& expression);

    bool isEmpty() const { return m_expression == nullptr; }
    bool isIn(std::string_view text) const;

private:
    std::shared_ptr<const re2::RE2> m_expression;
};

} // namespace ringmaster
