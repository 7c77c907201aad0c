#pragma once

#include "engine/base/Error.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Spawn.h"

#include <chrono>
#include <optional>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// A child of this process, and the leader of a session. Destroyed, it is killed; one that waits in
/// the kernel is left to end whenever it can, and is reaped then. Whoever sweeps what descends from
/// this process leaves it alone: all().
class ChildProcess
{
public:
    /// How long a killed one is waited for.
    static constexpr std::chrono::milliseconds KillPatience{1000};

    static Result<ChildProcess> start(const SpawnRequest& request);
    /// This process's that aren't reaped yet, those that were left to end too. Any thread.
    static std::vector<pid_t> all();

    ChildProcess() = default;
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;
    ~ChildProcess() { (void)end(); }

    bool isReaped() const { return m_pid < 0; } ///< Or was never there, or is left to end.
    pid_t pid() const { return m_pid; }
    /// Readable once it has ended. Open as long as this lives and it isn't left.
    int pidfd() const { return m_pidfd.get(); }

    /// False: it has been reaped.
    bool signal(int number) const;
    bool signalSession(int number) const;
    bool endsWithin(std::chrono::milliseconds patience) const;

    /// The exit code, or minus the signal, of one that has ended. If somebody else has reaped it,
    /// that was after a SIGKILL.
    std::optional<int> reap();
    /// Kills it and waits for KillPatience; then leave().
    std::optional<Message> end();
    /// One that was killed and is still there: nobody waits for it any more. Says why it is there.
    Message leave();

private:
    pid_t m_pid = -1; ///< -1: reaped, or left.
    FileDescriptor m_pidfd;
};

} // namespace ringmaster
