#include "engine/worker/hook/StartHook.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/Paths.h"

#include <charconv>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;
using Json = nlohmann::json;

namespace {

/// Of one reading; a line longer than that is never complete, so the file isn't read on.
constexpr size_t ReadSize = 64U << 10U;
constexpr size_t MostFacts = 16;
constexpr size_t LongestFact = 4096;

std::string escaped(std::string_view value)
{
    constexpr std::string_view Digits = "0123456789ABCDEF";
    std::string text;
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '%' || c == ';' || byte < 0x20)
            text += {'%', Digits[byte >> 4U], Digits[byte & 15U]};
        else
            text += c;
    }
    return text;
}

/// Nested values are nothing that a part says, and printing them would recurse.
std::string textOf(const Json& value)
{
    if (value.is_structured())
        return {};
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    return text.substr(0, LongestFact);
}

int numberOf(std::string_view text)
{
    int number = -1;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc() && read.ptr == text.data() + text.size() ? number : -1;
}

std::optional<HookReport> reportOf(std::string_view line)
{
    const Json json = Json::parse(line, nullptr, false);
    if (!json.is_object() || !json.contains("part") || !json.contains("kind"))
        return std::nullopt;
    HookReport report;
    for (const auto& [name, value] : json.items()) {
        if (name == "part")
            report.part = textOf(value);
        else if (name == "kind")
            report.kind = textOf(value);
        else if (name == "rank")
            report.rank = numberOf(textOf(value));
        else if (name == "pid")
            report.pid = numberOf(textOf(value));
        else if (report.facts.size() < MostFacts)
            report.facts[name] = textOf(value);
    }
    return report;
}

std::optional<fs::path> helperFolder(const char* beside, const char* installed, const char* file)
{
    const fs::path here = executableFolder();
    for (const fs::path& folder :
         {here / beside, here.parent_path() / "libexec/ringmaster" / installed}) {
        std::error_code ignored;
        if (fs::exists(folder / file, ignored))
            return folder;
    }
    return std::nullopt;
}

} // namespace

std::string hookText(const std::vector<HookPart>& parts, const fs::path& reportFile)
{
    if (parts.empty())
        return {};
    std::string text;
    if (!reportFile.empty())
        text = "report=" + escaped(reportFile.string());
    for (const HookPart& part : parts) {
        if (!text.empty())
            text += ';';
        text += part.name;
        if (!part.value.empty())
            text += '=' + escaped(part.value);
    }
    return text;
}

std::optional<fs::path> hookStartFolder()
{
    return helperFolder("ringmaster-hook/start", "hook/start", "sitecustomize.py");
}

std::optional<fs::path> ringFolder()
{
    return helperFolder("ringmaster-ring", "ring", "ringmaster_ring/__init__.py");
}

std::optional<fs::path> ncclProfiler()
{
    constexpr const char* File = "nccl-profiler.so";
    const auto folder = helperFolder("ringmaster-hook/parts", "hook/parts", File);
    return folder ? std::optional(*folder / File) : std::nullopt;
}

std::vector<HookReport> HookReportReader::readNew()
{
    std::vector<HookReport> reports;
    const FileDescriptor file(
        ::open(m_file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY));
    if (!file.isOpen())
        return reports;
    std::string text(ReadSize, '\0');
    while (m_given < MostReports) {
        const ssize_t got =
            ::pread(file.get(), text.data(), text.size(), static_cast<off_t>(m_offset));
        const std::string_view read(text.data(), got > 0 ? static_cast<size_t>(got) : 0);
        const size_t end = read.rfind('\n');
        if (end == std::string_view::npos)
            break;
        m_offset += end + 1;
        for (size_t at = 0; at <= end && m_given < MostReports;) {
            const size_t next = read.find('\n', at);
            if (auto report = reportOf(read.substr(at, next - at))) {
                reports.push_back(*std::move(report));
                ++m_given;
            }
            at = next + 1;
        }
    }
    return reports;
}

} // namespace ringmaster
