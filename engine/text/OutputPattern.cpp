#include "engine/text/OutputPattern.h"

#include "engine/text/Codes.h"

#include <re2/re2.h>

namespace ringmaster {

namespace {

constexpr size_t LongestPattern = 1000;

} // namespace

Result<OutputPattern> OutputPattern::parse(const std::string& expression)
{
    OutputPattern pattern;
    if (expression.empty())
        return pattern;
    const Parameters parameters{{"pattern", expression.substr(0, LongestPattern)}};
    if (expression.size() > LongestPattern)
        return fail(code::OutputPatternInvalid, parameters);
    RE2::Options options;
    options.set_log_errors(false);
    options.set_max_mem(1 << 20);
    auto compiled = std::make_shared<const RE2>("(?m)" + expression, options);
    if (!compiled->ok())
        return fail(code::OutputPatternInvalid, parameters, compiled->error());
    pattern.m_expression = std::move(compiled);
    return pattern;
}

bool OutputPattern::isIn(std::string_view text) const
{
    return m_expression != nullptr &&
           RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), *m_expression);
}

} // namespace ringmaster
