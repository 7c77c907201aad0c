#include "engine/cli/TorchrunCompletion.h"

#include "engine/job/CommandOptions.h"
#include "engine/text/PythonText.h"
#include "engine/text/ShellWords.h"

#include <algorithm>

namespace ringmaster {

namespace {

std::vector<OptionRow> torchrunsOptions()
{
    std::vector<OptionRow> rows;
    for (const OptionRow& row : commandOptions()) {
        const bool isKnown = row.origin == OptionOrigin::Torchrun ||
                             (row.origin == OptionOrigin::NewerTorchrun && !row.since.empty());
        if (isKnown)
            rows.push_back(row);
    }
    return rows;
}

std::string choicesOf(const OptionRow& row)
{
    return join(split(row.choices, ','), " ");
}

std::string bash()
{
    std::string names = "-h --help";
    std::string cases;
    for (const OptionRow& row : torchrunsOptions()) {
        names += " " + join(row.spellings(), " ");
        if (!row.choices.empty())
            cases += "    " + join(row.spellings(), "|") + ") words='" + choicesOf(row) + "' ;;\n";
    }
    return "# bash completion of torchrun\n"
           "_torchrun() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} words=\n"
           "  case ${COMP_WORDS[COMP_CWORD-1]} in\n" +
           cases + "    *) [[ $word != -* ]] || words='" + names +
           "' ;;\n"
           "  esac\n"
           "  COMPREPLY=($(compgen -W \"$words\" -- \"$word\"))\n"
           "}\n"
           "complete -o default -F _torchrun torchrun\n";
}

/// _arguments reads brackets and colons in a description.
std::string zsh()
{
    std::string text = "#compdef torchrun\n_arguments -S";
    for (const OptionRow& row : torchrunsOptions()) {
        std::string help(row.help);
        std::ranges::replace_if(
            help, [](char c) { return c == '[' || c == ']' || c == ':'; }, ' ');
        const std::string values =
            row.choices.empty() ? ":value:_files" : ":value:(" + choicesOf(row) + ")";
        for (const std::string& name : row.spellings())
            text +=
                " \\\n  " + shellQuoted(name + "[" + help + "]" + (row.takesValue() ? values : ""));
    }
    return text + " \\\n  '*:file:_files'\n";
}

std::string tcsh()
{
    std::string names = "help";
    std::string values;
    for (const OptionRow& row : torchrunsOptions()) {
        for (const std::string& name : row.spellings()) {
            if (name.starts_with("--"))
                names += " " + name.substr(2);
            if (!row.choices.empty())
                values += " 'n/" + name + "/(" + choicesOf(row) + ")/'";
        }
    }
    return "# tcsh completion of torchrun\ncomplete torchrun" + values + " 'c/--/(" + names +
           ")/' 'p/*/f/'\n";
}

} // namespace

std::string torchrunCompletion(std::string_view shell)
{
    if (shell == "zsh")
        return zsh();
    return shell == "tcsh" ? tcsh() : bash();
}

} // namespace ringmaster
