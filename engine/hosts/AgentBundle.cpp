#include "engine/hosts/AgentBundle.h"

#include "engine/base/BoundedRun.h"
#include "engine/base/Environment.h"
#include "engine/base/FileLock.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/machine/PySpyProgram.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace ringmaster {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

namespace {

constexpr size_t LargestListing = 4U << 20U;
// Packing takes a second; on a machine that has too much to do, more than a minute.
constexpr auto Patience = 5min;

// The C library's own parts belong to the machine, as its kernel does.
constexpr std::array<std::string_view, 11> OfTheSystem{
    "linux-vdso.so", "ld-linux", "libc.so",      "libm.so",    "libdl.so", "libpthread.so",
    "librt.so",      "libnss_",  "libresolv.so", "libutil.so", "libanl.so"};

/// What a bundle has, as the agent looks for it beside itself, and where that is here.
struct Piece
{
    std::string_view name;
    std::string_view installed; ///< In ../libexec/ringmaster.
    bool isNeeded;
};
constexpr std::array Pieces{Piece{"ringmaster-keeper", "ringmaster-keeper", true},
                            Piece{"ringmaster-sweep", "ringmaster-sweep", false},
                            Piece{"ringmaster-sweep-nccl.so", "ringmaster-sweep-nccl.so", false},
                            Piece{"ringmaster-hook", "hook", false},
                            Piece{"ringmaster-ring", "ring", false}};

Result<std::string> tell(std::vector<std::string> words)
{
    words.insert(words.begin(), "/usr/bin/env");
    return runBounded(words, currentEnvironment(), Patience, LargestListing);
}

tl::unexpected<Error> notMade(std::string what, std::string detail = {})
{
    return fail(code::BundleNotMade, {{"what", std::move(what)}}, std::move(detail));
}

Result<std::vector<fs::path>> librariesOf(const fs::path& program)
{
    const auto said = tell({"ldd", program.string()});
    if (!said)
        return notMade("ldd can't read " + program.string(), describe(said.error()));
    std::vector<fs::path> libraries;
    std::istringstream lines(*said);
    for (std::string line; std::getline(lines, line);) {
        const size_t arrow = line.find(" => /");
        if (arrow == std::string::npos)
            continue;
        const size_t start = line.find_first_not_of(" \t");
        const std::string_view name = std::string_view(line).substr(start, arrow - start);
        const bool isSystems = std::ranges::any_of(
            OfTheSystem, [&](std::string_view part) { return name.starts_with(part); });
        if (!isSystems)
            libraries.emplace_back(line.substr(arrow + 4, line.rfind(" (") - arrow - 4));
    }
    return libraries;
}

/// All that goes in, and the times and sizes of the files: who has seen the same has the same.
struct Contents
{
    std::map<std::string, fs::path> files{}; ///< By their place in the bundle.

    void add(const std::string& place, const fs::path& file)
    {
        std::error_code ignored;
        if (!fs::is_directory(file, ignored)) {
            files[place] = file;
            return;
        }
        // Of a build folder, links into the sources are a part. Where a link points is not its
        // place.
        constexpr auto Followed = fs::directory_options::follow_directory_symlink;
        for (const auto& entry : fs::recursive_directory_iterator(file, Followed, ignored)) {
            const std::string relative = entry.path().lexically_relative(file).string();
            if (entry.is_regular_file(ignored) && relative.find("__pycache__") == std::string::npos)
                files[place + "/" + relative] = entry.path();
        }
    }

    std::string key() const
    {
        std::ostringstream text;
        std::error_code ignored;
        for (const auto& [place, file] : files)
            text << place << " " << file.string() << " " << fs::file_size(file, ignored) << " "
                 << fs::last_write_time(file, ignored).time_since_epoch().count() << "\n";
        return text.str();
    }
};

/// Of the command: beside this executable, else where PATH finds it.
fs::path programFolder()
{
    const fs::path here = executableFolder();
    const EnvironmentMap environment = currentEnvironment();
    const auto path = environment.find("PATH");
    std::istringstream folders(path == environment.end() ? std::string() : path->second);
    std::string folder = here.string();
    std::error_code ignored;
    do {
        if (fs::exists(fs::path(folder) / "ringmaster", ignored))
            return folder;
    } while (std::getline(folders, folder, ':'));
    return here;
}

Result<Contents> collect()
{
    const fs::path here = programFolder();
    const fs::path libexec = here.parent_path() / "libexec/ringmaster";
    Contents contents;
    contents.add("bin/ringmaster", here / "ringmaster");
    for (const Piece& piece : Pieces) {
        std::error_code ignored;
        const fs::path beside = here / piece.name;
        const fs::path source = fs::exists(beside, ignored) ? beside : libexec / piece.installed;
        if (!fs::exists(source, ignored) && piece.isNeeded)
            return notMade(std::string(piece.name) + " is missing beside " + here.string());
        if (fs::exists(source, ignored))
            contents.add("bin/" + std::string(piece.name), source);
    }
    // It needs no library, and few machines have it: without it no stack of another job is read.
    // What only starts it elsewhere on this machine, as pyenv's shims do, is of no use there.
    if (const std::string reader = pySpyFor(::getpid()); isElf(startOfFile(reader, 4)))
        contents.add("bin/py-spy", reader);
    for (const fs::path& library : RM_TRY(librariesOf(here / "ringmaster")))
        contents.add("lib/" + library.filename().string(), library);
    return contents;
}

/// A copy of each, without what only a debugger needs.
Result<void> stage(const Contents& contents, const fs::path& folder)
{
    for (const auto& [place, file] : contents.files) {
        const fs::path target = folder / place;
        RM_TRY(makeFolder(target.parent_path()));
        std::error_code error;
        fs::copy_file(file, target, fs::copy_options::overwrite_existing, error);
        if (error)
            return notMade(target.string(), error.message());
        const bool isObject = place.starts_with("lib/") || place == "bin/ringmaster" ||
                              place == "bin/ringmaster-sweep" || place.ends_with(".so");
        if (isObject)
            (void)tell({"strip", "--strip-debug", target.string()}); // larger without binutils
    }
    return {};
}

/// "HASH  PLACE" a line, as sha256sum checks it.
Result<std::string> manifestOf(const Contents& contents, const fs::path& folder)
{
    std::vector<std::string> words{"env", "-C", folder.string(), "sha256sum", "--"};
    for (const auto& [place, file] : contents.files)
        words.push_back(place);
    auto sums = tell(std::move(words));
    if (!sums)
        return notMade("sha256sum", describe(sums.error()));
    return sums;
}

Result<std::string> hashOf(const fs::path& file)
{
    const auto said = tell({"sha256sum", "--", file.string()});
    if (!said || said->size() < 64)
        return notMade("sha256sum", said ? "" : describe(said.error()));
    return said->substr(0, 32);
}

/// $XDG_CACHE_HOME/ringmaster
fs::path bundlesFolder()
{
    return cacheFolder() / "bundle";
}

Result<AgentBundle> opened(const fs::path& folder, std::string hash)
{
    const fs::path archive = folder / (hash + ".tar.gz");
    const auto file = std::make_shared<const FileDescriptor>(
        ::open(archive.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    struct stat info
    {
    };
    if (!file->isOpen() || ::fstat(file->get(), &info) != 0)
        return notMade(archive.string(), errnoText(errno));
    (void)::futimens(file->get(), nullptr); // for removeUnused(), maybe of another host
    utsname system{};
    ::uname(&system);
    return AgentBundle{.archive = file,
                       .hash = std::move(hash),
                       .size = static_cast<std::uint64_t>(info.st_size),
                       .machine = system.machine};
}

/// Under the lock. An archive goes once nobody has used it for a day: on a file server, not even an
/// open file keeps it for another host with this home. What is half made was left by a kill.
void removeUnused(const fs::path& bundles)
{
    const auto yesterday = fs::file_time_type::clock::now() - 24h;
    std::error_code ignored;
    for (const auto& old : fs::directory_iterator(bundles, ignored)) {
        std::error_code error;
        const bool isHalfMade = old.path().filename().string().starts_with("new-");
        const bool isUnused =
            old.path().extension() == ".gz" && old.last_write_time(error) < yesterday && !error;
        if (isHalfMade || isUnused)
            fs::remove_all(old.path(), ignored);
    }
}

Result<std::string> make(const Contents& contents, const fs::path& bundles)
{
    const fs::path folder = bundles / ("new-" + randomToken(8));
    const std::shared_ptr<void> cleanup(nullptr, [folder](void*) {
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    });
    RM_TRY(stage(contents, folder));
    const std::string manifest = RM_TRY(manifestOf(contents, folder));
    RM_TRY(writeFileAtomically(folder / "MANIFEST", manifest, 0600, Durability::Relaxed));
    std::string hash = RM_TRY(hashOf(folder / "MANIFEST"));
    const fs::path archive = bundles / (hash + ".tar.gz");
    std::error_code error;
    if (fs::exists(archive, error))
        return hash; // the same files at another place; somebody may be reading it
    const fs::path packed = folder / "packed.tar.gz";
    const auto made =
        tell({"tar", "-C", folder.string(), "-czf", packed.string(), "MANIFEST", "bin", "lib"});
    if (!made)
        return notMade("tar", describe(made.error()));
    fs::rename(packed, archive, error);
    if (error)
        return notMade(packed.string(), error.message());
    return hash;
}

} // namespace

Result<AgentBundle> agentBundle()
{
    const Contents contents = RM_TRY(collect());
    const fs::path bundles = bundlesFolder();
    const fs::path known = bundles / "latest";
    const std::string key = contents.key();
    const auto latest = [&]() -> std::optional<AgentBundle> {
        const auto text = readFile(known, LargestListing);
        if (!text || !text->ends_with(key))
            return std::nullopt;
        const auto bundle = opened(bundles, text->substr(0, text->find('\n')));
        return bundle ? std::optional(*bundle) : std::nullopt;
    };
    if (const auto bundle = latest())
        return *bundle;
    RM_TRY(makeFolder(bundles));
    // Another command may be making the same one.
    const FileDescriptor lock = RM_TRY(waitForLock(bundles / "lock"));
    if (const auto bundle = latest())
        return *bundle;
    removeUnused(bundles);
    const std::string hash = RM_TRY(make(contents, bundles));
    RM_TRY(writeFileAtomically(known, hash + "\n" + key, 0600, Durability::Relaxed));
    return opened(bundles, hash);
}

} // namespace ringmaster
