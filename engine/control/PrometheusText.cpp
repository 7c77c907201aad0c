#include "engine/control/PrometheusText.h"

#include "engine/text/PythonText.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace ringmaster {

namespace {

constexpr size_t LongestValue = 200;

std::string numberText(double value)
{
    if (std::isnan(value))
        return "NaN";
    if (std::isinf(value))
        return value > 0 ? "+Inf" : "-Inf";
    return fmt::format("{}", value);
}

/// Prometheus refuses a whole text for one byte that isn't UTF-8.
std::string validUtf8(std::string text)
{
    if (!isUtf8(text))
        std::ranges::replace_if(
            text, [](char c) { return (static_cast<unsigned char>(c) & 0x80U) != 0; }, '?');
    return text;
}

/// Whole characters only: half a one would make the whole text invalid.
std::string_view beginningOf(std::string_view text)
{
    if (text.size() <= LongestValue)
        return text;
    size_t end = LongestValue;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U)
        --end;
    return text.substr(0, end);
}

} // namespace

PrometheusText::PrometheusText(Label common) : m_common(std::move(common)) {}

void PrometheusText::family(std::string_view name, Type type, std::string_view help)
{
    m_name = name;
    m_head = fmt::format("# HELP {} {}\n# TYPE {} {}\n", name, help, name,
                         type == Type::Counter ? "counter" : "gauge");
}

void PrometheusText::sample(double value, Labels labels)
{
    m_text += std::exchange(m_head, {});
    m_text += m_name;
    m_text += '{';
    write(m_common);
    for (const Label& label : labels) {
        m_text += ',';
        write(label);
    }
    m_text += "} " + numberText(value) + '\n';
}

void PrometheusText::write(const Label& label)
{
    m_text += label.name;
    m_text += "=\"";
    const std::string valid = validUtf8(label.value);
    for (const char c : beginningOf(valid)) {
        if (c == '\\' || c == '"')
            m_text += '\\';
        if (c == '\n')
            m_text += "\\n";
        else
            m_text += c;
    }
    m_text += '"';
}

} // namespace ringmaster
