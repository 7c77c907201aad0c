#pragma once

#include "engine/base/Environment.h"
#include "engine/cli/HttpPost.h"
#include "engine/cli/OtlpWriter.h"

#include <cstdint>
#include <string>

namespace ringmaster {

/// Sends OTLP to a collector over HTTP, a request after the other. What is too much for it now is
/// sent again, in the time that it asks for; bounded.
class OtlpCollector : public OtlpWriter::Sink
{
public:
    struct Settings
    {
        HttpUrl url{}; ///< Without /v1/traces.
        HttpHeaders headers{};
        std::chrono::milliseconds timeout{10'000}; ///< For one request.
        int tries = 5;

        /// By the variables OTEL_EXPORTER_OTLP_ENDPOINT (where `url` is empty), _HEADERS and
        /// _TIMEOUT.
        static Result<Settings> from(std::string url, const EnvironmentMap& environment);
    };

    explicit OtlpCollector(Settings settings) : m_settings(std::move(settings)) {}

    Result<void> put(OtlpWriter::Signal signal, const std::string& request) override;

    std::uint64_t bytesSent() const { return m_bytesSent; }
    /// Spans and records that it didn't keep, and what it said of the last ones.
    std::uint64_t rejected() const { return m_rejected; }
    const std::string& whyRejected() const { return m_whyRejected; }

private:
    Result<HttpAnswer> post(const HttpUrl& url, const std::string& request);
    void takeRejections(const std::string& body);

    Settings m_settings;
    int m_requests = 0;
    std::uint64_t m_bytesSent = 0;
    std::uint64_t m_rejected = 0;
    std::string m_whyRejected;
};

} // namespace ringmaster
