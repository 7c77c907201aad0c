#include "engine/job/JobSettings.h"

#include "engine/text/PythonText.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

namespace ringmaster {

namespace {

/// Settings by "table.key". A value may go over several lines; a second [[role]] table is "role.1".
class SettingsOfFile
{
public:
    explicit SettingsOfFile(const std::string& jobFile)
    {
        std::istringstream lines(jobFile);
        for (std::string line; std::getline(lines, line);)
            read(line);
    }

    const std::vector<std::string>& names() const { return m_names; }
    std::string value(const std::string& name) const
    {
        const auto found = m_values.find(name);
        return found == m_values.end() ? std::string() : found->second;
    }

private:
    void read(const std::string& line)
    {
        const std::string_view text = stripped(line);
        const bool isIndented = !line.empty() && (line.front() == ' ' || line.front() == '\t');
        if (text.empty() || (text.front() == '#' && !isIndented))
            return;
        if (!isIndented && text.front() == '[') {
            beginTable(text);
            return;
        }
        const size_t equals = text.find(" = ");
        if (!isIndented && equals != std::string_view::npos && equals > 0) {
            m_current = m_table + std::string(text.substr(0, equals));
            m_names.push_back(m_current);
            m_values[m_current] = text.substr(equals + 3);
        } else if (!m_current.empty()) {
            m_values[m_current] += " " + std::string(text);
        }
    }

    void beginTable(std::string_view header)
    {
        std::string name(header);
        std::erase_if(name, [](char each) { return each == '[' || each == ']'; });
        const int count = m_tables[name]++;
        m_table = name + (count > 0 ? "." + std::to_string(count) + "." : ".");
    }

    std::string m_table;
    std::string m_current;
    std::map<std::string, int> m_tables;
    std::vector<std::string> m_names;
    std::map<std::string, std::string> m_values;
};

/// A name that Ringmaster made up for one run says nothing about the job.
bool isMadeUp(const SettingDifference& difference)
{
    constexpr size_t QuotedUuid = 38;
    return difference.setting == "rendezvous.id" &&
           std::ranges::all_of(difference.values, [](const std::string& value) {
               return value.empty() ||
                      (value.size() == QuotedUuid && std::ranges::count(value, '-') == 4);
           });
}

struct AllSettings
{
    std::vector<SettingsOfFile> files{};
    std::vector<std::string> names{}; ///< Of all of them, in the order of the first that has them.
};

AllSettings settingsOf(const std::vector<std::string>& jobFiles)
{
    AllSettings all;
    for (const std::string& jobFile : jobFiles) {
        all.files.emplace_back(jobFile);
        for (const std::string& name : all.files.back().names()) {
            if (std::ranges::find(all.names, name) == all.names.end())
                all.names.push_back(name);
        }
    }
    return all;
}

} // namespace

std::vector<SettingDifference> differingSettings(const std::vector<std::string>& jobFiles)
{
    const AllSettings all = settingsOf(jobFiles);
    std::vector<SettingDifference> differences;
    for (const std::string& name : all.names) {
        SettingDifference difference{.setting = name};
        for (const SettingsOfFile& file : all.files)
            difference.values.push_back(file.value(name));
        if (isMadeUp(difference))
            continue;
        const auto& values = difference.values;
        if (std::ranges::any_of(values,
                                [&](const std::string& value) { return value != values.front(); }))
            differences.push_back(std::move(difference));
    }
    return differences;
}

size_t settingCount(const std::vector<std::string>& jobFiles)
{
    return settingsOf(jobFiles).names.size();
}

} // namespace ringmaster
