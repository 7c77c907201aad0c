#include "engine/cli/OtlpCollector.h"

#include "engine/cli/Codes.h"
#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <charconv>
#include <thread>

namespace ringmaster {

namespace {

using namespace std::chrono_literals;

constexpr size_t MostText = 300;
constexpr std::chrono::seconds LongestWait = 30s;

/// Of a JSON Status of gRPC, or whatever else it answered.
std::string answerText(const std::string& body)
{
    const Json read = Json::parse(body, nullptr, false);
    const bool isStatus =
        read.is_object() && read.contains("message") && read["message"].is_string();
    std::string text = harmless(isStatus ? read["message"].get<std::string>() : body);
    if (text.size() > MostText) {
        size_t end = MostText; // not within a character of UTF-8
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80)
            --end;
        text = text.substr(0, end) + "…";
    }
    return text.empty() ? "no reason" : text;
}

bool mayComeAgain(int status)
{
    return status == 429 || status == 502 || status == 503 || status == 504;
}

std::chrono::seconds waitAfter(const HttpAnswer& answer, int tries)
{
    int seconds = 1 << std::min(tries, 4);
    const std::string& asked = answer.retryAfter; // a date isn't read
    std::from_chars(asked.data(), asked.data() + asked.size(), seconds);
    return std::clamp(std::chrono::seconds(seconds), 0s, LongestWait);
}

Error refusal(const HttpUrl& url, const HttpAnswer& answer)
{
    const bool isSecret = answer.status == 401 || answer.status == 403;
    const bool isElsewhere = answer.status == 404 || answer.status == 405;
    const Code what = isSecret      ? code::OtlpForbidden
                      : isElsewhere ? code::OtlpNotThere
                                    : code::OtlpRefused;
    return Error{{what,
                  {{"url", url.text()},
                   {"status", std::to_string(answer.status)},
                   {"text", answerText(answer.body)}},
                  {}},
                 {}};
}

std::optional<std::string> unescaped(std::string_view text)
{
    std::string plain;
    for (size_t i = 0; i < text.size(); ++i) {
        int value = static_cast<unsigned char>(text[i]);
        if (text[i] == '%') {
            const char* digits = text.data() + i + 1;
            if (i + 2 >= text.size() ||
                std::from_chars(digits, digits + 2, value, 16).ptr != digits + 2)
                return std::nullopt;
            i += 2;
        }
        if (value < ' ' || value == 0x7f)
            return std::nullopt;
        plain += static_cast<char>(value);
    }
    return plain;
}

/// "api-key=secret,other=a%20b"
Result<HttpHeaders> headersOf(std::string_view text)
{
    constexpr std::string_view Name = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                      "0123456789!#$%&'*+-.^_`|~";
    HttpHeaders headers;
    while (!stripped(text).empty()) {
        const size_t comma = std::min(text.find(','), text.size());
        const std::string_view pair = text.substr(0, comma);
        const size_t equals = pair.find('=');
        const std::string_view name = stripped(pair.substr(0, equals));
        const auto value = equals == std::string_view::npos
                               ? std::nullopt
                               : unescaped(stripped(pair.substr(equals + 1)));
        if (!value || name.empty() || name.find_first_not_of(Name) != std::string_view::npos)
            return fail(code::OtlpHeadersInvalid);
        headers.emplace_back(name, *value);
        text.remove_prefix(std::min(comma + 1, text.size()));
    }
    return headers;
}

std::string valueOf(const EnvironmentMap& environment, const char* name)
{
    const auto found = environment.find(name);
    return found != environment.end() ? found->second : std::string();
}

} // namespace

Result<OtlpCollector::Settings> OtlpCollector::Settings::from(std::string url,
                                                              const EnvironmentMap& environment)
{
    if (url.empty())
        url = valueOf(environment, "OTEL_EXPORTER_OTLP_ENDPOINT");
    if (url.empty())
        url = "http://localhost:4318";
    Settings settings;
    const auto parsed = HttpUrl::parse(url);
    if (!parsed && url.starts_with("https:"))
        return fail(code::OtlpHttpsUnsupported, {{"url", harmless(url)}});
    if (!parsed)
        return fail(code::OtlpUrlInvalid, {{"url", harmless(url)}});
    settings.url = *parsed;
    settings.headers = RM_TRY(headersOf(valueOf(environment, "OTEL_EXPORTER_OTLP_HEADERS")));
    const std::string timeout = valueOf(environment, "OTEL_EXPORTER_OTLP_TIMEOUT");
    if (timeout.empty())
        return settings;
    int milliseconds = 0;
    const char* end = timeout.data() + timeout.size();
    const auto read = std::from_chars(timeout.data(), end, milliseconds);
    if (read.ec != std::errc() || read.ptr != end || milliseconds <= 0)
        return fail(code::OtlpTimeoutInvalid, {{"value", timeout}});
    settings.timeout = std::chrono::milliseconds(milliseconds);
    return settings;
}

Result<void> OtlpCollector::put(OtlpWriter::Signal signal, const std::string& request)
{
    HttpUrl url = m_settings.url;
    url.path += signal == OtlpWriter::Signal::Traces ? "/v1/traces" : "/v1/logs";
    ++m_requests;
    auto answer = post(url, request);
    if (!answer && m_requests > 1) // those are there; their spans' ids would come again
        return tl::unexpected(std::move(answer).error().during(
            code::OtlpSendingOn, {{"requests", std::to_string(m_requests - 1)}}));
    if (!answer)
        return tl::unexpected(std::move(answer).error());
    m_bytesSent += request.size();
    takeRejections(answer->body);
    return {};
}

Result<HttpAnswer> OtlpCollector::post(const HttpUrl& url, const std::string& request)
{
    for (int tries = 0;; ++tries) {
        HttpAnswer answer = RM_TRY(httpPost(url, m_settings.headers, request, m_settings.timeout));
        if (answer.status >= 200 && answer.status < 300)
            return answer;
        if (!mayComeAgain(answer.status) || tries + 1 >= m_settings.tries)
            return tl::unexpected(refusal(url, answer));
        std::this_thread::sleep_for(waitAfter(answer, tries));
    }
}

/// {"partialSuccess": {"rejectedSpans": "3", "errorMessage": "…"}}
void OtlpCollector::takeRejections(const std::string& body)
{
    const Json read = Json::parse(body, nullptr, false);
    if (!read.is_object() || !read.contains("partialSuccess") ||
        !read["partialSuccess"].is_object())
        return;
    const Json& part = read["partialSuccess"];
    for (const char* name : {"rejectedSpans", "rejectedLogRecords"}) {
        const Json count = part.value(name, Json());
        std::uint64_t number = count.is_number_unsigned() ? count.get<std::uint64_t>() : 0;
        if (count.is_string()) {
            const auto& text = count.get_ref<const std::string&>();
            std::from_chars(text.data(), text.data() + text.size(), number);
        }
        m_rejected += number;
    }
    if (const Json why = part.value("errorMessage", Json()); why.is_string())
        m_whyRejected = answerText(why.get<std::string>());
}

} // namespace ringmaster
