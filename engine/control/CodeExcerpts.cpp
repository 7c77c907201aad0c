#include "engine/control/CodeExcerpts.h"

#include "engine/base/Files.h"
#include "engine/control/Codes.h"
#include "engine/ledger/UserCode.h"
#include "engine/text/PythonText.h"
#include "engine/text/SecretWords.h"

#include <algorithm>
#include <cctype>

#include <sys/stat.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr size_t LargestFile = 1U << 20U;
constexpr int Around = 6; ///< Lines before a place, and behind it.
constexpr size_t MostCodeLines = 240;
constexpr size_t LongestLine = 240;

bool isOfName(char c)
{
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-';
}

/// What the text that begins at `quote` is given to: a variable, a key, an argument.
std::string nameBefore(const std::string& line, size_t quote)
{
    size_t at = quote;
    const auto skip = [&](const char* characters) {
        while (at > 0 && std::string_view(characters).find(line[at - 1]) != std::string_view::npos)
            --at;
    };
    skip("rbfuRBFU");
    skip(" \t");
    if (at == 0 || std::string_view("=:,").find(line[at - 1]) == std::string_view::npos)
        return {};
    skip("=:,");
    skip(" \t])\"'");
    const size_t end = at;
    while (at > 0 && isOfName(line[at - 1]))
        --at;
    return line.substr(at, end - at);
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::vector<std::string> lines = split(text, '\n');
    if (text.ends_with('\n'))
        lines.pop_back();
    for (std::string& line : lines)
        if (line.ends_with('\r'))
            line.pop_back();
    return lines;
}

std::string shortened(std::string line)
{
    if (line.size() <= LongestLine)
        return line;
    size_t end = LongestLine;
    while (end > 0 && (line[end] & '\xC0') == '\x80') // within a character
        --end;
    return line.substr(0, end) + " …";
}

} // namespace

std::string maskedCode(const std::string& line)
{
    std::string result;
    size_t done = 0;
    for (size_t quote = line.find_first_of("\"'"); quote != std::string::npos;
         quote = line.find_first_of("\"'", done)) {
        size_t end = quote + 1;
        while (end < line.size() && line[end] != line[quote])
            end += line[end] == '\\' ? 2U : 1U;
        end = std::min(end, line.size());
        std::vector<std::string> content{line.substr(quote + 1, end - quote - 1)};
        maskSecrets(content, secretsIn(nameBefore(line, quote), content.front()));
        result += line.substr(done, quote + 1 - done) + content.front();
        done = std::min(end + 1, line.size());
        result += line.substr(end, done - end);
    }
    return result + line.substr(done);
}

fs::path CodeExcerpts::pathOf(const std::string& file) const
{
    return (m_origin.workingFolder / file).lexically_normal();
}

std::string CodeExcerpts::nameOf(const std::string& file) const
{
    if (file.empty() || file.starts_with('<'))
        return file;
    const fs::path path = pathOf(file);
    const fs::path near = path.lexically_relative(m_origin.programFolder);
    if (!near.empty() && !near.string().starts_with(".."))
        return near.string();
    return (path.parent_path().filename() / path.filename()).string();
}

void CodeExcerpts::add(const std::string& file, int line)
{
    if (line > 0 && !file.empty() && !file.starts_with('<') && !isForeignFile(file))
        m_places[pathOf(file).string()].insert(line);
}

std::vector<lesson::CodeLines> CodeExcerpts::read()
{
    std::vector<lesson::CodeLines> code;
    for (const auto& [file, lines] : m_places)
        readFile(file, lines, code);
    return code;
}

void CodeExcerpts::readFile(const std::string& file, const std::set<int>& lines,
                            std::vector<lesson::CodeLines>& code)
{
    struct stat status
    {
    };
    if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) {
        m_remarks.push_back({code::CodeNotThere, {{"path", file}}, {}});
        return;
    }
    const std::int64_t changedNs = status.st_mtim.tv_sec * 1'000'000'000LL + status.st_mtim.tv_nsec;
    if (changedNs > m_origin.startedWallNs) {
        m_remarks.push_back({code::CodeChanged, {{"path", file}}, {}});
        return;
    }
    const auto text = ringmaster::readFile(file, LargestFile);
    if (!text || !isUtf8(*text)) {
        m_remarks.push_back({code::CodeNotThere, {{"path", file}}, {}});
        return;
    }
    const std::vector<std::string> all = linesOf(*text);
    std::set<int> wanted;
    for (const int line : lines) {
        const int last = static_cast<int>(std::min<size_t>(all.size(), INT32_MAX));
        for (int near = std::max(1, line - Around); line <= last && near <= line + Around; ++near)
            if (near <= last && wanted.size() < MostCodeLines)
                wanted.insert(near);
    }
    for (const int line : wanted) {
        const bool goesOn = !code.empty() && code.back().file == nameOf(file) &&
                            *wanted.begin() != line && wanted.contains(line - 1);
        if (!goesOn && code.size() >= lesson::RecordedJob::MostCode)
            return;
        if (!goesOn)
            code.push_back({.file = nameOf(file), .first = line});
        code.back().text += shortened(maskedCode(all[static_cast<size_t>(line) - 1])) + "\n";
    }
}

} // namespace ringmaster
