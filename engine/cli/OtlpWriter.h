#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace ringmaster {

/// Makes OpenTelemetry's OTLP in its JSON form: export requests with the traces and logs of one
/// resource. Holds one request of each.
class OtlpWriter
{
public:
    using Json = nlohmann::ordered_json;

    /// Of the protocol: int64 as text, enumerations as numbers, ids in hexadecimal.
    class Attributes
    {
    public:
        Attributes& add(std::string_view name, std::string_view text);
        Attributes& add(std::string_view name, std::int64_t number);
        Attributes& add(std::string_view name, double number); ///< Finite ones only.
        const Json& json() const { return m_list; }

    private:
        Attributes& addValue(std::string_view name, Json value);

        Json m_list = Json::array();
    };

    enum class Signal { Traces, Logs };

    /// Where the requests go.
    class Sink
    {
    public:
        virtual ~Sink() = default;
        virtual Result<void> put(Signal signal, const std::string& request) = 0;
    };

    enum class Status { Unset = 0, Ok = 1, Error = 2 };
    enum class Severity { Unspecified = 0, Info = 9, Warning = 13, Error = 17 };

    struct Span
    {
        std::string id{}; ///< spanId(); of its parent:
        std::string parent{};
        std::string name{};
        std::int64_t fromNs = 0; ///< Since 1970, as the next.
        std::int64_t untilNs = 0;
        Attributes attributes{};
        Status status = Status::Unset;
        std::string message{}; ///< Of a status that is an error.
    };

    struct Record
    {
        std::int64_t atNs = 0;
        Severity severity = Severity::Unspecified;
        std::string body{};
        std::string span{}; ///< That it is of; empty: of none.
        Attributes attributes{};
    };

    /// `trace`: what names it, from which its id follows.
    OtlpWriter(Sink& sink, const Attributes& resource, std::string_view trace);

    /// The same for the same name, and another for another one.
    std::string spanId(std::string_view name) const;
    void write(const Span& span);
    void write(const Record& record);
    /// What is held is written; nothing may follow. An error ended it all.
    Result<void> finish();
    /// An error: nothing goes out any more.
    bool hasFailed() const { return !m_result; }

private:
    void putSpans();
    void putRecords();
    void put(Signal signal, const Json& request);

    Sink& m_sink;
    Result<void> m_result;
    Json m_resource;
    Json m_scope;
    std::string m_name;
    std::string m_trace;
    Json m_spans = Json::array();
    Json m_records = Json::array();
    size_t m_recordBytes = 0; ///< Of their texts.
};

} // namespace ringmaster
