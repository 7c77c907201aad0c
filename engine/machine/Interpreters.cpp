#include "engine/machine/Interpreters.h"

#include "engine/base/Files.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <set>

#include <unistd.h>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;
using Absence = InterpreterAnswers::Absence;

constexpr size_t LargestText = 1U << 20U;

bool isExecutable(const fs::path& path)
{
    std::error_code error;
    return fs::is_regular_file(path, error) && access(path.c_str(), X_OK) == 0;
}

std::vector<std::string> linesOf(const fs::path& path)
{
    const auto text = readFile(path, LargestText);
    return text ? split(*text, '\n') : std::vector<std::string>{};
}

/// The value of `key = value`, quotes removed; of a Python assignment or a pyvenv.cfg.
std::string valueOf(const std::vector<std::string>& lines, std::string_view key)
{
    for (const std::string& line : lines) {
        const size_t equals = line.find('=');
        if (equals == std::string::npos || !line.starts_with(key))
            continue;
        // "cuda: Optional[str] = '13.0'"
        const std::string_view name = stripped(std::string_view(line).substr(0, equals));
        if (name != key && !name.starts_with(std::string(key) + ":"))
            continue;
        std::string value(stripped(std::string_view(line).substr(equals + 1)));
        std::erase_if(value, [](char c) { return c == '\'' || c == '"'; });
        return value == "None" ? "" : value;
    }
    return {};
}

/// Fills in torch's version from the first folder that has it.
bool findTorch(const std::vector<fs::path>& folders, Interpreter& into)
{
    for (const fs::path& folder : folders) {
        const std::vector<std::string> lines = linesOf(folder / "torch" / "version.py");
        if (lines.empty())
            continue;
        into.torchVersion = valueOf(lines, "__version__");
        into.cudaVersion = valueOf(lines, "cuda");
        return true;
    }
    return false;
}

std::vector<fs::path> entriesOf(const fs::path& folder)
{
    std::vector<fs::path> entries;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        entries.push_back(at->path());
    std::ranges::sort(entries);
    return entries;
}

/// "3.11" of lib/python3.11, the only one there or that of `wanted` ("python3.11").
std::string libraryVersion(const fs::path& prefix, const std::string& wanted)
{
    std::vector<std::string> versions;
    for (const fs::path& entry : entriesOf(prefix / "lib")) {
        const std::string name = entry.filename().string();
        if (!name.starts_with("python3.") ||
            name.find_first_not_of("0123456789.", 6) != std::string::npos)
            continue;
        if (name == wanted)
            return name.substr(6);
        versions.push_back(name.substr(6));
    }
    return versions.size() == 1 ? versions.front() : std::string();
}

std::optional<Interpreter> virtualEnvironment(const fs::path& prefix)
{
    const std::vector<std::string> configuration = linesOf(prefix / "pyvenv.cfg");
    if (configuration.empty())
        return std::nullopt;
    Interpreter found;
    found.version = valueOf(configuration, "version");
    if (found.version.empty())
        found.version = valueOf(configuration, "version_info");
    const std::vector<std::string> parts = split(found.version, '.');
    if (parts.size() < 2)
        return std::nullopt;
    const std::string library = "python" + parts[0] + "." + parts[1];
    std::vector<fs::path> folders{prefix / "lib" / library / "site-packages"};
    if (valueOf(configuration, "include-system-site-packages") == "true") {
        const fs::path base = fs::path(valueOf(configuration, "home")).parent_path();
        folders.insert(folders.end(), {base / "lib" / library / "site-packages",
                                       base / "local/lib" / library / "dist-packages",
                                       base / "lib/python3/dist-packages"});
    }
    findTorch(folders, found);
    return found;
}

/// An installation that has its library beside it: conda, pyenv, /usr.
std::optional<Interpreter> installation(const fs::path& path, const fs::path& prefix,
                                        const fs::path& home)
{
    std::error_code error;
    const std::string real = fs::canonical(path, error).filename().string();
    const std::string version = libraryVersion(prefix, real);
    if (version.empty() || !fs::exists(prefix / "lib" / ("python" + version) / "os.py", error))
        return std::nullopt;
    Interpreter found;
    found.version = version;
    for (const fs::path& entry : entriesOf(prefix / "conda-meta")) {
        const std::string name = entry.filename().string();
        if (name.starts_with("python-" + version + "."))
            found.version = name.substr(7, name.find('-', 7) - 7);
    }
    const std::string library = "python" + version;
    findTorch({home / ".local/lib" / library / "site-packages",
               prefix / "lib" / library / "site-packages",
               prefix / "local/lib" / library / "dist-packages",
               prefix / "lib/python3/dist-packages"},
              found);
    return found;
}

/// What the files beside an interpreter tell; nothing when it isn't executable.
std::optional<Interpreter> byFiles(const fs::path& path, InterpreterKind kind, const fs::path& home)
{
    if (!isExecutable(path))
        return std::nullopt;
    const fs::path prefix = path.parent_path().parent_path();
    auto found = virtualEnvironment(prefix);
    if (!found)
        found = installation(path, prefix, home);
    if (!found)
        found.emplace();
    found->path = path.string();
    found->kind = kind;
    return found;
}

/// Two names in one folder are one interpreter; a virtual environment's link to the system's is
/// another one. Empty: there is no such file.
fs::path identityOf(const fs::path& path)
{
    std::error_code error;
    const fs::path folder = fs::canonical(path.parent_path(), error);
    const fs::path file = fs::canonical(path, error).filename();
    return error ? fs::path() : folder / file;
}

/// Among a job's variables there is one that decides where Python looks.
bool changesPython(const EnvironmentMap& variables)
{
    return std::ranges::any_of(
        variables, [](const auto& variable) { return variable.first.starts_with("PYTHON"); });
}

} // namespace

Interpreters::Interpreters(EnvironmentMap environment, std::chrono::milliseconds patience)
    : m_environment(std::move(environment))
    , m_patience(patience)
    , m_answers(folderOf("XDG_CACHE_HOME", ".cache") / "interpreters.json")
{
}

std::string Interpreters::variable(const char* name) const
{
    const auto found = m_environment.find(name);
    return found == m_environment.end() ? std::string() : found->second;
}

fs::path Interpreters::folderOf(const char* variableName, const char* inHome) const
{
    const std::string named = variable(variableName);
    return (named.starts_with('/') ? fs::path(named) : fs::path(variable("HOME")) / inHome) /
           "ringmaster";
}

/// Asks the interpreter itself what it would import. False when it doesn't say.
bool Interpreters::ask(Interpreter& into, const EnvironmentMap& environment,
                       const std::string& folder, InterpreterAnswers::Absence absence) const
{
    const auto answer = m_answers.ask({.path = into.path,
                                       .environment = environment,
                                       .workingFolder = folder,
                                       .absence = absence},
                                      m_patience);
    if (!answer)
        return false;
    if (!into.version.starts_with(answer->version)) // that of a candidate for a release is longer
        into.version = answer->version;
    into.torchVersion = answer->torchVersion;
    into.cudaVersion = answer->cudaVersion;
    into.witness = InterpreterWitness::Itself;
    return true;
}

std::optional<Interpreter> Interpreters::inspect(const fs::path& path, InterpreterKind kind,
                                                 bool mayRun) const
{
    auto found = byFiles(path, kind, variable("HOME"));
    if (!found)
        return std::nullopt;
    const bool isKnown = !found->torchVersion.empty() && variable("PYTHONPATH").empty();
    if (!isKnown && mayRun)
        ask(*found, m_environment, "/", Absence::MayBeRemembered);
    return found->version.empty() ? std::nullopt : found;
}

/// True for an interpreter that this user would have without any job: nobody has to agree again.
bool Interpreters::isOwn(const fs::path& path) const
{
    const fs::path identity = identityOf(path);
    std::vector<Candidate> own = candidates({});
    if (const std::string named = variable("PYTHON_EXEC"); named.starts_with('/'))
        own.push_back({named, InterpreterKind::Named, true});
    return !identity.empty() && std::ranges::any_of(own, [&](const Candidate& candidate) {
        return identityOf(candidate.path) == identity;
    });
}

std::optional<Interpreter> Interpreters::inspect(const InterpreterQuestion& question,
                                                 const Agreement& agreement) const
{
    auto found = byFiles(question.path, InterpreterKind::Named, variable("HOME"));
    if (!found)
        return std::nullopt;
    EnvironmentMap environment = m_environment;
    for (const auto& [name, value] : question.variables)
        environment[name] = value;
    const auto path = environment.find("PYTHONPATH");
    const bool isPlain = path == environment.end() || path->second.empty();
    const bool isEnough =
        question.needsTorch ? !found->torchVersion.empty() && isPlain : !found->version.empty();
    if (isEnough)
        return found;
    if (!agreement.isGiven && !agreement.trusted.contains(question.path) && !isOwn(question.path)) {
        found->witness = InterpreterWitness::NotAgreed;
        return found;
    }
    if (agreement.isGiven) {
        ask(*found, environment, question.workingFolder, Absence::IsAskedAgain);
    } else if (ask(*found, m_environment, "/", Absence::IsAskedAgain) &&
               changesPython(question.variables)) {
        found->witness = InterpreterWitness::OwnMissing;
    }
    return found->version.empty() ? std::nullopt : found;
}

void Interpreters::addInstalledIn(std::vector<Candidate>& into) const
{
    if (const std::string path = variable("RINGMASTER_INSTALLED_IN"); path.starts_with('/'))
        into.push_back({path, InterpreterKind::Active, true});
}

void Interpreters::addRecorded(std::vector<Candidate>& into) const
{
    const fs::path data = folderOf("XDG_DATA_HOME", ".local/share");
    const std::vector<std::string> lines = linesOf(data / "interpreter");
    if (!lines.empty() && !stripped(lines.front()).empty())
        into.push_back({std::string(stripped(lines.front())), InterpreterKind::Recorded, true});
    into.push_back({data / "venv/bin/python", InterpreterKind::Recorded, true});
}

void Interpreters::addFromPath(std::vector<Candidate>& into) const
{
    for (const char* name : {"python3", "python"}) {
        for (const std::string& folder : split(variable("PATH"), ':')) {
            if (folder.starts_with('/'))
                into.push_back({fs::path(folder) / name, InterpreterKind::System, true});
        }
    }
}

void Interpreters::addCondaAndPyenv(std::vector<Candidate>& into) const
{
    const fs::path home = variable("HOME");
    for (const std::string& line : linesOf(home / ".conda/environments.txt")) {
        if (!stripped(line).empty())
            into.push_back({fs::path(stripped(line)) / "bin/python", InterpreterKind::Conda, true});
    }
    const std::string root = variable("PYENV_ROOT");
    const fs::path pyenv = root.empty() ? home / ".pyenv" : fs::path(root);
    for (const fs::path& version : entriesOf(pyenv / "versions"))
        into.push_back({version / "bin/python", InterpreterKind::Pyenv, true});
}

std::vector<Interpreters::Candidate> Interpreters::candidates(const fs::path& workingFolder) const
{
    std::vector<Candidate> all;
    addInstalledIn(all);
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        if (const std::string prefix = variable(name); !prefix.empty())
            all.push_back({fs::path(prefix) / "bin/python", InterpreterKind::Active, true});
    }
    // A cloned repository may bring these: looked at, never run.
    for (const char* name : {".venv", "venv"}) {
        if (!workingFolder.empty())
            all.push_back(
                {workingFolder / name / "bin/python", InterpreterKind::Environment, false});
    }
    addRecorded(all);
    addFromPath(all);
    addCondaAndPyenv(all);
    return all;
}

std::vector<Interpreter> Interpreters::all(const fs::path& workingFolder) const
{
    std::vector<Interpreter> found;
    std::set<fs::path> seen;
    const auto deadline = std::chrono::steady_clock::now() + m_patience;
    for (const Candidate& candidate : candidates(workingFolder)) {
        const fs::path identity = identityOf(candidate.path);
        if (identity.empty() || seen.contains(identity))
            continue;
        const bool inTime = std::chrono::steady_clock::now() < deadline;
        auto interpreter = inspect(candidate.path, candidate.kind, candidate.mayRun && inTime);
        if (!interpreter)
            continue;
        seen.insert(identity);
        found.push_back(*std::move(interpreter));
    }
    return found;
}

std::string Interpreters::active() const
{
    std::vector<Candidate> installedIn;
    addInstalledIn(installedIn);
    for (const Candidate& candidate : installedIn) {
        const auto found = inspect(candidate.path, candidate.kind, candidate.mayRun);
        if (found && !found->torchVersion.empty())
            return found->path;
    }
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
        const fs::path path = fs::path(variable(name)) / "bin/python";
        if (path.is_absolute() && isExecutable(path))
            return path.string();
    }
    std::vector<Candidate> others;
    addFromPath(others);
    addRecorded(others);
    std::string first;
    std::set<fs::path> seen;
    const auto deadline = std::chrono::steady_clock::now() + m_patience;
    for (const Candidate& candidate : others) {
        if (!isExecutable(candidate.path) || !seen.insert(identityOf(candidate.path)).second)
            continue;
        if (first.empty())
            first = candidate.path.string();
        const bool inTime = std::chrono::steady_clock::now() < deadline;
        const auto found = inspect(candidate.path, candidate.kind, inTime);
        if (found && !found->torchVersion.empty())
            return found->path;
    }
    return first;
}

} // namespace ringmaster
