#include "engine/job/CommandLine.h"

#include "engine/job/Codes.h"
#include "engine/job/JobOptions.h"
#include "engine/job/WorkerCounts.h"
#include "engine/text/Duration.h"
#include "engine/text/PythonText.h"
#include "engine/text/ShellWords.h"

#include <algorithm>
#include <tuple>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

/// In torchrun's order, then ours; but what a line of one node begins with comes first.
std::vector<const JobOption*> optionsOfLines()
{
    std::vector<const JobOption*> options;
    for (const JobOption& option : jobOptions()) {
        if (!option.row.name.empty() && !option.key.empty())
            options.push_back(&option);
    }
    std::ranges::stable_sort(options, {}, [](const JobOption* option) {
        const OptionRow& row = option->row;
        return std::tuple(row.name != "--standalone", row.origin == OptionOrigin::Ringmaster,
                          row.place);
    });
    return options;
}

/// Puts the differences between a job and the default job into words: each by the type of its
/// field.
class LineWriter
{
public:
    LineWriter(const JobSpec& spec, LineDialect dialect)
        : m_spec(spec)
        , m_role(spec.roles.empty() ? Role() : spec.roles.front())
        , m_isTorchrun(dialect == LineDialect::Torchrun)
    {
    }

    CommandLine write()
    {
        m_line.words = m_isTorchrun ? std::vector<std::string>{"torchrun"}
                                    : std::vector<std::string>{"ringmaster", "run"};
        if (m_spec.roles.size() > 1)
            cannotSay("roles", std::to_string(m_spec.roles.size()));
        for (const JobOption* option : optionsOfLines())
            visitChanged(*option, m_spec, m_role, [&](const auto& value) { say(*option, value); });
        writeProgram();
        return std::move(m_line);
    }

private:
    void say(const JobOption& option, bool value) { sayFlag(option, value ? "true" : "false"); }
    void say(const JobOption& option, int value) { add(option, std::to_string(value)); }
    void say(const JobOption& option, std::optional<int> value) { say(option, value.value()); }
    void say(const JobOption& option, const std::string& value);
    void say(const JobOption& option, std::chrono::milliseconds value);
    void say(const JobOption& option, const std::vector<std::string>& values);
    void say(const JobOption& option, const std::vector<int>& values);
    void say(const JobOption& option, const StringMap& values);
    void say(const JobOption& option, const StreamSelection& streams);
    void say(const JobOption& option, NodeRange nodes);
    void say(const JobOption& option, WorkerCount count) { add(option, workerCountText(count)); }
    void say(const JobOption& option, RendezvousMethod method);
    void say(const JobOption& option, RunOn place) { sayFlag(option, std::string(textOf(place))); }
    void say(const JobOption& option, WarmMode mode) { add(option, std::string(textOf(mode))); }

    void sayFlag(const JobOption& option, const std::string& value);
    void sayFilters(const JobOption& option, const std::vector<std::string>& filters);
    void sayConfiguration(const JobOption& option, const StringMap& configuration);
    void sayVariable(const JobOption& option, const std::string& name, const std::string& value);
    void writeProgram();

    bool isUnknown(const JobOption& option) const
    {
        return m_isTorchrun && option.row.origin != OptionOrigin::Torchrun &&
               option.row.since.empty();
    }
    void add(const JobOption& option, const std::string& value);
    void cannotSay(std::string_view what, const std::string& value);

    JobSpec m_spec;
    Role m_role;
    bool m_isTorchrun;
    CommandLine m_line;
};

void LineWriter::add(const JobOption& option, const std::string& value)
{
    if (isUnknown(option))
        return cannotSay(option.key, value);
    const std::string name(option.row.name);
    if (m_isTorchrun && !option.row.since.empty())
        m_line.needs.push_back({code::LineNeedsTorchrun,
                                {{"option", name}, {"version", std::string(option.row.since)}},
                                {}});
    // argparse takes a word with a dash for an option unless it is joined.
    if (value.starts_with("-"))
        m_line.words.push_back(name + "=" + value);
    else
        m_line.words.insert(m_line.words.end(), {name, value});
}

void LineWriter::cannotSay(std::string_view what, const std::string& value)
{
    m_line.cannotSay.push_back(
        {code::LineCannotSay, {{"what", std::string(what)}, {"value", value}}, {}});
}

void LineWriter::sayFlag(const JobOption& option, const std::string& value)
{
    if (isUnknown(option))
        cannotSay(option.key, value);
    else
        m_line.words.emplace_back(option.row.name);
}

void LineWriter::say(const JobOption& option, const std::string& value)
{
    if (m_isTorchrun && option.key == "interpreter")
        m_line.environment["PYTHON_EXEC"] = value;
    else if (m_isTorchrun && option.key == "working_folder")
        m_line.workingFolder = value;
    else if (!option.row.accepts(value))
        cannotSay(option.key, value);
    else
        add(option, value);
}

void LineWriter::say(const JobOption& option, std::chrono::milliseconds value)
{
    // torchrun has another option for it, in whole seconds.
    if (m_isTorchrun && option.key == "restart.grace" && value % 1s == 0s)
        return add(*std::ranges::find(jobOptions(), "--shutdown-timeout",
                                      [](const JobOption& row) { return row.row.name; }),
                   secondsText(value));
    add(option, option.row.kind == OptionKind::Number ? secondsText(value) : durationText(value));
}

void LineWriter::say(const JobOption& option, const std::vector<std::string>& values)
{
    if (isUnknown(option))
        cannotSay(option.key, join(values, option.row.kind == OptionKind::Repeated ? " " : ","));
    else if (option.row.kind == OptionKind::CommaList)
        sayFilters(option, values);
    else if (option.row.kind == OptionKind::Repeated)
        for (const std::string& value : values)
            add(option, value);
    else
        add(option, join(values, ","));
}

void LineWriter::sayFilters(const JobOption& option, const std::vector<std::string>& filters)
{
    if (filters.empty())
        return;
    std::vector<std::string> items;
    for (size_t i = 0; i < filters.size(); ++i) {
        // Three commas in a row are read as a comma and a separator, in this order.
        const bool lost = (i > 0 && filters[i].starts_with(",")) ||
                          (filters[i].empty() && i > 0 && i + 1 < filters.size());
        if (lost)
            return cannotSay(option.key, join(filters, " "));
        std::string item;
        for (const char c : filters[i])
            item.append(c == ',' ? 2 : 1, c);
        items.push_back(item);
    }
    add(option, join(items, ","));
}

void LineWriter::say(const JobOption& option, const std::vector<int>& values)
{
    std::vector<std::string> items;
    for (const int value : values)
        items.push_back(std::to_string(value));
    if (m_isTorchrun && option.key == "devices")
        m_line.environment["CUDA_VISIBLE_DEVICES"] = join(items, ",");
    else
        add(option, join(items, ","));
}

void LineWriter::say(const JobOption& option, const StringMap& values)
{
    if (option.row.kind != OptionKind::Repeated)
        return sayConfiguration(option, values);
    for (const auto& [name, value] : values)
        sayVariable(option, name, value);
}

void LineWriter::sayConfiguration(const JobOption& option, const StringMap& configuration)
{
    std::vector<std::string> pairs;
    for (const auto& [key, value] : configuration) {
        const bool sayable = !value.empty() && stripped(value) == value && !key.empty() &&
                             stripped(key) == key && value.find(',') == std::string::npos &&
                             key.find_first_of(",=") == std::string::npos;
        if (sayable)
            pairs.push_back(key + "=" + value);
        else
            cannotSay(std::string(option.key) + "." + key, value);
    }
    if (!pairs.empty())
        add(option, join(pairs, ","));
}

/// For torchrun, variables stand before the command.
void LineWriter::sayVariable(const JobOption& option, const std::string& name,
                             const std::string& value)
{
    if (!m_isTorchrun && !name.empty() && name.find('=') == std::string::npos)
        return add(option, name + "=" + value);
    const bool isVariable = option.key == "environment";
    const bool taken = !isVariable || m_line.environment.contains(name) ||
                       name.starts_with("PET_") || name == "PYTHON_EXEC" ||
                       name == "TORCH_ELASTIC_SHUTDOWN_TIMEOUT";
    if (isVariableName(name) && !taken)
        m_line.environment[name] = value;
    else
        cannotSay(std::string(option.key) + "." + name, value);
}

void LineWriter::say(const JobOption& option, const StreamSelection& streams)
{
    const std::string key(option.key);
    std::vector<std::string> pairs;
    for (const auto& [rank, mask] : streams.byLocalRank) {
        if (m_isTorchrun && rank > 9)
            cannotSay(key + "." + std::to_string(rank), std::to_string(mask));
        else
            pairs.push_back(std::to_string(rank) + ":" + std::to_string(mask));
    }
    if (streams.byLocalRank.empty())
        return add(option, std::to_string(streams.all));
    if (streams.all != 0)
        cannotSay(key + ".others", std::to_string(streams.all));
    if (!pairs.empty())
        add(option, join(pairs, ","));
}

void LineWriter::say(const JobOption& option, NodeRange nodes)
{
    const std::string minimum = std::to_string(nodes.min);
    add(option, nodes.min == nodes.max ? minimum : minimum + ":" + std::to_string(nodes.max));
}

void LineWriter::say(const JobOption& option, RendezvousMethod method)
{
    if (!m_spec.rendezvous.standalone)
        add(option, std::string(textOf(method)));
}

void LineWriter::writeProgram()
{
    switch (m_role.kind) {
    case ProgramKind::Script: break;
    case ProgramKind::Module: m_line.words.emplace_back("--module"); break;
    case ProgramKind::Command: m_line.words.emplace_back("--no-python"); break;
    case ProgramKind::RunPath: m_line.words.emplace_back("--run-path"); break;
    }
    const std::vector<std::string>& arguments = m_role.arguments;
    if (m_role.program.empty() && arguments.empty())
        return;
    if (m_role.program.starts_with("-") || (!arguments.empty() && arguments.front() == "--"))
        m_line.words.emplace_back("--");
    m_line.words.push_back(m_role.program);
    m_line.words.insert(m_line.words.end(), arguments.begin(), arguments.end());
}

/// Pieces that stay on one line: an option with its value, a word, a variable.
std::vector<std::string> pieces(const CommandLine& line)
{
    std::vector<std::string> all;
    for (const auto& [name, value] : line.environment)
        all.push_back(name + "=" + (value.empty() ? "" : shellQuoted(value)));
    bool joins = false;
    for (const std::string& word : line.words) {
        const std::string quoted = shellQuoted(word);
        if (joins && !word.starts_with("-"))
            all.back() += " " + quoted;
        else
            all.push_back(quoted);
        const OptionRow* option =
            word.starts_with("--") ? findOption(OptionRow{word}.destination()) : nullptr;
        joins = option != nullptr && option->takesValue();
    }
    return all;
}

} // namespace

std::string CommandLine::text(size_t columns) const
{
    std::string all;
    if (!workingFolder.empty())
        all = "cd " + shellQuoted(workingFolder) + " && ";
    size_t used = all.size();
    bool fresh = true;
    for (const std::string& piece : pieces(*this)) {
        const bool wraps = columns > 0 && !fresh && used + piece.size() + 3 > columns;
        if (wraps)
            all += " \\\n  ";
        else if (!fresh)
            all += " ";
        used = (wraps ? 2 : used + (fresh ? 0 : 1)) + piece.size();
        all += piece;
        fresh = false;
    }
    return all;
}

CommandLine toCommandLine(const JobSpec& spec, LineDialect dialect)
{
    return LineWriter(spec, dialect).write();
}

} // namespace ringmaster
