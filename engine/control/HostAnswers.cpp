#include "engine/control/HostAnswers.h"

#include "engine/base/Codes.h"

#include <nlohmann/json.hpp>

namespace ringmaster {

namespace {

using Json = nlohmann::ordered_json;

Error malformed(const char* why)
{
    return {{code::MalformedMessage, {{"what", "answer about hosts"}}, why}, {}};
}

/// A code that this version doesn't know keeps its English sentence.
Message messageOf(const Json& json)
{
    Message message;
    message.detail = json.value("detail", "");
    const auto code = codeFromName(json.value("code", ""));
    const Json parameters = json.value("parameters", Json::object());
    for (const auto& [name, value] : parameters.items())
        message.parameters[name] = value.get<std::string>();
    if (code) {
        message.code = *code;
    } else {
        message.code = code::MalformedMessage;
        message.parameters["what"] = "statement";
        message.detail = json.value("text", "");
    }
    return message;
}

Host hostOf(const Json& json)
{
    Host host{.name = json.value("name", ""),
              .destination = json.value("ssh", ""),
              .slots = json.value("slots", 0),
              .groups = json.value("groups", std::vector<std::string>{}),
              .interpreter = json.value("interpreter", ""),
              .code = json.value("code", ""),
              .sync = codeSyncOf(json.value("sync", "")).value_or(CodeSync::Shared),
              .exclude = json.value("exclude", std::vector<std::string>{}),
              .interface = json.value("interface", ""),
              .address = json.value("address", "")};
    if (host.destination == host.name)
        host.destination.clear();
    const Json environment = json.value("environment", Json::object());
    for (const auto& [name, value] : environment.items())
        host.environment[name] = value.get<std::string>();
    return host;
}

HostReport reportOf(const Json& json)
{
    HostReport report{.host = json.value("host", ""), .fix = json.value("fix", "")};
    if (!json.value("isUsable", false)) {
        report.facts = tl::unexpected(Error{messageOf(json.value("problem", Json::object())), {}});
        return report;
    }
    using std::chrono::nanoseconds;
    report.facts = factsFromJson(json.value("facts", Json::object()).dump());
    report.roundTrip = nanoseconds(json.value("roundTripNs", std::int64_t{0}));
    report.clockOffset = nanoseconds(json.value("clockOffsetNs", std::int64_t{0}));
    report.clockBound = nanoseconds(json.value("clockBoundNs", std::int64_t{0}));
    report.wasCopied = json.value("wasCopied", false);
    return report;
}

PreflightFinding findingOf(const Json& json)
{
    using Grade = PreflightFinding::Grade;
    const std::string grade = json.value("grade", "");
    return {grade == "ok"     ? Grade::Good
            : grade == "note" ? Grade::Warning
                              : Grade::Bad,
            json.value("host", ""), json.value("peer", ""),
            messageOf(json.value("message", Json::object())), json.value("fix", "")};
}

template <class T>
Result<std::vector<T>> listOf(std::string_view text, T (*read)(const Json&))
{
    const Json json = Json::parse(text, nullptr, false);
    try {
        if (json.is_object() && json.contains("error"))
            return tl::unexpected(Error{messageOf(json["error"]), {}});
        if (!json.is_array())
            return tl::unexpected(malformed("not a list"));
        std::vector<T> list;
        for (const Json& each : json)
            list.push_back(read(each));
        return list;
    } catch (const Json::exception& error) {
        return tl::unexpected(malformed(error.what()));
    }
}

} // namespace

Result<std::vector<Host>> hostsFromJson(std::string_view text)
{
    return listOf<Host>(text, hostOf);
}

Result<std::vector<std::string>> namesFromJson(std::string_view text)
{
    return listOf<std::string>(text, [](const Json& json) { return json.get<std::string>(); });
}

Result<std::vector<HostReport>> reportsFromJson(std::string_view text)
{
    return listOf<HostReport>(text, reportOf);
}

Result<std::vector<PreflightFinding>> findingsFromJson(std::string_view text)
{
    return listOf<PreflightFinding>(text, findingOf);
}

Result<void> doneFromJson(std::string_view text)
{
    if (text.find_first_not_of(" \n") == std::string_view::npos)
        return {};
    const auto list = namesFromJson(text);
    return list ? Result<void>() : tl::unexpected(list.error());
}

} // namespace ringmaster
