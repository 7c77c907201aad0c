#pragma once

#include "engine/base/Result.h"

#include <filesystem>
#include <string>

#include <sys/types.h>

namespace ringmaster {

/// Of a log file, less the umask: as torchrun's, but never for others to write.
constexpr mode_t LogMode = 0644;

/// Where logs are kept, in torchrun's layout: <root>/<rendezvous id>_<8 random>/attempt_N/<local
/// rank>. Nothing that is there is ever deleted or reused.
class LogFolders
{
public:
    /// `wanted` is `--log-dir`: empty, "/dev/null" or a folder. What is only captured stays below
    /// `runFolder`, whatever `wanted` says.
    static Result<LogFolders> create(const std::string& wanted,
                                     const std::filesystem::path& runFolder,
                                     const std::string& rendezvousId);

    /// An attempt's folders.
    struct Attempt
    {
        std::filesystem::path logs{};    ///< For redirected output and error files.
        std::filesystem::path capture{}; ///< For the rest; often the same. Empty: kept nowhere.
    };

    /// attempt_N, or attempt_N_1 and so on if that name was used.
    Result<Attempt> makeAttempt(int restartCount) const;

    bool keepsNothing() const { return m_logs.empty(); }
    const std::filesystem::path& logs() const { return m_logs; }

private:
    std::filesystem::path m_logs;
    std::filesystem::path m_capture;
};

/// Folder of one worker in an attempt; made if it is missing.
Result<std::filesystem::path> makeRankFolder(const std::filesystem::path& attempt, int localRank);

} // namespace ringmaster
