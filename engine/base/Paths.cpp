#include "engine/base/Paths.h"

#include "engine/base/Codes.h"

#include <array>
#include <cerrno>
#include <cstdlib>

#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

fs::path homeFolder()
{
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return home;
    const passwd* user = getpwuid(getuid());
    return user != nullptr && user->pw_dir != nullptr ? user->pw_dir : "/";
}

/// The XDG rules ignore a value that isn't an absolute path.
fs::path xdgFolder(const char* variable, const char* underHome)
{
    const char* value = std::getenv(variable);
    return value != nullptr && *value == '/' ? fs::path(value) : homeFolder() / underHome;
}

/// Made if it is missing; refused unless it is this user's alone.
Result<fs::path> ownFolder(const fs::path& folder)
{
    if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
        return fail(code::FolderNotWritable, {{"path", folder.string()}}, errnoText(errno));
    struct stat info
    {
    };
    // lstat: in /tmp anybody could have put a link here before us.
    if (lstat(folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode) || info.st_uid != getuid() ||
        (info.st_mode & 0077U) != 0)
        return fail(code::FolderNotOwned, {{"path", folder.string()}});
    return folder;
}

} // namespace

Result<fs::path> runtimeFolder()
{
    const char* xdg = std::getenv("XDG_RUNTIME_DIR");
    struct stat info
    {
    };
    const bool usable = xdg != nullptr && *xdg == '/' && stat(xdg, &info) == 0 &&
                        S_ISDIR(info.st_mode) && info.st_uid == getuid() && access(xdg, W_OK) == 0;
    if (usable)
        return ownFolder(fs::path(xdg) / "ringmaster");
    if (auto folder = ownFolder("/tmp/ringmaster-" + std::to_string(getuid())))
        return folder;
    // Somebody else has taken the name in /tmp. All of ours see that alike, and meet here.
    std::error_code ignored;
    const fs::path folder = fallbackRuntimeFolder();
    fs::create_directories(stateFolder(), ignored);
    RM_TRY(ownFolder(folder.parent_path()));
    return ownFolder(folder);
}

fs::path fallbackRuntimeFolder()
{
    std::array<char, 256> name{};
    const bool isNamed = gethostname(name.data(), name.size() - 1) == 0;
    return stateFolder() / "runtime" / (isNamed ? name.data() : "localhost");
}

fs::path stateFolder()
{
    return xdgFolder("XDG_STATE_HOME", ".local/state") / "ringmaster";
}

fs::path runsFolder()
{
    return stateFolder() / "runs";
}

fs::path dataFolder()
{
    return xdgFolder("XDG_DATA_HOME", ".local/share") / "ringmaster";
}

fs::path configurationFolder()
{
    return xdgFolder("XDG_CONFIG_HOME", ".config") / "ringmaster";
}

fs::path cacheFolder()
{
    return xdgFolder("XDG_CACHE_HOME", ".cache") / "ringmaster";
}

fs::path absolutePath(const fs::path& path)
{
    std::error_code error;
    const fs::path whole = fs::absolute(path, error);
    return error ? path : whole;
}

fs::path executableFolder()
{
    std::error_code ignored;
    return fs::read_symlink("/proc/self/exe", ignored).parent_path();
}

std::optional<fs::path> helperFile(std::string_view name)
{
    const fs::path here = executableFolder();
    for (const fs::path& file : {here / name, here.parent_path() / "libexec/ringmaster" / name}) {
        std::error_code ignored;
        if (fs::exists(file, ignored))
            return file;
    }
    return std::nullopt;
}

} // namespace ringmaster
