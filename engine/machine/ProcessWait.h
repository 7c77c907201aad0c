#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster {

/// What the main thread of a process waits for, as far as the system says.
struct ProcessWait
{
    enum class Kind {
        Unknown,  ///< In none of these, or the system doesn't say: see systemCall and channel.
        Running,  ///< It runs, or would.
        Child,    ///< Until a process below it ends or answers.
        File,     ///< A disk, whatever is behind it.
        FileLock, ///< Another process has locked the file.
        Pipe,
        Fifo, ///< Until somebody opens its other end.
        Socket,
        Lock,   ///< Another thread of its own.
        Sleep,  ///< The time.
        Device, ///< A driver: that of a GPU, a terminal.
    };

    /// A process below it.
    struct Child
    {
        enum class State { Alive, Stopped, Ended };
        int pid = 0;
        std::string command{};      ///< Without secrets; cut.
        State state = State::Alive; ///< Ended: nobody has asked yet how.
        int signal = 0;             ///< That killed it.
        int exitCode = 0;           ///< Where no signal did.
        bool isAwaited = false;     ///< By its main thread, by what the system says.
        bool isCopy = false;        ///< Of the same program: forked, or started by multiprocessing.
        bool isLoaderWorker = false; ///< Of torch's DataLoader.
        bool isAtWork = true;        ///< False: a copy that waits for nothing that moves.

        bool operator==(const Child&) const = default;
    };

    Kind kind = Kind::Unknown;
    bool isWriting = false;     ///< Of a file, a pipe or a socket: it writes.
    bool isOtherThread = false; ///< Its main thread waits for a lock; this is another's, at work.
    std::string name{};         ///< A path; of a socket, who is at its other end: "10.0.0.1:443".
    int holder = 0;             ///< The process that has a file's lock; 0: unknown.
    std::int64_t bytes = -1;    ///< That moved in the last `spanNs`; -1: unknown.
    std::int64_t spanNs = 0;    ///< At most ProcessWaitReader::SpanNs.
    /// Of a sleep that is the first at this place: what is left, and what was when it was first
    /// seen; 0: unknown.
    std::int64_t leftNs = 0;
    std::int64_t sleepNs = 0;
    std::vector<Child> children{}; ///< Of a few: those that it waits for first.
    // What the system says, for a person.
    std::string state{};      ///< "S", "D", as ps shows it.
    std::string systemCall{}; ///< "read"; its number where it has no name here.
    std::string channel{};    ///< In the kernel: /proc/PID/wchan.

    bool operator==(const ProcessWait&) const = default;
};

/// As far as can be seen it goes on by itself: something moves, or another program works for it.
bool isAtWork(const ProcessWait& wait);

} // namespace ringmaster
