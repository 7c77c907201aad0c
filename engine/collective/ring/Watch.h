#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/base/ProcessInfo.h"

#include <functional>
#include <map>
#include <mutex>
#include <thread>

namespace ringmaster::ring {

/// Notices that peers end, for all groups of a process, in a thread of its own that sleeps
/// otherwise. Callbacks are short; after stop() returned, one neither runs nor will.
class Watch
{
public:
    using Id = std::uint64_t;

    static Result<std::unique_ptr<Watch>> start();
    ~Watch();

    /// Calls `readable` once, when the descriptor has something to read or was hung up.
    Result<Id> watch(int descriptor, std::function<void()> readable);

    /// Calls `ended` once, when the process has ended; at once if it has. Groups that watch the
    /// same process share a descriptor.
    Result<Id> watch(const ProcessIdentity& process, std::function<void()> ended);

    void stop(Id id);

private:
    struct Watched
    {
        Id event = 0; ///< What the kernel's events of it say.
        std::vector<Id> ids{};
        FileDescriptor process{}; ///< Of a process; of anything else the caller keeps it.
    };

    Watch(FileDescriptor poll, FileDescriptor wake);
    void serve();
    void notice(Id event);
    Result<Id> add(int descriptor, std::function<void()> callback);
    void forget(int descriptor);

    FileDescriptor m_poll;
    FileDescriptor m_wake;
    std::recursive_mutex m_mutex; ///< Held while callbacks run, which may stop others.
    Id m_lastId = 0;
    std::map<Id, std::function<void()>> m_callbacks;
    std::map<int, Watched> m_watched; ///< By descriptor.
    std::map<ProcessIdentity, int> m_processes;
    std::jthread m_thread;
};

} // namespace ringmaster::ring
