#include "engine/job/JobFile.h"

#include "engine/base/Files.h"
#include "engine/base/Paths.h"

namespace ringmaster {

namespace {

namespace fs = std::filesystem;

constexpr size_t LargestJobFile = 1U << 20U;

/// True where `Role::program` names a file rather than a module or a command of PATH.
bool programIsPath(const Role& role)
{
    switch (role.kind) {
    case ProgramKind::Script:
    case ProgramKind::RunPath: return true;
    case ProgramKind::Command: return role.program.find('/') != std::string::npos;
    case ProgramKind::Module: return false;
    }
    return false;
}

bool hasFolder(const std::string& path)
{
    return path.find('/') != std::string::npos;
}

std::string under(const fs::path& folder, const std::string& path)
{
    return (folder / path).lexically_normal().string();
}

fs::path absoluteFolder(const fs::path& folder)
{
    std::error_code error;
    const fs::path absolute = fs::absolute(folder, error).lexically_normal();
    return absolute.has_filename() ? absolute : absolute.parent_path();
}

void resolvePaths(JobSpec& spec, const fs::path& folder)
{
    for (Role& role : spec.roles) {
        const fs::path working = absoluteFolder(folder / role.workingFolder);
        if (working != folder && programIsPath(role) && !role.program.empty())
            role.program = under(folder, role.program);
        if (hasFolder(role.interpreter))
            role.interpreter = under(folder, role.interpreter);
        role.workingFolder = working.string();
    }
    if (!spec.logs.folder.empty())
        spec.logs.folder = under(folder, spec.logs.folder);
}

/// A path below `folder` becomes relative to it, so that the folder can be moved as a whole.
std::string relativeTo(const fs::path& folder, const std::string& path)
{
    const fs::path relative = fs::path(path).lexically_relative(folder);
    const bool below = !relative.empty() && *relative.begin() != "..";
    return below ? relative.string() : path;
}

void relatePaths(JobSpec& spec, const fs::path& folder, const fs::path& launchFolder)
{
    for (Role& role : spec.roles) {
        const fs::path working = absoluteFolder(launchFolder / role.workingFolder);
        if (working != folder && programIsPath(role) && !role.program.empty())
            role.program = relativeTo(folder, under(working, role.program));
        if (hasFolder(role.interpreter)) {
            const std::string relative = relativeTo(folder, under(working, role.interpreter));
            role.interpreter = hasFolder(relative) ? relative : "./" + relative;
        }
        role.workingFolder =
            working == folder ? std::string() : relativeTo(folder, working.string());
    }
    if (!spec.logs.folder.empty())
        spec.logs.folder = relativeTo(folder, under(launchFolder, spec.logs.folder));
}

} // namespace

JobFileResult loadJobFile(const fs::path& path)
{
    auto text = readFile(path, LargestJobFile);
    if (!text)
        return tl::unexpected(
            std::vector<Finding>{{Finding::Severity::Error, std::move(text).error(), {}}});
    auto file = parseJobFile(*text);
    if (file)
        resolvePaths(file->spec, absoluteFolder(absolutePath(path).parent_path()));
    return file;
}

Result<void> saveJobFile(const fs::path& path, const JobSpec& spec, const fs::path& launchFolder)
{
    JobSpec written = spec;
    relatePaths(written, absoluteFolder(absolutePath(path).parent_path()),
                absoluteFolder(launchFolder));
    const std::string text = RM_TRY(jobFileText(written));
    return writeFileAtomically(path, text, 0644);
}

} // namespace ringmaster
