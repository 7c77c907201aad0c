#include "engine/cli/ManPage.h"

#include "engine/base/Version.h"

#include <algorithm>

namespace ringmaster {

namespace {

/// Text that troff prints as it is.
std::string plain(std::string_view text)
{
    std::string safe;
    bool isLineStart = true;
    for (const char character : text) {
        if (isLineStart && (character == '.' || character == '\''))
            safe += "\\&";
        isLineStart = character == '\n';
        if (character == '\\')
            safe += "\\e";
        else if (character == '-')
            safe += "\\-";
        else
            safe += character;
    }
    return safe;
}

std::string title(std::string name)
{
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return std::toupper(c); });
    return ".TH " + plain(name) + " 1 \"\" \"Ringmaster " RINGMASTER_VERSION "\" \"Ringmaster\"\n";
}

std::string section(std::string_view name)
{
    return ".SH " + std::string(name) + "\n";
}

std::string item(const CommandTree::Option& option)
{
    std::string text = ".TP\n";
    for (size_t i = 0; i < option.names.size(); ++i)
        text += (i > 0 ? ", " : "") + ("\\fB" + plain(option.names[i]) + "\\fR");
    if (!option.valueName.empty())
        text += " \\fI" + plain(option.valueName) + "\\fR";
    return text + "\n" + plain(option.description) + "\n";
}

std::string synopsis(const CommandTree::Command& command)
{
    std::string text = "\\fBringmaster " + plain(command.name) + "\\fR";
    if (!command.options.empty())
        text += " [\\fIOPTIONS\\fR]";
    for (const auto& argument : command.arguments) {
        const std::string name = "\\fI" + plain(argument.names.front()) + "\\fR";
        text += argument.isRequired ? " " + name : " [" + name + "]";
    }
    return text + "\n";
}

constexpr const char* Files = R"(.TP
$XDG_RUNTIME_DIR/ringmaster/
The sockets on which agents are reached; /tmp/ringmaster\-UID where XDG_RUNTIME_DIR isn't set.
.TP
$XDG_STATE_HOME/ringmaster/runs/
A folder a run: its run file, its logs. ~/.local/state where XDG_STATE_HOME isn't set.
)";

constexpr const char* ExitCodes = R"(.TP
0
All workers succeeded.
.TP
1
The job failed, or was stopped by a signal that is passed on to the workers.
.TP
2
Something is wrong with the command or the job; nothing was started.
.TP
128+N
Ended by signal N before the workers were started, or by one that isn't passed on.
)";

} // namespace

std::string manPage(const CommandTree& tree)
{
    std::string text = title("ringmaster") + section("NAME") + "ringmaster \\- " +
                       plain(tree.description) + "\n" + section("SYNOPSIS") +
                       "\\fBringmaster\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR]\n" +
                       section("COMMANDS");
    for (const auto& command : tree.commands)
        text += ".TP\n\\fBringmaster\\-" + plain(command.name) + "\\fR(1)\n" +
                plain(command.summary) + "\n";
    return text + section("DESCRIPTION") + plain(tree.footer) + "\n" + section("FILES") + Files +
           section("EXIT STATUS") + ExitCodes;
}

std::string manPage(const CommandTree::Command& command)
{
    std::string text = title("ringmaster-" + command.name) + section("NAME") + "ringmaster\\-" +
                       plain(command.name) + " \\- " + plain(command.summary) + "\n" +
                       section("SYNOPSIS") + synopsis(command) + section("DESCRIPTION") +
                       plain(command.description.empty() ? command.summary : command.description) +
                       "\n";
    if (!command.arguments.empty())
        text += section("ARGUMENTS");
    for (const auto& argument : command.arguments)
        text += item(argument);
    if (!command.options.empty())
        text += section("OPTIONS");
    for (const auto& option : command.options)
        text += item(option);
    if (command.name == "run")
        text += section("EXIT STATUS") + ExitCodes;
    if (!command.examples.empty())
        text += section("EXAMPLES") + ".nf\n" + plain(command.examples) + "\n.fi\n";
    return text + section("SEE ALSO") + "\\fBringmaster\\fR(1)\n";
}

} // namespace ringmaster
