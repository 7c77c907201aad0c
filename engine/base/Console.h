#pragma once

#include "engine/base/FileDescriptor.h"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include <sys/types.h>

namespace ringmaster {

/// One of the process's own two streams, written by a thread of its own ("rm-console"). A reader
/// who pauses (`less`, Ctrl+S) and a stalled disk hold up nobody here: what isn't taken yet waits
/// in a bounded buffer. Any thread may call, nothing blocks unless it says so.
class Console
{
public:
    /// Whoever can wait with more does from here …
    static constexpr std::size_t HighWater = 1U << 20U;
    /// … until no more than this waits.
    static constexpr std::size_t LowWater = 256U << 10U;
    /// More is left out, and said where it would have stood.
    static constexpr std::size_t Limit = 16U << 20U;
    /// A reader who takes nothing for so long has paused.
    static constexpr std::chrono::seconds Stall{2};

    /// The descriptor is the caller's. Throws std::system_error where there is no thread.
    explicit Console(int descriptor);
    /// Drops what waits: see waitUntilWritten().
    ~Console();
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    /// Byte for byte.
    void write(std::string_view bytes);

    /// A piece of a line that `owner` writes behind its prefix. A line that another owner left
    /// unfinished is ended first, so that they don't run together.
    void writeLine(const void* owner, std::string_view prefix, std::string_view text,
                   bool endsLine);

    bool isFull() const;
    /// Whoever has all of it elsewhere waits while this is true: it is full, and somebody reads. A
    /// reader who has paused holds up nobody: what it can't hold then is left out.
    bool isBehind() const;
    bool isEmpty() const;
    bool isStalled() const; ///< Something waits, and the reader has paused.
    bool isTerminal() const { return m_isTerminal; }
    int descriptor() const { return m_descriptor.get(); }

    /// Called on the console's thread each time when it is no longer behind; must not call back.
    /// Not called any more once another is set.
    void setDrained(std::function<void()> drained);

    enum class Patience { UntilStalled, Endless };

    /// Blocks. False: something is left, and the reader has paused.
    bool waitUntilWritten(Patience patience);

private:
    enum class Kind { File, NonBlocking, Blocking, Socket };

    std::size_t waiting() const { return m_buffer.size() - m_written; }
    void open(int descriptor);
    void add(std::string_view bytes);
    void sayLeftOut();
    void letGoIfStalled();
    bool hasPaused() const;
    void work();
    bool waitForRoom() const;
    ssize_t writeSome(std::string_view bytes) const;
    void took(std::size_t count);

    FileDescriptor m_descriptor;
    FileDescriptor m_bell; ///< Ends a wait for room.
    Kind m_kind = Kind::File;
    bool m_isTerminal = false;

    mutable std::mutex m_mutex;
    std::condition_variable m_changed;
    std::string m_buffer;
    std::size_t m_written = 0;        ///< Of the buffer.
    const void* m_openLine = nullptr; ///< Who wrote the unfinished line that it ends with.
    std::optional<std::chrono::steady_clock::time_point> m_writingSince; ///< Under way.
    bool m_wasWithoutRoom = false; ///< For as long as Stall, and nothing was taken since.
    std::uint64_t m_leftOut = 0;
    std::function<void()> m_drained;
    bool m_wasFull = false;
    bool m_hasLetGo = false; ///< Since something was taken last.
    bool m_isBroken = false;
    bool m_isEnding = false;
    std::thread m_thread;
};

/// Those of a process; nullptr: nothing is shown there.
struct Consoles
{
    Console* output = nullptr;
    Console* error = nullptr;
};

} // namespace ringmaster
