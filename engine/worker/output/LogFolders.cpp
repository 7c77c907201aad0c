#include "engine/worker/output/LogFolders.h"

#include "engine/base/Codes.h"
#include "engine/base/Files.h"

#include <algorithm>
#include <cerrno>

#include <sys/stat.h>

namespace ringmaster {

namespace fs = std::filesystem;

namespace {

constexpr mode_t Private = 0700; ///< As Python's mkdtemp().
constexpr mode_t Usual = 0755;   ///< Less the umask.
constexpr std::size_t RandomLetters = 8;

Result<void> makeOne(const fs::path& path, mode_t mode)
{
    if (mkdir(path.c_str(), mode) != 0)
        return fail(code::FolderNotWritable, {{"path", path.string()}}, errnoText(errno));
    return {};
}

Result<void> makeRoot(const fs::path& root)
{
    std::error_code error;
    fs::create_directories(root, error);
    if (error || !fs::is_directory(root, error))
        return fail(code::FolderNotWritable, {{"path", root.string()}}, error.message());
    return {};
}

} // namespace

Result<LogFolders> LogFolders::create(const std::string& wanted, const fs::path& runFolder,
                                      const std::string& rendezvousId)
{
    LogFolders folders;
    if (wanted == "/dev/null")
        return folders;
    std::string name = rendezvousId + "_" + randomToken(RandomLetters);
    std::replace(name.begin(), name.end(), '/', '_');
    RM_TRY(makeFolder(runFolder / "logs"));
    folders.m_capture = runFolder / "logs" / name;
    RM_TRY(makeOne(folders.m_capture, Private));
    folders.m_logs = folders.m_capture;
    if (!wanted.empty()) {
        RM_TRY(makeRoot(wanted));
        folders.m_logs = fs::path(wanted) / name;
        RM_TRY(makeOne(folders.m_logs, Private));
    }
    return folders;
}

Result<LogFolders::Attempt> LogFolders::makeAttempt(int restartCount) const
{
    if (keepsNothing())
        return Attempt{};
    const std::string name = "attempt_" + std::to_string(restartCount);
    std::string unused = name;
    const auto isUsed = [](const fs::path& path) {
        std::error_code ignored;
        return fs::exists(fs::symlink_status(path, ignored));
    };
    for (int i = 1; isUsed(m_logs / unused) || isUsed(m_capture / unused); ++i)
        unused = name + "_" + std::to_string(i);
    RM_TRY(makeOne(m_logs / unused, Usual));
    if (m_capture != m_logs)
        RM_TRY(makeOne(m_capture / unused, Usual));
    return Attempt{m_logs / unused, m_capture / unused};
}

Result<fs::path> makeRankFolder(const fs::path& attempt, int localRank)
{
    fs::path folder = attempt / std::to_string(localRank);
    if (mkdir(folder.c_str(), Usual) != 0 && errno != EEXIST)
        return fail(code::FolderNotWritable, {{"path", folder.string()}}, errnoText(errno));
    return folder;
}

} // namespace ringmaster
