#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace ringmaster {

/// Writes Prometheus' text format, version 0.0.4: family by family, each with its HELP and TYPE.
/// Values in base units. A family without a sample isn't written. Pure.
class PrometheusText
{
public:
    enum class Type { Counter, Gauge };

    struct Label
    {
        std::string_view name{};
        std::string value{}; ///< Any text; it is escaped, and cut where it is very long.
    };
    using Labels = std::initializer_list<Label>;

    /// `common`: on every sample, before its own.
    explicit PrometheusText(Label common);

    /// The samples that follow are of this one.
    void family(std::string_view name, Type type, std::string_view help);
    void sample(double value, Labels labels = {});

    std::string text() && { return std::move(m_text); }

private:
    void write(const Label& label);

    Label m_common;
    std::string m_head; ///< Of a family that has no sample yet.
    std::string m_name;
    std::string m_text;
};

} // namespace ringmaster
