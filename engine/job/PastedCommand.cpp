#include "engine/job/PastedCommand.h"

#include "engine/job/Codes.h"
#include "engine/text/PythonText.h"
#include "engine/text/ShellWords.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace ringmaster {

namespace {

using Tokens = std::vector<ShellToken>;

/// python -m torch.distributed.launch only: without it, programs get their rank as an argument.
constexpr OptionRow UseEnv{"--use-env", 0, OptionKind::Flag, OptionOrigin::Torchrun, false, {}, {}};

/// Where the launcher stands among the words of a statement, and where its options begin.
struct Launcher
{
    enum class Kind { Torchrun, Launch, Ringmaster };

    Kind kind = Kind::Torchrun;
    size_t first = 0;
    size_t options = 0;
    std::string interpreter{}; ///< Only when it was named with a path.
};

std::string baseName(const std::string& word)
{
    return std::filesystem::path(word).filename().string();
}

bool isPython(const std::string& word)
{
    const std::string name = baseName(word);
    return name.starts_with("python") &&
           name.find_first_not_of("0123456789.", 6) == std::string::npos;
}

/// "python -u -m torch.distributed.run": also with the module joined to -m.
std::optional<Launcher> pythonLauncher(const std::vector<std::string>& words, size_t at)
{
    Launcher found{Launcher::Kind::Torchrun, at, 0, {}};
    for (size_t next = at + 1; next < words.size() && words[next].starts_with("-"); ++next) {
        std::string module;
        if (words[next] == "-m" && next + 1 < words.size())
            module = words[++next];
        else if (words[next].starts_with("-m"))
            module = words[next].substr(2);
        if (module.empty())
            continue;
        if (module == "torch.distributed.launch")
            found.kind = Launcher::Kind::Launch;
        else if (module != "torch.distributed.run")
            return std::nullopt;
        found.options = next + 1;
        if (words[at].find('/') != std::string::npos)
            found.interpreter = words[at];
        return found;
    }
    return std::nullopt;
}

std::optional<Launcher> findLauncher(const std::vector<std::string>& words)
{
    for (size_t at = 0; at < words.size(); ++at) {
        const std::string name = baseName(words[at]);
        if (name == "torchrun") {
            Launcher found{Launcher::Kind::Torchrun, at, at + 1, {}};
            const std::filesystem::path path(words[at]);
            if (path.has_parent_path())
                found.interpreter = (path.parent_path() / "python").string();
            return found;
        }
        if (name == "ringmaster" && at + 1 < words.size() && words[at + 1] == "run")
            return Launcher{Launcher::Kind::Ringmaster, at, at + 2, {}};
        if (isPython(words[at])) {
            if (auto found = pythonLauncher(words, at))
                return found;
        }
    }
    return std::nullopt;
}

/// NAME=value as the shell sees it: an unquoted name and "=" at the start of the word.
std::optional<std::pair<std::string, ShellToken>> assignment(const ShellToken& token)
{
    if (token.kind != ShellToken::Kind::Word || token.parts.empty() ||
        token.parts.front().kind != ShellPart::Kind::Text || token.parts.front().quoted)
        return std::nullopt;
    const std::string& head = token.parts.front().text;
    const size_t equals = head.find('=');
    if (equals == std::string::npos || !isVariableName(std::string_view(head).substr(0, equals)))
        return std::nullopt;
    std::pair<std::string, ShellToken> result{head.substr(0, equals), token};
    result.second.parts.front().text = head.substr(equals + 1);
    // An assignment isn't split at blanks.
    for (ShellPart& part : result.second.parts)
        part.quoted = true;
    return result;
}

class Paste
{
public:
    explicit Paste(const EnvironmentMap& environment) : m_environment(environment) {}

    tl::expected<PastedCommand, LineErrors> read(const Tokens& tokens);

private:
    void readStatement(Tokens statement);
    bool readAssignments(Tokens& statement, EnvironmentMap& into);
    bool readBuiltin(const std::vector<std::string>& words, const Tokens& statement);
    Tokens withoutRedirections(const Tokens& statement);
    void launch(const Launcher& launcher, const std::vector<std::string>& words,
                const EnvironmentMap& variables);
    static void fillFromVariables(Role& role, const EnvironmentMap& variables);

    std::string value(const ShellToken& token);
    std::vector<std::string> expand(const Tokens& tokens);
    std::optional<std::string> lookup(const std::string& name) const;
    void note(Code code, const std::string& text)
    {
        m_result.notes.push_back({code, {{"text", text}}, {}});
    }

    const EnvironmentMap& m_environment;
    EnvironmentMap m_shell;    ///< Set in the text, not exported.
    EnvironmentMap m_exported; ///< Reach the workers.
    std::string m_folder;
    std::vector<std::string> m_unknown;
    bool m_found = false;
    PastedCommand m_result;
    LineErrors m_errors;
};

std::optional<std::string> Paste::lookup(const std::string& name) const
{
    // These are torchrun's, not the shell's: people forget to quote them.
    if (name == "local_rank")
        return std::nullopt;
    for (const EnvironmentMap* map : {&m_shell, &m_exported, &m_environment}) {
        if (const auto found = map->find(name); found != map->end())
            return found->second;
    }
    return std::nullopt;
}

std::string Paste::value(const ShellToken& token)
{
    return join(expand({token}), " ");
}

std::vector<std::string> Paste::expand(const Tokens& tokens)
{
    std::vector<std::string> words;
    for (const ShellToken& token : tokens) {
        for (std::string& word : expandWord(
                 token, [this](const std::string& n) { return lookup(n); }, m_unknown))
            words.push_back(std::move(word));
    }
    return words;
}

/// Takes NAME=value words off the front; true when nothing else is left.
bool Paste::readAssignments(Tokens& statement, EnvironmentMap& into)
{
    size_t taken = 0;
    for (; taken < statement.size(); ++taken) {
        const auto found = assignment(statement[taken]);
        if (!found)
            break;
        into[found->first] = value(found->second);
    }
    statement.erase(statement.begin(), statement.begin() + static_cast<std::ptrdiff_t>(taken));
    return statement.empty();
}

bool Paste::readBuiltin(const std::vector<std::string>& words, const Tokens& statement)
{
    if (words.front() == "export") {
        for (size_t i = 1; i < statement.size(); ++i) {
            if (const auto found = assignment(statement[i]))
                m_exported[found->first] = value(found->second);
            else if (const auto known = m_shell.find(statement[i].plainText());
                     known != m_shell.end())
                m_exported.insert(*known);
        }
        return true;
    }
    if (words.front() == "cd" && words.size() == 2) {
        m_folder = (std::filesystem::path(m_folder) / words[1]).string();
        return true;
    }
    return false;
}

Tokens Paste::withoutRedirections(const Tokens& statement)
{
    Tokens words;
    for (size_t i = 0; i < statement.size(); ++i) {
        if (statement[i].kind == ShellToken::Kind::Word) {
            words.push_back(statement[i]);
            continue;
        }
        std::string text = statement[i].text;
        if (i + 1 < statement.size() && statement[i + 1].kind == ShellToken::Kind::Word)
            text += " " + statement[++i].plainText();
        note(code::PastedPartIgnored, text);
    }
    return words;
}

void Paste::readStatement(Tokens statement)
{
    statement = withoutRedirections(statement);
    if (!statement.empty() && statement.front().plainText() == "$")
        statement.erase(statement.begin());
    EnvironmentMap leading;
    if (statement.empty())
        return;
    if (readAssignments(statement, leading)) {
        for (auto& [name, text] : leading)
            (m_exported.contains(name) ? m_exported : m_shell)[name] = std::move(text);
        return;
    }
    if (statement.front().plainText() == "env") {
        statement.erase(statement.begin());
        if (readAssignments(statement, leading))
            return;
    }
    std::vector<std::string> words = expand(statement);
    if (words.empty() || readBuiltin(words, statement))
        return;
    const auto launcher = findLauncher(words);
    if (!launcher || m_found) {
        note(code::PastedPartIgnored, join(words, " "));
        return;
    }
    m_found = true;
    const std::vector<std::string> before(
        words.begin(), words.begin() + static_cast<std::ptrdiff_t>(launcher->first));
    if (!before.empty())
        note(code::PastedPartIgnored, join(before, " "));
    leading.insert(m_exported.begin(), m_exported.end()); // what is there already stays
    words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(launcher->options));
    launch(*launcher, words, leading);
}

/// Variables that are an option of Ringmaster become it; the others go to the workers.
void Paste::fillFromVariables(Role& role, const EnvironmentMap& variables)
{
    for (const auto& [name, text] : variables) {
        if (name.starts_with("PET_"))
            continue;
        std::vector<int> devices;
        for (const std::string& item : split(text, ',')) {
            const auto index = pythonInt(item);
            devices.push_back(index && item == std::to_string(*index) ? *index : -1);
        }
        const bool listed = std::ranges::none_of(devices, [](int d) { return d < 0; });
        if (name == "PYTHON_EXEC" && role.interpreter.empty())
            role.interpreter = text;
        else if (name == "CUDA_VISIBLE_DEVICES" && listed && role.devices.empty())
            role.devices = devices;
        else
            role.environment.try_emplace(name, text);
    }
}

void Paste::launch(const Launcher& launcher, const std::vector<std::string>& words,
                   const EnvironmentMap& variables)
{
    EnvironmentMap environment = variables;
    environment.insert(m_environment.begin(), m_environment.end());
    const bool legacy = launcher.kind == Launcher::Kind::Launch;
    const std::span<const OptionRow> extra(&UseEnv, legacy ? 1 : 0);
    auto line = parseTorchrunLine(words, environment, extra);
    if (!line) {
        m_errors = std::move(line).error();
        return;
    }
    m_result.line = *std::move(line);
    Role& role = m_result.line.spec.roles.front();
    if (legacy && !m_result.line.extra.contains(UseEnv.destination()))
        role.arguments.insert(role.arguments.begin(), "--local-rank=${local_rank}");
    if (role.interpreter.empty())
        role.interpreter = launcher.interpreter;
    if (role.workingFolder.empty())
        role.workingFolder = m_folder;
    fillFromVariables(role, variables);
}

tl::expected<PastedCommand, LineErrors> Paste::read(const Tokens& tokens)
{
    static const std::set<std::string> ends{"\n", ";", "&&", "||", "&", ";;"};
    Tokens statement;
    bool piped = false;
    for (const ShellToken& token : tokens) {
        const bool isOperator = token.kind == ShellToken::Kind::Operator;
        if (isOperator && (token.text == "|" || token.text == "|&")) {
            readStatement(std::exchange(statement, {}));
            piped = true;
        } else if (isOperator && ends.contains(token.text)) {
            if (piped)
                note(code::PastedPartIgnored, "| " + join(expand(statement), " "));
            else
                readStatement(std::exchange(statement, {}));
            statement.clear();
            piped = false;
        } else {
            statement.push_back(token);
        }
    }
    if (piped)
        note(code::PastedPartIgnored, "| " + join(expand(statement), " "));
    else
        readStatement(std::move(statement));
    if (!m_errors.messages.empty())
        return tl::unexpected(std::move(m_errors));
    if (!m_found)
        return tl::unexpected(LineErrors{{{code::PastedNoLauncher, {}, {}}}, 2});
    std::ranges::sort(m_unknown);
    m_unknown.erase(std::unique(m_unknown.begin(), m_unknown.end()), m_unknown.end());
    for (const std::string& name : m_unknown) {
        if (name != "local_rank")
            note(code::PastedVariableUnknown, name);
    }
    return std::move(m_result);
}

} // namespace

tl::expected<PastedCommand, LineErrors> parsePastedCommand(std::string_view text,
                                                           const EnvironmentMap& environment)
{
    auto tokens = splitShell(text);
    if (!tokens)
        return tl::unexpected(LineErrors{{std::move(tokens).error()}, 2});
    return Paste(environment).read(*tokens);
}

} // namespace ringmaster
