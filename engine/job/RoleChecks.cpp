#include "engine/job/RoleChecks.h"

#include "engine/base/Files.h"
#include "engine/job/Codes.h"
#include "engine/job/ContainerSpec.h"
#include "engine/text/Codes.h"
#include "engine/text/PythonText.h"
#include "engine/text/SecretWords.h"
#include "engine/text/ShellWords.h"

#include <algorithm>
#include <filesystem>
#include <set>

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

constexpr size_t ReadOfProgram = 64U << 10U;
constexpr int FoldersUp = 4;

std::string joined(const std::string& folder, const std::string& path)
{
    const fs::path normal = (fs::path(folder) / path).lexically_normal();
    return normal.has_filename() ? normal.string() : normal.parent_path().string();
}

/// `import torch`, `from torch.… import …`
bool importsTorch(std::string_view code)
{
    for (const std::string_view start : {"import torch", "from torch"}) {
        if (!code.starts_with(start))
            continue;
        const std::string_view rest = code.substr(start.size());
        if (rest.empty() || rest.front() == ' ' || rest.front() == '.' || rest.front() == ',')
            return true;
    }
    return false;
}

/// What a run that came from elsewhere has in the place of a secret.
bool isMasked(const std::string& text)
{
    const std::string mask(SecretMask);
    return text == mask || text.ends_with("=" + mask) ||
           text.find(":" + mask + "@") != std::string::npos;
}

/// Python ignores such a line: what it names may only be one of the ways to Python.
bool mayBePython(const std::string& program, const std::string& firstLine)
{
    return program.ends_with(".py") || firstLine.find("uv run") != std::string::npos;
}

/// A program with one of these may say itself where modules are.
constexpr std::string_view WaysToModules[] = {"sys.path", "addsitedir", "importlib", "meta_path"};

} // namespace

std::string RoleChecks::folderOf(const Role& role) const
{
    return joined(m_systemInfo.launchFolder(), role.workingFolder);
}

std::string RoleChecks::interpreterOf(const Role& role) const
{
    if (!role.interpreter.empty())
        return role.interpreter;
    const auto inJob = role.environment.find("PYTHON_EXEC");
    if (inJob != role.environment.end())
        return inJob->second;
    return m_systemInfo.variable("PYTHON_EXEC").value_or(m_systemInfo.activeInterpreter());
}

void RoleChecks::check(size_t index)
{
    // What other machines have, their agents say; what an image has, its engine.
    if (!m_spec.isLed() && imageOf(m_spec, m_spec.roles[index]).empty()) {
        checkProgram(index);
        checkFolder(index);
        if (m_spec.roles[index].kind != ProgramKind::Command)
            checkInterpreter(index);
    } else if (m_spec.roles[index].program.empty()) {
        error(at(index, "program"), code::ProgramEmpty);
    }
    checkEnvironment(index);
    const auto sameName = [&](const Role& other) { return other.name == m_spec.roles[index].name; };
    const auto first = std::ranges::find_if(m_spec.roles, sameName);
    if (static_cast<size_t>(first - m_spec.roles.begin()) < index)
        error(at(index, "name"), code::RoleNameTwice, {{"name", m_spec.roles[index].name}});
}

void RoleChecks::checkFolder(size_t index)
{
    const Role& role = m_spec.roles[index];
    const SystemInfo::File folder = m_systemInfo.file(folderOf(role));
    if (!folder.exists || !folder.isFolder)
        error(at(index, "working_folder"), code::WorkingFolderMissing, {{"path", folderOf(role)}});
}

void RoleChecks::checkProgram(size_t index)
{
    const Role& role = m_spec.roles[index];
    if (role.program.empty())
        return error(at(index, "program"), code::ProgramEmpty);
    switch (role.kind) {
    case ProgramKind::Module: return checkModule(index);
    case ProgramKind::Command: return checkCommand(index);
    case ProgramKind::Script:
    case ProgramKind::RunPath:
        // A rank may be part of the name; there is nothing to look for then.
        if (role.program.find('$') == std::string::npos)
            checkFile(index, joined(folderOf(role), role.program));
        return;
    }
}

void RoleChecks::checkFile(size_t index, const std::string& path)
{
    const Role& role = m_spec.roles[index];
    const std::string field = at(index, "program");
    const Parameters parameters{{"program", role.program}, {"path", path}};
    SystemInfo::File file = m_systemInfo.file(path);
    if (!file.exists)
        return reportMissing(index);
    const bool isPackage = file.isFolder && m_systemInfo.file(path + "/__main__.py").exists;
    if (file.isFolder && !isPackage)
        return error(field, code::ProgramIsFolder, parameters);
    if (!file.isReadable)
        return error(field, code::ProgramNotReadable, parameters);
    const std::string start = m_systemInfo.fileStart(path, 4096);
    if (isElf(start))
        return error(field, code::ProgramIsBinary, parameters);
    const std::string firstLine = start.substr(0, start.find('\n'));
    if (firstLine.starts_with("#!") && firstLine.find("python") == std::string::npos) {
        const Parameters named{{"program", role.program}, {"line", firstLine}};
        if (mayBePython(role.program, firstLine))
            return warn(field, code::ProgramFirstLineIgnored, named);
        return error(field, code::ProgramIsOtherScript, named);
    }
    ok(field, code::ProgramFound, parameters);
}

/// The same path below a parent folder, or the same file name in a folder below: the usual mistake
/// is to stand in the wrong folder.
std::string RoleChecks::foundElsewhere(const Role& role) const
{
    if (role.program.starts_with('/'))
        return {};
    const fs::path folder = folderOf(role);
    fs::path upper = folder;
    for (int i = 0; i < FoldersUp && upper.has_relative_path(); ++i) {
        upper = upper.parent_path();
        if (m_systemInfo.file((upper / role.program).string()).exists)
            return upper.string();
    }
    for (const std::string& lower : m_systemInfo.subfolders(folder.string())) {
        if (m_systemInfo.file(joined(lower, role.program)).exists)
            return lower;
    }
    const fs::path name = fs::path(role.program).filename();
    if (name != role.program && m_systemInfo.file((folder / name).string()).exists)
        return folder.string();
    return {};
}

void RoleChecks::reportMissing(size_t index)
{
    const Role& role = m_spec.roles[index];
    if (role.program.starts_with('/'))
        return error(at(index, "program"), code::ProgramAbsoluteMissing,
                     {{"program", role.program}});
    const std::string other = foundElsewhere(role);
    error(at(index, "program"), other.empty() ? code::ProgramMissing : code::ProgramInOtherFolder,
          {{"program", role.program}, {"folder", folderOf(role)}, {"other", other}});
}

void RoleChecks::checkModule(size_t index)
{
    const Role& role = m_spec.roles[index];
    const bool isPath =
        role.program.find('/') != std::string::npos || role.program.ends_with(".py");
    if (isPath)
        error(at(index, "module"), code::ModuleIsPath, {{"program", role.program}});
}

void RoleChecks::checkCommand(size_t index)
{
    const Role& role = m_spec.roles[index];
    const std::string field = at(index, "command");
    const bool hasFolder = role.program.find('/') != std::string::npos;
    const std::string path =
        hasFolder ? joined(folderOf(role), role.program) : m_systemInfo.findCommand(role.program);
    const Parameters parameters{
        {"program", role.program}, {"path", path}, {"folder", folderOf(role)}};
    if (path.empty())
        return error(field, code::CommandNotInPath, parameters);
    const SystemInfo::File file = m_systemInfo.file(path);
    if (!file.exists)
        return error(field,
                     role.program.starts_with('/') ? code::ProgramAbsoluteMissing
                                                   : code::ProgramMissing,
                     parameters);
    if (file.isFolder)
        return error(field, code::ProgramIsFolder, parameters);
    if (!file.isExecutable)
        return error(field, code::ProgramMayNotRun, parameters);
    ok(field, code::ProgramFound, parameters);
}

/// Not a parser: an import in a block may be one that the program can do without.
RoleChecks::TorchUse RoleChecks::torchUse(const Role& role) const
{
    // What a module imports isn't known; who launches one with ranks wants torch.
    if (role.kind == ProgramKind::Module)
        return TorchUse::Possible;
    const std::string source =
        m_systemInfo.fileStart(joined(folderOf(role), role.program), ReadOfProgram);
    TorchUse use = TorchUse::None;
    for (const std::string& line : split(source, '\n')) {
        if (importsTorch(line))
            use = TorchUse::Certain;
        else if (use == TorchUse::None && importsTorch(stripped(line)))
            use = TorchUse::Possible;
    }
    const bool looksElsewhere = std::ranges::any_of(
        WaysToModules, [&](std::string_view way) { return source.find(way) != std::string::npos; });
    return use == TorchUse::Certain && looksElsewhere ? TorchUse::Possible : use;
}

/// Python looks in the program's own folder first.
bool RoleChecks::hasTorchBeside(const Role& role) const
{
    const fs::path folder = role.kind == ProgramKind::Module
                                ? fs::path(folderOf(role))
                                : fs::path(joined(folderOf(role), role.program)).parent_path();
    return m_systemInfo.file((folder / "torch/__init__.py").string()).exists ||
           m_systemInfo.file((folder / "torch.py").string()).exists;
}

void RoleChecks::reportTorch(size_t index, const Interpreter& found)
{
    const std::string field = at(index, "interpreter");
    Parameters parameters{
        {"path", found.path}, {"version", found.version}, {"torch", found.torchVersion}};
    if (found.torchVersion.empty() && hasTorchBeside(m_spec.roles[index]))
        parameters["torch"] = "(beside the program)";
    if (!parameters["torch"].empty())
        return ok(field, code::InterpreterWithTorch, parameters);
    const TorchUse use = torchUse(m_spec.roles[index]);
    if (use == TorchUse::None)
        return ok(field, code::InterpreterFound, parameters);
    switch (found.witness) {
    case InterpreterWitness::Itself:
        if (use == TorchUse::Certain)
            return error(field, code::InterpreterWithoutTorch, parameters);
        return warn(field, code::InterpreterMayLackTorch, parameters);
    case InterpreterWitness::Files: return warn(field, code::InterpreterMayLackTorch, parameters);
    case InterpreterWitness::NotAgreed: return warn(field, code::InterpreterNotAgreed, parameters);
    case InterpreterWitness::OwnMissing:
        return warn(field, code::InterpreterOwnMissing, parameters);
    }
}

void RoleChecks::checkInterpreter(size_t index)
{
    const Role& role = m_spec.roles[index];
    const std::string field = at(index, "interpreter");
    std::string path = interpreterOf(role);
    if (path.empty())
        return error(field, code::NoInterpreter);
    if (path.find('/') == std::string::npos)
        path = m_systemInfo.findCommand(path);
    else
        path = joined(folderOf(role), path);
    const SystemInfo::File file = m_systemInfo.file(path);
    if (path.empty() || !file.exists || file.isFolder || !file.isExecutable)
        return error(field, code::InterpreterMissing, {{"path", interpreterOf(role)}});
    const auto found = m_systemInfo.interpreter({.path = path,
                                                 .variables = role.environment,
                                                 .workingFolder = folderOf(role),
                                                 .needsTorch = torchUse(role) != TorchUse::None});
    if (!found)
        return warn(field, code::InterpreterUnknown, {{"path", path}});
    if (found->version.empty())
        return warn(field, code::InterpreterNotAgreed, {{"path", path}});
    reportTorch(index, *found);
}

void RoleChecks::checkEnvironment(size_t index)
{
    static const std::set<std::string> ofLauncher{
        "RANK",       "LOCAL_RANK",  "WORLD_SIZE",     "LOCAL_WORLD_SIZE",
        "GROUP_RANK", "MASTER_ADDR", "MASTER_PORT",    "GROUP_WORLD_SIZE",
        "ROLE_RANK",  "ROLE_NAME",   "ROLE_WORLD_SIZE"};
    for (const std::string& argument : m_spec.roles[index].arguments)
        if (isMasked(argument))
            error(at(index, "arguments"), code::SecretMasked, {{"name", argument}});
    for (const auto& [name, value] : m_spec.roles[index].environment) {
        const std::string field = at(index, "environment") + "." + name;
        if (!isVariableName(name) || value.find('\0') != std::string::npos)
            error(field, code::VariableNameInvalid, {{"name", name}});
        else if (isMasked(value))
            error(field, code::SecretMasked, {{"name", name}});
        else if (ofLauncher.contains(name) ||
                 (name.starts_with("TORCHELASTIC_") && name != "TORCHELASTIC_ERROR_FILE"))
            warn(field, code::VariableOfLauncher, {{"name", name}});
    }
}

} // namespace ringmaster
