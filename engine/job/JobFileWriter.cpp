#include "engine/job/Codes.h"
#include "engine/job/JobFile.h"
#include "engine/job/JobOptions.h"
#include "engine/job/StreamSelection.h"
#include "engine/job/WorkerCounts.h"
#include "engine/text/Duration.h"
#include "engine/text/PythonText.h"
#include "engine/text/TomlText.h"

namespace ringmaster {

namespace {

constexpr size_t LineLength = 100;

/// Writes a job in the order of its options, each by the type of its field.
class JobWriter
{
public:
    explicit JobWriter(const JobSpec& spec) : m_spec(spec) {}

    Result<std::string> write()
    {
        const bool isFlat = m_spec.roles.size() == 1;
        writeOption(*findJobOption("name"), m_anyRole);
        if (isFlat)
            writeRole(m_spec.roles.front(), true);
        for (const JobOption& option : jobOptions()) {
            const bool isOfJob = option.section().empty() && !option.field.isOfRole;
            if (isOfJob && !option.key.empty() && option.key != "name")
                writeOption(option, m_anyRole);
        }
        if (isFlat)
            writeTable("environment", m_spec.roles.front().environment);
        for (const std::string_view section : jobSections())
            writeSection(section);
        for (Role& role : m_spec.roles) {
            if (isFlat)
                break;
            m_text += "\n[[role]]\n";
            writeRole(role, false);
            writeTable("role.environment", role.environment);
        }
        if (!m_notUtf8.empty())
            return fail(code::JobTextNotUtf8, {{"text", m_notUtf8}});
        return std::move(m_text);
    }

private:
    void writeRole(Role& role, bool isFlat);
    void writeSection(std::string_view section);
    void writeTable(const std::string& name, const StringMap& values);
    void writeOption(const JobOption& option, Role& role);

    /// A value in TOML; empty: nothing is to be written.
    std::string value(bool given) { return given ? "true" : "false"; }
    std::string value(int given) { return std::to_string(given); }
    std::string value(std::optional<int> given) { return std::to_string(given.value()); }
    std::string value(const std::string& given) { return quoted(given); }
    std::string value(std::chrono::milliseconds given) { return quoted(durationText(given)); }
    std::string value(const std::vector<std::string>& given);
    std::string value(const std::vector<int>& given);
    std::string value(const StringMap& given);
    std::string value(const StreamSelection& given);
    std::string value(NodeRange given);
    std::string value(WorkerCount given);
    template <NamedChoice T>
    std::string value(T given)
    {
        return quoted(std::string(textOf(given)));
    }

    std::string array(const std::vector<std::string>& items) const;
    std::string quoted(const std::string& text);
    std::string keyText(const std::string& key);
    void raw(const std::string& key, const std::string& value);

    JobSpec m_spec;
    Role m_anyRole;
    std::string m_key;     ///< That is being written.
    std::string m_section; ///< A "[table]" that is written before its first line.
    std::string m_text;
    std::string m_notUtf8;
};

std::string JobWriter::quoted(const std::string& text)
{
    if (!isUtf8(text) && m_notUtf8.empty())
        m_notUtf8 = pythonRepr(text);
    return tomlText(text);
}

std::string JobWriter::keyText(const std::string& key)
{
    const bool bare =
        !key.empty() && key.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                              "0123456789_-") == std::string::npos;
    return bare ? key : quoted(key);
}

void JobWriter::raw(const std::string& key, const std::string& value)
{
    if (!m_section.empty())
        m_text += (m_text.empty() || m_text.ends_with("\n\n") ? "" : "\n") + m_section + "\n";
    m_section.clear();
    m_text += keyText(key) + " = " + value + "\n";
}

std::string JobWriter::array(const std::vector<std::string>& items) const
{
    const std::string joined = join(items, ", ");
    if (m_key.size() + joined.size() + 5 <= LineLength)
        return "[" + joined + "]";
    std::string lines = "[\n";
    for (const std::string& item : items)
        lines += "    " + item + ",\n";
    return lines + "]";
}

std::string JobWriter::value(const std::vector<std::string>& given)
{
    std::vector<std::string> items;
    for (const std::string& text : given)
        items.push_back(quoted(text));
    return array(items);
}

std::string JobWriter::value(const std::vector<int>& given)
{
    std::vector<std::string> items;
    for (const int number : given)
        items.push_back(std::to_string(number));
    return array(items);
}

std::string JobWriter::value(const StringMap& given)
{
    std::vector<std::string> pairs;
    for (const auto& [key, text] : given) {
        const auto number = pythonInt(text);
        const bool isNumber = number && std::to_string(*number) == text;
        pairs.push_back(keyText(key) + " = " + (isNumber ? text : quoted(text)));
    }
    return "{ " + join(pairs, ", ") + " }";
}

std::string JobWriter::value(const StreamSelection& given)
{
    const auto name = [this](std::uint8_t mask) {
        return quoted(std::string(StreamNames.at(mask & 3U)));
    };
    if (given.byLocalRank.empty())
        return name(given.all);
    std::vector<std::string> pairs;
    if (given.all != 0)
        pairs.push_back("others = " + name(given.all));
    for (const auto& [rank, mask] : given.byLocalRank)
        pairs.push_back(std::to_string(rank) + " = " + name(mask));
    return "{ " + join(pairs, ", ") + " }";
}

std::string JobWriter::value(NodeRange given)
{
    const std::string min = std::to_string(given.min);
    return given.min == given.max ? min : quoted(min + ":" + std::to_string(given.max));
}

std::string JobWriter::value(WorkerCount given)
{
    const std::string count = workerCountText(given);
    return given.kind == WorkerCount::Kind::Number ? count : quoted(count);
}

void JobWriter::writeOption(const JobOption& option, Role& role)
{
    m_key = option.name();
    visitChanged(option, m_spec, role, [this](const auto& given) { raw(m_key, value(given)); });
}

/// What it runs and how often is said also where it is usual.
void JobWriter::writeRole(Role& role, bool isFlat)
{
    if (!isFlat)
        raw("name", quoted(role.name));
    raw(std::string(textOf(role.kind)), quoted(role.program));
    for (const JobOption& option : jobOptions()) {
        const bool isSaidApart = option.key == "environment" || (!isFlat && option.key == "role");
        if (option.key == "workers")
            raw("workers", value(role.workers));
        else if (option.field.isOfRole && !isSaidApart)
            writeOption(option, role);
    }
}

void JobWriter::writeSection(std::string_view section)
{
    m_section = "[" + std::string(section) + "]";
    for (const JobOption& option : jobOptions()) {
        if (option.section() == section)
            writeOption(option, m_anyRole);
    }
    m_section.clear();
}

void JobWriter::writeTable(const std::string& name, const StringMap& values)
{
    m_section = "[" + name + "]";
    for (const auto& [key, text] : values)
        raw(key, quoted(text));
    m_section.clear();
}

} // namespace

Result<std::string> jobFileText(const JobSpec& spec)
{
    return JobWriter(spec).write();
}

} // namespace ringmaster
