#include "engine/agent/FailureReport.h"

#include "engine/base/Codes.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>

namespace ringmaster {
namespace {

constexpr std::size_t WidestLine = 60;
constexpr std::size_t ShownLines = 8;

/// Python's len(): characters, not bytes.
std::size_t length(std::string_view utf8)
{
    return static_cast<std::size_t>(
        std::ranges::count_if(utf8, [](char byte) { return (byte & '\xC0') != '\x80'; }));
}

std::vector<std::string_view> linesOf(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (true) {
        const std::size_t end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == std::string_view::npos)
            return lines;
        text.remove_prefix(end + 1);
    }
}

std::string indented(std::string_view text, std::string_view indent)
{
    std::string result;
    for (const char one : text) {
        result += one;
        if (one == '\n')
            result += indent;
    }
    return result;
}

std::string localTime(std::int64_t epochSeconds)
{
    const auto time = static_cast<std::time_t>(epochSeconds);
    std::tm parts{};
    localtime_r(&time, &parts);
    char text[32];
    const std::size_t size = std::strftime(text, sizeof text, "%Y-%m-%d_%H:%M:%S", &parts);
    return {text, size};
}

std::string torchrunSignalName(int signal)
{
    const char* name = sigabbrev_np(signal);
    return name != nullptr ? std::string("SIG") + name : "<N/A>";
}

/// Shown since torch 2.12 (pytorch/pytorch#175254), and a space where there is none.
std::string torchrunSignal(const std::string& torchVersion, int signal)
{
    constexpr std::pair FirstVersion(2, 12);
    std::pair version(0, 0);
    const int found = std::sscanf(torchVersion.c_str(), "%d.%d", &version.first, &version.second);
    if (found != 2 || version < FirstVersion)
        return {};
    const char* name = signal != 0 ? sigabbrev_np(signal) : nullptr;
    return name != nullptr ? std::string("  (SIG") + name + ")" : " ";
}

/// What torchrun shows beside "traceback :".
std::string torchrunMessage(const WorkerExited& exit)
{
    if (!exit.errorFile.empty() && !exit.traceback.empty())
        return indented(exit.traceback, "  ");
    if (!exit.errorFile.empty() && !exit.errorText.empty())
        return indented(
            exit.errorType.empty() ? exit.errorText : exit.errorType + ": " + exit.errorText, "  ");
    if (exit.status.signal != 0)
        return "Signal " + std::to_string(exit.status.signal) + " (" +
               torchrunSignalName(exit.status.signal) + ") received by PID " +
               std::to_string(exit.pid);
    return "To enable traceback see: https://pytorch.org/docs/stable/elastic/errors.html";
}

std::string lastLines(std::string_view text, std::size_t count)
{
    while (!text.empty() && text.back() == '\n')
        text.remove_suffix(1);
    if (text.empty())
        return {};
    const auto lines = linesOf(text);
    std::string result;
    for (std::size_t i = lines.size() - std::min(count, lines.size()); i < lines.size(); ++i)
        result += "    " + std::string(lines[i]) + "\n";
    return result;
}

} // namespace

FailureReport::FailureReport(About about, std::vector<Failure> ends, FirstCause cause)
    : m_about(std::move(about)), m_failures(std::move(ends)), m_cause(std::move(cause))
{
    std::erase_if(m_failures, [](const Failure& end) { return end.exit.status.succeeded(); });
}

const Failure* FailureReport::root() const
{
    const auto guilty = std::ranges::find_if(m_failures, [this](const Failure& failure) {
        return failure.exit.globalRank == m_cause.globalRank;
    });
    if (guilty != m_failures.end())
        return &*guilty;
    const auto own = std::ranges::find_if(
        m_failures, [](const Failure& failure) { return !failure.exit.endedByAgent; });
    if (own != m_failures.end())
        return &*own;
    return m_failures.empty() ? nullptr : &m_failures.front();
}

std::string FailureReport::block(std::size_t index) const
{
    const Failure& failure = m_failures[index];
    const WorkerExited& exit = failure.exit;
    const std::int64_t seconds = failure.raisedAt.value_or(failure.at.wallNs / 1'000'000'000);
    return "[" + std::to_string(index) + "]:\n  time      : " + localTime(seconds) +
           "\n  host      : " + (failure.node.empty() ? m_about.hostName : failure.node) +
           "\n  rank      : " + std::to_string(exit.globalRank) +
           " (local_rank: " + std::to_string(exit.localRank) +
           ")\n  exitcode  : " + std::to_string(exit.status.exitCode()) +
           " (pid: " + std::to_string(exit.pid) + ")" +
           torchrunSignal(m_about.torchVersion, exit.status.signal) +
           "\n  error_file: " + (exit.errorFile.empty() ? "<N/A>" : exit.errorFile) +
           "\n  traceback : " + torchrunMessage(exit);
}

std::string FailureReport::asTorchrun() const
{
    const Failure* rootFailure = root();
    if (rootFailure == nullptr)
        return {};
    const std::string title = m_about.name + " FAILED";
    std::size_t width = length(title);
    std::string others;
    std::string rootBlock;
    for (std::size_t i = 0; i < m_failures.size(); ++i) {
        const std::string text = block(i);
        for (const std::string_view line : linesOf(text))
            width = std::max(width, length(line));
        if (&m_failures[i] == rootFailure)
            rootBlock = text;
        else
            others += (others.empty() ? "" : "\n") + text;
    }
    width = std::min(width, WidestLine);
    const std::string border(width, '=');
    const std::string section(width, '-');
    return "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n" + border + "\n" +
           title + "\n" + section + "\nFailures:\n" +
           (others.empty() ? "  <NO_OTHER_FAILURES>" : others) + "\n" + section +
           "\nRoot Cause (first observed failure):\n" + rootBlock + "\n" + border + "\n";
}

std::string FailureReport::readable() const
{
    std::string text = describe(m_cause.cause) + "\n";
    if (const Failure* failure = root()) {
        const std::string& said =
            m_cause.traceback.empty() ? failure->stderrTail : m_cause.traceback;
        if (const std::string shown = lastLines(said, ShownLines); !shown.empty())
            text += "  The end of what rank " + std::to_string(failure->exit.globalRank) +
                    " said:\n" + shown;
        if (!failure->logFolder.empty())
            text += "  All of it: " + failure->logFolder + "\n";
    }
    if (m_cause.remedy.code != code::None)
        text += "  " + describe(m_cause.remedy) + "\n";
    return text;
}

} // namespace ringmaster
