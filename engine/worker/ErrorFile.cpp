#include "engine/worker/ErrorFile.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/worker/Traceback.h"

#include <charconv>

#include <nlohmann/json.hpp>

namespace ringmaster {

namespace {

using Json = nlohmann::json;

constexpr std::size_t LargestErrorFile = 8U << 20U;
constexpr std::size_t LongestText = 16U << 10U;
constexpr std::size_t LongestCallStack = 256U << 10U;
constexpr unsigned Readable = 0644;
constexpr int Deepest = 64;

/// What lies deeper is left out: writing it again would recurse. torch's has three levels.
Json parsed(std::string_view content)
{
    const auto isShallow = [](int depth, Json::parse_event_t, Json&) { return depth < Deepest; };
    return Json::parse(content, isShallow, false);
}

std::string textAt(const Json& object, const char* key)
{
    const auto found = object.is_object() ? object.find(key) : object.end();
    return object.is_object() && found != object.end() && found->is_string()
               ? found->get<std::string>()
               : std::string();
}

/// torch writes the seconds as text; others have written a number.
std::optional<std::int64_t> timestampOf(const Json& object)
{
    if (!object.is_object() || !object.contains("timestamp"))
        return std::nullopt;
    const Json& value = object["timestamp"];
    if (value.is_number_integer())
        return value.get<std::int64_t>();
    if (value.is_number_float() && std::abs(value.get<double>()) < 1e15)
        return static_cast<std::int64_t>(value.get<double>());
    const std::string text = value.is_string() ? value.get<std::string>() : std::string();
    std::int64_t seconds = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), seconds);
    return !text.empty() && result.ec == std::errc() ? std::optional(seconds) : std::nullopt;
}

void setException(ErrorReport& report, std::string_view text)
{
    std::tie(report.type, report.text) = splitException(text);
    if (report.text.size() > LongestText)
        report.text.resize(LongestText);
}

Json madeUp(const ErrorReport& report)
{
    const std::string text = report.type.empty() ? report.text : report.type + ": " + report.text;
    Json extra{{"py_callstack", report.traceback.empty() ? text : report.traceback}};
    if (report.timestamp)
        extra["timestamp"] = std::to_string(*report.timestamp);
    return {{"message", {{"message", text}, {"extraInfo", extra}}}};
}

ErrorReport reportIn(std::string_view content)
{
    ErrorReport report;
    const Json json = parsed(content);
    if (!json.is_object() || !json.contains("message")) {
        report.text = boundedEnd(content, LongestText);
        return report;
    }
    const Json& message = json["message"];
    if (message.is_string()) {
        setException(report, message.get<std::string>());
        report.timestamp = timestampOf(json);
        return report;
    }
    setException(report, textAt(message, "message"));
    if (message.is_object() && message.contains("extraInfo")) {
        const Json& extra = message["extraInfo"];
        report.traceback = boundedEnd(textAt(extra, "py_callstack"), LongestCallStack);
        report.timestamp = timestampOf(extra);
        locate(report);
    }
    return report;
}

} // namespace

std::optional<ErrorReport> parseErrorFile(std::string_view content)
{
    if (content.find_first_not_of(" \t\r\n") == std::string_view::npos)
        return std::nullopt;
    ErrorReport report = reportIn(content);
    setNativeStackApart(report);
    return report;
}

std::optional<ErrorReport> readErrorFile(const std::filesystem::path& path)
{
    if (path.empty())
        return std::nullopt;
    const Result<std::string> content = readUntrustedFile(path, LargestErrorFile);
    if (content)
        return parseErrorFile(*content);
    if (content.error().code == code::FileNotFound)
        return std::nullopt;
    return ErrorReport{.text = describe(content.error())};
}

Result<void> copyErrorFile(const std::filesystem::path& source, const ErrorReport& report,
                           int exitCode, const std::filesystem::path& target)
{
    Json json;
    if (const auto content = source.empty() ? Result<std::string>(std::string())
                                            : readUntrustedFile(source, LargestErrorFile))
        json = parsed(*content);
    if (!json.is_object() || !json.contains("message"))
        json = madeUp(report);
    // A plain-text message has no place for it, and torchrun leaves it out too.
    if (exitCode != 0 && json["message"].is_object())
        json["message"]["errorCode"] = exitCode;
    return writeFileAtomically(target, json.dump(-1, ' ', true, Json::error_handler_t::replace),
                               Readable);
}

} // namespace ringmaster
