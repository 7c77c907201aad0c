#include "engine/worker/warm/LearntModules.h"

#include "engine/base/Files.h"
#include "engine/worker/warm/WarmRequest.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t LargestFile = 4U << 20U;
constexpr std::size_t MostModules = 20000; ///< As warm/parts/_ringmaster_preload.py reads.
constexpr std::size_t LongestName = 200;
constexpr std::chrono::days Remembered{14};

bool isLetter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Identifiers and dots; those in other letters are nobody's that is imported ahead.
bool isModuleName(std::string_view name)
{
    bool mayBegin = true;
    for (const char c : name) {
        if (!isLetter(c) && (mayBegin || ((c < '0' || c > '9') && c != '.')))
            return false;
        mayBegin = c == '.';
    }
    return !mayBegin && name.size() <= LongestName;
}

/// A worker may have put anything there, and opening a pipe would wait for its other end.
std::string textOf(const fs::path& file)
{
    return readUntrustedFile(file, LargestFile).value_or("");
}

std::int64_t dayOf(const std::string& text)
{
    std::int64_t day = 0;
    std::from_chars(text.data(), text.data() + text.size(), day);
    return day;
}

/// The new text of the file: each module once, the latest first, in the order of their imports.
class Learnt
{
public:
    void add(const std::string& name, std::int64_t day)
    {
        if (m_names.size() < MostModules && isModuleName(name) && m_names.insert(name).second)
            m_text += name + ' ' + std::to_string(day) + '\n';
    }
    const std::string& text() const { return m_text; }

private:
    std::set<std::string> m_names;
    std::string m_text;
};

} // namespace

fs::path learntModulesFile(const fs::path& folder, const std::string& interpreter)
{
    return folder / (interpreterMark(interpreter) + ".modules");
}

Result<void> learnModules(const fs::path& report, const fs::path& file, std::chrono::sys_days today)
{
    const std::int64_t day = today.time_since_epoch().count();
    Learnt learnt;
    std::istringstream reported(textOf(report));
    for (std::string name; std::getline(reported, name);)
        learnt.add(name, day);
    if (learnt.text().empty())
        return {};
    std::istringstream known(textOf(file));
    for (std::string line; std::getline(known, line);) {
        const std::string name = line.substr(0, line.find(' '));
        const std::int64_t used = dayOf(line.substr(std::min(name.size() + 1, line.size())));
        if (used <= day && used + Remembered.count() > day)
            learnt.add(name, used);
    }
    RM_TRY(makeFolder(file.parent_path()));
    return writeFileAtomically(file, learnt.text(), 0600, Durability::Relaxed);
}

} // namespace ringmaster
