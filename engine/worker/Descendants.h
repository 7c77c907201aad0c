#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <sys/types.h>

/// What descends from a process, by /proc. The keeper has this too: nothing but libc here.
namespace ringmaster {

struct ProcessRow
{
    pid_t pid = 0;
    pid_t parent = 0;
    pid_t group = 0;
    pid_t session = 0;
    std::uint64_t startTime = 0; ///< Clock ticks after boot.
    bool isZombie = false;       ///< isZombie() of ProcessSignal.h.
};

/// Children, their children and so on; zombies too. A subtree whose root is in `spared` is left
/// out.
std::vector<ProcessRow> descendantsOf(pid_t root, const std::vector<pid_t>& spared = {});

/// This process's child is dead, and not reaped yet.
bool hasDied(pid_t child);

/// All processes at one moment, for several questions: read at the first, or by read().
class ProcessTable
{
public:
    void read();
    /// As above.
    std::vector<ProcessRow> descendantsOf(pid_t root, const std::vector<pid_t>& spared = {});

private:
    std::optional<std::vector<ProcessRow>> m_rows;
};

/// False: it is gone, its number belongs to another process by now, or it may not be signalled.
bool signalProcess(const ProcessRow& process, int number);

} // namespace ringmaster
