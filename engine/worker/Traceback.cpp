#include "engine/worker/Traceback.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

namespace ringmaster {

using namespace std::string_view_literals;

namespace {

constexpr std::size_t LongestTraceback = 64U << 10U;
constexpr std::size_t MostMessageLines = 20;
constexpr auto Header = "Traceback (most recent call last):"sv;
constexpr auto FatalError = "Fatal Python error: "sv;
constexpr auto Terminate = "terminate called after throwing an instance of '"sv;

bool isBlank(std::string_view line)
{
    return line.find_first_not_of(" \t") == std::string_view::npos;
}

bool isIndented(std::string_view line)
{
    return line.starts_with(' ') || line.starts_with('\t');
}

/// torch's excepthook puts "[rank3]:" before every line, and a space unless the line is empty.
std::string_view withoutRank(std::string_view line)
{
    constexpr auto Start = "[rank"sv;
    if (!line.starts_with(Start))
        return line;
    const std::size_t end = line.find_first_not_of("0123456789", Start.size());
    if (end == std::string_view::npos || end == Start.size() || !line.substr(end).starts_with("]:"))
        return line;
    line.remove_prefix(end + 2);
    if (line.starts_with(' '))
        line.remove_prefix(1);
    return line;
}

/// "[W1126 11:31:32.784410625 ProcessGroupNCCL.cpp:1575] …": of torch's own log, not of a message.
bool isTorchLog(std::string_view line)
{
    constexpr std::size_t DateDigits = 4;
    return line.size() > DateDigits + 2 && line[0] == '[' &&
           "IWEF"sv.find(line[1]) != std::string_view::npos &&
           line.find_first_not_of("0123456789", 2) == DateDigits + 2;
}

/// One of an exception's message, which may have more than one.
bool goesOn(std::string_view line)
{
    return !isBlank(line) && !isTorchLog(line);
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        lines.push_back(withoutRank(line));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

std::string joined(const std::vector<std::string_view>& lines, std::size_t first, std::size_t end)
{
    std::string text;
    for (std::size_t i = first; i < end; ++i)
        text.append(lines[i]).append("\n");
    return boundedEnd(text, LongestTraceback);
}

using Lines = std::vector<std::string_view>;
constexpr auto Nowhere = static_cast<std::size_t>(-1);

std::size_t lastLineThat(const Lines& lines, const auto& predicate)
{
    for (std::size_t i = lines.size(); i > 0; --i) {
        if (predicate(lines[i - 1]))
            return i - 1;
    }
    return Nowhere;
}

/// From its header, or (for a SyntaxError, which has none) from its "  File" line.
std::optional<ErrorReport> pythonTraceback(const Lines& lines, std::size_t start)
{
    std::size_t end = start + 1;
    while (end < lines.size() && (isIndented(lines[end]) || isBlank(lines[end])))
        ++end;
    if (end == lines.size())
        return std::nullopt; // Killed while it printed, or cut off.
    ErrorReport report;
    std::tie(report.type, report.text) = splitException(lines[end]);
    if (report.type.empty())
        return std::nullopt;
    const std::size_t most = std::min(lines.size(), end + MostMessageLines);
    for (++end; end < most && goesOn(lines[end]); ++end)
        report.text.append("\n").append(lines[end]);
    report.traceback = joined(lines, start, end);
    locate(report);
    setNativeStackApart(report);
    return report;
}

std::size_t startOfSyntaxError(const Lines& lines)
{
    const std::size_t error = lastLineThat(lines, [](std::string_view line) {
        const std::string type = splitException(line).first;
        return type == "SyntaxError" || type == "IndentationError" || type == "TabError";
    });
    for (std::size_t i = error; i != Nowhere && i > 0 && isIndented(lines[i - 1]); --i) {
        if (lines[i - 1].starts_with("  File "))
            return i - 1;
    }
    return Nowhere;
}

std::optional<ErrorReport> fatalError(const Lines& lines, std::size_t start)
{
    ErrorReport report;
    report.type = "Fatal Python error";
    report.text = lines[start].substr(FatalError.size());
    report.traceback = joined(lines, start, lines.size());
    // faulthandler prints the most recent call first.
    for (std::size_t i = start; i < lines.size(); ++i) {
        if (!lines[i].starts_with("  File "))
            continue;
        ErrorReport frame{.traceback = std::string(lines[i])};
        locate(frame);
        report.file = frame.file;
        report.line = frame.line;
        break;
    }
    return report;
}

std::optional<ErrorReport> uncaughtException(const Lines& lines, std::size_t start)
{
    ErrorReport report;
    const std::string_view type = lines[start].substr(Terminate.size());
    report.type = type.substr(0, type.find('\''));
    std::size_t end = start + 1;
    if (end < lines.size() && lines[end].starts_with("  what():"))
        report.text = lines[end++].substr("  what():"sv.size());
    report.text.erase(0, report.text.find_first_not_of(' '));
    const std::size_t most = std::min(lines.size(), end + MostMessageLines);
    for (; end < most && goesOn(lines[end]); ++end)
        report.text.append("\n").append(lines[end]);
    report.traceback = joined(lines, start, end);
    setNativeStackApart(report);
    return report;
}

bool hasAny(std::string_view text, const auto& parts)
{
    return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
        return text.find(part) != std::string_view::npos;
    });
}

} // namespace

std::optional<ErrorReport> lastTraceback(std::string_view standardError)
{
    const Lines lines = linesOf(standardError);
    const std::size_t header =
        lastLineThat(lines, [](std::string_view line) { return line == Header; });
    const std::size_t syntax = startOfSyntaxError(lines);
    const std::size_t fatal =
        lastLineThat(lines, [](std::string_view line) { return line.starts_with(FatalError); });
    const auto isLater = [](std::size_t one, std::size_t other) {
        return one != Nowhere && (other == Nowhere || one > other);
    };
    if (isLater(fatal, header))
        return fatalError(lines, fatal);
    const std::size_t start = isLater(syntax, header) && header == Nowhere ? syntax : header;
    if (start != Nowhere) {
        if (auto report = pythonTraceback(lines, start))
            return report;
    }
    // Only when there is nothing better: it is often the end of a process that failed before.
    const std::size_t terminated =
        lastLineThat(lines, [](std::string_view line) { return line.starts_with(Terminate); });
    return terminated == Nowhere ? std::nullopt : uncaughtException(lines, terminated);
}

std::pair<std::string, std::string> splitException(std::string_view line)
{
    const std::size_t colon = line.find(':');
    const std::string_view type = line.substr(0, colon);
    const bool isName = !type.empty() && std::all_of(type.begin(), type.end(), [](unsigned char c) {
        return std::isalnum(c) != 0 || c == '_' || c == '.' || c >= 0x80;
    });
    if (!isName ||
        (colon != std::string_view::npos && colon + 1 < line.size() && line[colon + 1] != ' '))
        return {std::string(), std::string(line)};
    if (colon == std::string_view::npos)
        return {std::string(type), std::string()};
    return {std::string(type), std::string(line.substr(std::min(colon + 2, line.size())))};
}

void locate(ErrorReport& report)
{
    constexpr auto Start = "File \""sv;
    const std::string_view text = report.traceback;
    const std::size_t at = text.rfind(Start);
    const std::size_t nameEnd =
        at == std::string_view::npos ? at : text.find("\", line ", at + Start.size());
    if (nameEnd == std::string_view::npos)
        return;
    int line = 0;
    const char* digits = text.data() + nameEnd + "\", line "sv.size();
    if (std::from_chars(digits, text.data() + text.size(), line).ec != std::errc())
        return;
    report.file = text.substr(at + Start.size(), nameEnd - at - Start.size());
    report.line = line;
}

void setNativeStackApart(ErrorReport& report)
{
    const std::size_t raised = report.text.find("\nException raised from ");
    const std::size_t calls = report.text.find(" (most recent call first):", raised);
    const std::size_t start = std::min(calls == std::string::npos ? calls : raised,
                                       report.text.find("\nC++ CapturedTraceback:"));
    if (start == std::string::npos || start == 0)
        return;
    if (report.traceback.empty())
        report.traceback = report.text.substr(start + 1);
    report.text.resize(start);
}

std::string boundedEnd(std::string_view text, std::size_t limit)
{
    if (text.size() <= limit)
        return std::string(text);
    const std::string_view end = text.substr(text.size() - limit);
    const std::size_t line = end.find('\n');
    return "…\n" + std::string(end.substr(line == std::string_view::npos ? 0 : line + 1));
}

bool isConsequence(const ErrorReport& report)
{
    // Who speaks: a broken connection to a data server is the program's own matter.
    constexpr std::array Speakers{"torch/distributed"sv,
                                  "torch/csrc/distributed"sv,
                                  "c10d"sv,
                                  "gloo"sv,
                                  "NCCL"sv,
                                  "ncclS"sv,
                                  "TCPStore"sv,
                                  "ProcessGroup"sv,
                                  "DistNetworkError"sv,
                                  "DistBackendError"sv,
                                  "DistStoreError"sv};
    constexpr std::array Complaints{"onnection closed by peer"sv,
                                    "onnection reset by peer"sv,
                                    "roken pipe"sv,
                                    "onnection refused"sv,
                                    "Software caused connection abort"sv,
                                    "ncclRemoteError"sv,
                                    "socketPollConnect"sv,
                                    "socketProgress"sv,
                                    "remote process exited"sv,
                                    "remote peer"sv,
                                    "got 0 bytes"sv,
                                    "recvValue failed"sv,
                                    "recvBytes failed"sv,
                                    "recvVector failed"sv,
                                    "sendBytes failed"sv,
                                    "sendValue failed"sv,
                                    "communicator was aborted"sv,
                                    "imed out waiting"sv,
                                    "imed out after"sv,
                                    "collective operation timeout"sv,
                                    "Wait timeout"sv,
                                    "wait timeout"sv,
                                    "Application timeout caused pair closure"sv,
                                    "Socket Timeout"sv};
    const std::string said = report.type + ": " + report.text;
    return hasAny(said, Complaints) &&
           (hasAny(said, Speakers) || hasAny(report.traceback, Speakers));
}

} // namespace ringmaster
