#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/ProcessInfo.h"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

/// Signals for exactly one process. The keeper has this too: nothing but libc in signalProcess().
namespace ringmaster {

/// What /proc/PID/stat has behind the process's name, from the blank before field 3, its state;
/// empty when there is no such process.
std::string statOf(pid_t pid);

/// By what statOf() has said: the process has ended and waits for its parent to hear of that. One
/// whose first thread alone has ended has the state Z, too, and lives on in its others.
bool isZombie(const std::string& stat);

/// The thread that tells how a process fares that isn't over: the first that waits in the kernel
/// (state D), else the first that lives, else the first.
pid_t tellingThreadOf(pid_t pid);

/// Field 3 of it, the state: 'R', 'S', 'D', 'T', 'Z' …; 0 when there is no such process. Where only
/// its first thread has ended, that of tellingThreadOf().
char stateOf(pid_t pid);

/// Field 22 of /proc/PID/stat; nothing when there is no such process.
std::optional<std::uint64_t> startTimeOf(pid_t pid);

/// Readable once the process has ended that has this number now: the caller's child, or one that is
/// looked at once more afterwards. Closed, with errno, where there is none or descriptors are used
/// up.
FileDescriptor pidfdOf(pid_t pid);

/// A pidfd of exactly this process, to be closed by the caller; -1 when it is gone.
int openProcess(const ProcessIdentity& process);

bool signalPidfd(int pidfd, int number);

/// False: it is gone, its number belongs to another process by now, or it may not be signalled
/// (errno is EPERM then).
bool signalProcess(const ProcessIdentity& process, int number);

/// As processesWithEnvironment(), for many values in one walk through all processes: by value. The
/// keeper hasn't this.
std::multimap<std::string, ProcessIdentity> findByEnvironment(const std::string& name,
                                                              const std::set<std::string>& values);

} // namespace ringmaster
