#include "engine/cli/Completion.h"

namespace ringmaster {

namespace {

/// What completes a RUN: the first column of `ps --all`.
constexpr const char* RunsCommand = "ringmaster ps --all 2>/dev/null | sed -e 1d -e 's/ .*//'";

/// What completes the machine of --on: the host book, and what ssh knows besides.
constexpr const char* MachinesCommand =
    "{ ringmaster host ls | sed -e 1d -e 's/ .*//'; ringmaster host names; } 2>/dev/null";

std::string joined(const std::vector<std::string>& words)
{
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string allNames(const CommandTree::Command& command)
{
    std::string names;
    for (const auto& option : command.options)
        names += joined(option.names) + " ";
    return names + "--help";
}

bool takesRuns(const CommandTree::Command& command)
{
    for (const auto& argument : command.arguments) {
        if (argument.isRun)
            return true;
    }
    return false;
}

/// In single quotes, for any of the three shells.
std::string quoted(const std::string& text)
{
    std::string safe;
    for (const char character : text)
        safe += character == '\'' ? std::string("'\\''") : std::string(1, character);
    return "'" + safe + "'";
}

/// _arguments reads brackets and colons in a description.
std::string withoutSyntax(std::string text)
{
    for (char& character : text) {
        if (character == '[' || character == ']' || character == ':')
            character = ' ';
    }
    return text;
}

/// One line for each spelling of each option, and what else may come.
std::string zshArguments(const CommandTree::Command& command)
{
    std::string text;
    for (const auto& option : command.options) {
        const std::string values = option.isMachine ? ":machine:_ringmaster_machines"
                                   : option.choices.empty()
                                       ? ":value:_files"
                                       : ":value:(" + joined(option.choices) + ")";
        for (const std::string& name : option.names)
            text += " \\\n        " + quoted(name + "[" + withoutSyntax(option.description) + "]" +
                                             (option.valueName.empty() ? "" : values));
    }
    return text + " \\\n        " +
           quoted(takesRuns(command) ? "*:run:_ringmaster_runs" : "*:file:_files");
}

} // namespace

std::string bashCompletion(const CommandTree& tree)
{
    std::string names;
    std::string cases;
    for (const auto& command : tree.commands) {
        names += command.name + " ";
        cases += "    " + command.name + ") options=" + quoted(allNames(command)) +
                 (takesRuns(command) ? " runs=1" : "") + " ;;\n";
    }
    return "# bash completion of ringmaster\n"
           "_ringmaster() {\n"
           "  local word=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} options= runs=\n"
           "  COMPREPLY=()\n"
           "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "    COMPREPLY=($(compgen -W " +
           quoted(names + "--help --version") +
           " -- \"$word\"))\n"
           "    return\n"
           "  fi\n"
           "  case $command in\n" +
           cases +
           "  esac\n"
           "  if [[ ${COMP_WORDS[COMP_CWORD-1]} == --on && \" $options \" == *\" --on \"* ]]; "
           "then\n"
           "    COMPREPLY=($(compgen -W \"$(" +
           std::string(MachinesCommand) +
           ")\" -- \"$word\"))\n"
           "  elif [[ $word == -* ]]; then\n"
           "    COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
           "  elif [ -n \"$runs\" ]; then\n"
           "    COMPREPLY=($(compgen -W \"$(" +
           std::string(RunsCommand) +
           ")\" -- \"$word\"))\n"
           "  fi\n"
           "}\n"
           "complete -o default -F _ringmaster ringmaster\n";
}

std::string zshCompletion(const CommandTree& tree)
{
    std::string names;
    std::string cases;
    for (const auto& command : tree.commands) {
        names += "    " + quoted(command.name + ":" + withoutSyntax(command.summary)) + "\n";
        cases +=
            "    " + command.name + ")\n      _arguments" + zshArguments(command) + "\n      ;;\n";
    }
    return "#compdef ringmaster\n"
           "_ringmaster_runs() {\n"
           "  local -a runs\n"
           "  runs=(${(f)\"$(" +
           std::string(RunsCommand) +
           ")\"})\n"
           "  _describe run runs\n"
           "}\n"
           "_ringmaster_machines() {\n"
           "  local -a machines\n"
           "  machines=(${(f)\"$(" +
           std::string(MachinesCommand) +
           ")\"})\n"
           "  _describe machine machines\n"
           "}\n"
           "_ringmaster() {\n"
           "  local -a commands\n"
           "  commands=(\n" +
           names +
           "  )\n"
           "  if (( CURRENT == 2 )); then\n"
           "    _describe command commands\n"
           "    return\n"
           "  fi\n"
           "  local command=$words[2]\n"
           "  shift words; (( CURRENT-- ))\n"
           "  case $command in\n" +
           cases +
           "  esac\n"
           "}\n"
           "_ringmaster \"$@\"\n";
}

std::string fishCompletion(const CommandTree& tree)
{
    std::string text = "# fish completion of ringmaster\n"
                       "complete -c ringmaster -n __fish_use_subcommand -f\n";
    for (const auto& command : tree.commands) {
        text += "complete -c ringmaster -n __fish_use_subcommand -f -a " + command.name + " -d " +
                quoted(command.summary) + "\n";
        const std::string when =
            "complete -c ringmaster -n " + quoted("__fish_seen_subcommand_from " + command.name);
        for (const auto& option : command.options) {
            text += when;
            for (const std::string& name : option.names)
                text += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
            if (!option.valueName.empty())
                text += " -r";
            if (!option.choices.empty())
                text += " -f -a " + quoted(joined(option.choices));
            if (option.isMachine)
                text +=
                    " -f -a \"(begin; ringmaster host ls | sed -e 1d -e 's/ .*//'; ringmaster host "
                    "names; end 2>/dev/null)\"";
            text += " -d " + quoted(option.description) + "\n";
        }
        if (takesRuns(command))
            text += when + " -f -a " + quoted("(" + std::string(RunsCommand) + ")") + "\n";
    }
    return text;
}

} // namespace ringmaster
