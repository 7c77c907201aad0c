#include "engine/job/CommandOptions.h"

#include "engine/job/JobOptions.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace ringmaster {

namespace {

const std::vector<OptionRow>& rows()
{
    static const std::vector<OptionRow> all = [] {
        std::vector<OptionRow> found;
        for (const JobOption& option : jobOptions())
            if (!option.row.name.empty())
                found.push_back(option.row);
        std::ranges::stable_sort(found, {}, [](const OptionRow& row) {
            return std::pair(row.origin == OptionOrigin::Ringmaster, row.place);
        });
        return found;
    }();
    return all;
}

std::string upper(std::string text)
{
    std::ranges::transform(text, text.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
}

std::string valueName(const OptionRow& row)
{
    return row.choices.empty() ? upper(row.destination()) : "{" + std::string(row.choices) + "}";
}

/// Words filled into lines of at most 80 columns, each behind `indent` blanks.
std::string filled(const std::vector<std::string>& words, std::string first, size_t indent)
{
    std::string text;
    std::string line = std::move(first);
    bool fresh = true;
    for (const std::string& word : words) {
        if (!fresh && line.size() + 1 + word.size() > 80) {
            text += line + "\n";
            line.assign(indent, ' ');
            fresh = true;
        }
        line += (fresh ? "" : " ") + word;
        fresh = false;
    }
    return text + line + "\n";
}

std::string helpOf(const OptionRow& row)
{
    std::vector<std::string> spellings = row.spellings();
    for (std::string& spelling : spellings)
        spelling += row.takesValue() ? " " + valueName(row) : "";
    return "  " + join(spellings, ", ") + "\n" +
           filled(split(row.help, ' '), std::string(24, ' '), 24);
}

} // namespace

std::string OptionRow::destination() const
{
    std::string text(name.substr(2));
    std::ranges::replace(text, '-', '_');
    return text;
}

std::string OptionRow::variable() const
{
    return "PET_" + upper(destination());
}

std::vector<std::string> OptionRow::spellings() const
{
    std::vector<std::string> all;
    if (letter != 0)
        all.push_back(std::string("-") + letter);
    all.emplace_back(name);
    if (name.find('-', 2) != std::string_view::npos)
        all.push_back("--" + destination());
    return all;
}

std::string OptionRow::argparseName() const
{
    return join(spellings(), "/");
}

bool OptionRow::accepts(const std::string& value) const
{
    return choices.empty() || std::ranges::count(split(choices, ','), value) > 0;
}

std::span<const OptionRow> commandOptions()
{
    return rows();
}

const OptionRow* findOption(std::string_view destination)
{
    const auto found = std::ranges::find_if(
        rows(), [&](const OptionRow& row) { return row.destination() == destination; });
    return found == rows().end() ? nullptr : &*found;
}

std::string commandUsage(std::string_view program)
{
    std::vector<std::string> words{"[-h]"};
    for (const OptionRow& row : rows()) {
        const std::string spelling = row.spellings().front();
        words.push_back("[" + spelling + (row.takesValue() ? " " + valueName(row) : "") + "]");
    }
    words.insert(words.end(), {"training_script", "..."});
    return filled(words, "usage: " + std::string(program) + " ", std::string("usage: ").size());
}

std::string commandHelp(std::string_view program, std::span<const OptionRow> extra)
{
    std::string text = commandUsage(program) +
                       "\nThe first word that is no option is the program; everything behind it "
                       "goes to the program.\n\noptions:\n  -h, --help\n";
    bool areOurs = false;
    for (const OptionRow& row : rows()) {
        if (row.origin == OptionOrigin::Ringmaster && !std::exchange(areOurs, true))
            text += "\nRingmaster's own options:\n";
        text += helpOf(row);
    }
    for (const OptionRow& row : extra)
        text += helpOf(row);
    return text;
}

} // namespace ringmaster
