#include "engine/cli/OtlpWriter.h"

#include "engine/base/Fnv1a.h"
#include "engine/base/Version.h"

#include <cmath>

#include <fmt/format.h>

namespace ringmaster {

namespace {

constexpr size_t MostInARequest = 500;
/// A collector takes 20 MiB unless told otherwise.
constexpr size_t MostTextBytes = size_t{4} << 20U;

/// An id that is 0 is invalid.
std::string idOf(std::string_view text, Fnv1a hash = {})
{
    const std::uint64_t value = hash.add(text).value();
    return fmt::format("{:016x}", value == 0 ? 1 : value);
}

/// A trace's id is twice as long as that of a span: the same text, hashed from another basis.
constexpr Fnv1a OtherHalf(0x84222325cbf29ce4U);

} // namespace

OtlpWriter::Attributes& OtlpWriter::Attributes::addValue(std::string_view name, Json value)
{
    m_list.push_back({{"key", name}, {"value", std::move(value)}});
    return *this;
}

OtlpWriter::Attributes& OtlpWriter::Attributes::add(std::string_view name, std::string_view text)
{
    return text.empty() ? *this : addValue(name, {{"stringValue", text}});
}

OtlpWriter::Attributes& OtlpWriter::Attributes::add(std::string_view name, std::int64_t number)
{
    return addValue(name, {{"intValue", std::to_string(number)}});
}

OtlpWriter::Attributes& OtlpWriter::Attributes::add(std::string_view name, double number)
{
    return std::isfinite(number) ? addValue(name, {{"doubleValue", number}}) : *this;
}

OtlpWriter::OtlpWriter(Sink& sink, const Attributes& resource, std::string_view trace)
    : m_sink(sink)
    , m_resource{{"attributes", resource.json()}}
    , m_scope{{"name", "ringmaster"}, {"version", RINGMASTER_VERSION}}
    , m_name(trace)
    , m_trace(idOf(trace) + idOf(trace, OtherHalf))
{
}

std::string OtlpWriter::spanId(std::string_view name) const
{
    return idOf(m_name + '\n' + std::string(name));
}

void OtlpWriter::write(const Span& span)
{
    Json json{{"traceId", m_trace}, {"spanId", span.id}};
    if (!span.parent.empty())
        json["parentSpanId"] = span.parent;
    json["name"] = span.name;
    json["kind"] = 1; // internal
    json["startTimeUnixNano"] = std::to_string(span.fromNs);
    json["endTimeUnixNano"] = std::to_string(span.untilNs);
    json["attributes"] = span.attributes.json();
    if (span.status != Status::Unset)
        json["status"] = {{"code", static_cast<int>(span.status)}};
    if (!span.message.empty())
        json["status"]["message"] = span.message;
    m_spans.push_back(std::move(json));
    if (m_spans.size() >= MostInARequest)
        putSpans();
}

void OtlpWriter::write(const Record& record)
{
    Json json{{"timeUnixNano", std::to_string(record.atNs)},
              {"observedTimeUnixNano", std::to_string(record.atNs)}};
    if (record.severity != Severity::Unspecified)
        json["severityNumber"] = static_cast<int>(record.severity);
    json["body"] = {{"stringValue", record.body}};
    json["attributes"] = record.attributes.json();
    json["traceId"] = m_trace;
    if (!record.span.empty())
        json["spanId"] = record.span;
    m_records.push_back(std::move(json));
    m_recordBytes += record.body.size();
    if (m_records.size() >= MostInARequest || m_recordBytes >= MostTextBytes)
        putRecords();
}

Result<void> OtlpWriter::finish()
{
    putSpans();
    putRecords();
    return m_result;
}

void OtlpWriter::putSpans()
{
    if (m_spans.empty())
        return;
    Json scope{{"scope", m_scope}, {"spans", std::exchange(m_spans, Json::array())}};
    put(Signal::Traces,
        {{"resourceSpans",
          Json::array({{{"resource", m_resource}, {"scopeSpans", Json::array({scope})}}})}});
}

void OtlpWriter::putRecords()
{
    if (m_records.empty())
        return;
    Json scope{{"scope", m_scope}, {"logRecords", std::exchange(m_records, Json::array())}};
    m_recordBytes = 0;
    put(Signal::Logs,
        {{"resourceLogs",
          Json::array({{{"resource", m_resource}, {"scopeLogs", Json::array({scope})}}})}});
}

void OtlpWriter::put(Signal signal, const Json& request)
{
    if (m_result)
        m_result = m_sink.put(signal, request.dump(-1, ' ', false, Json::error_handler_t::replace));
}

} // namespace ringmaster
