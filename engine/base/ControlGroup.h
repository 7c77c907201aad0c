#pragma once

#include "engine/base/FileDescriptor.h"

#include <string>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// A cgroup of version 2 for a keeper's workers. What descends from them stays in it, whatever it
/// does to its session, its parents and its environment, and all of it is killed at once. The
/// keeper has this too: nothing but libc here.
class ControlGroup
{
public:
    ControlGroup() = default;
    explicit ControlGroup(std::string folder) : m_folder(std::move(folder)) {}

    /// This process's own cgroup, if groups may be made below it (root, or delegated by systemd)
    /// and be killed (Linux 5.14); else empty.
    static std::string place();
    /// Of one keeper's workers; not usable where `place` is empty.
    static ControlGroup ofKeeper(const std::string& place, const std::string& run, pid_t keeper);
    /// Those of all keepers that a run has had and that are still there.
    static std::vector<ControlGroup> ofRun(const std::string& place, const std::string& run);
    /// Removes those below `place` that are empty and whose keeper is gone, of whatever run: they
    /// were in use when those who cleaned up were done, or were killed.
    static void removeAbandoned(const std::string& place);

    /// Makes it, unless it is there. False: it can't be made.
    bool create();
    bool exists() const;

    /// For clone3(); -1: it wasn't created.
    int descriptor() const { return m_descriptor.get(); }
    /// Moves this process into it.
    bool join() const;

    std::vector<pid_t> processes() const;
    /// SIGKILL to all that is in it, also to what is being forked.
    void kill() const;
    /// Removes it, and empty ones below it, if it is empty.
    void remove();

private:
    std::string m_folder{};
    FileDescriptor m_descriptor{};
};

} // namespace ringmaster
