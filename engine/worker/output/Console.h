#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"

#include <functional>
#include <string>
#include <string_view>

namespace ringmaster {

/// One of the agent's own two streams, written without ever blocking the loop: what it doesn't take
/// now waits in a bounded buffer, and whoever reads for it pauses meanwhile.
class Console
{
public:
    static constexpr std::size_t HighWater = 1U << 20U;
    static constexpr std::size_t LowWater = 256U << 10U;

    /// `drained` comes when what had to wait has shrunk to the low-water mark or less.
    Console(EventLoop& loop, int descriptor, std::function<void()> drained);

    /// Byte for byte.
    void write(std::string_view bytes);

    /// A piece of a line that `owner` writes behind its prefix. A line that another owner left
    /// unfinished is ended first, so that they don't run together.
    void writeLine(const void* owner, std::string_view prefix, std::string_view text,
                   bool endsLine);

    bool isFull() const { return waiting() >= HighWater; }
    bool isEmpty() const { return waiting() == 0; }
    bool isTerminal() const { return m_isTerminal; }
    int descriptor() const { return m_descriptor.get(); }

private:
    enum class Kind { File, NonBlocking, Blocking, Socket };

    std::size_t waiting() const { return m_buffer.size() - m_written; }
    void open(int descriptor);
    void flush();
    ssize_t writeSome(std::string_view bytes) const;

    EventLoop& m_loop;
    std::function<void()> m_drained;
    FileDescriptor m_descriptor;
    Kind m_kind = Kind::File;
    bool m_isTerminal = false;
    bool m_isBroken = false;
    std::string m_buffer;
    std::size_t m_written = 0;
    const void* m_openLine = nullptr; ///< Who wrote the unfinished line that it ends with.
    EventLoop::Registration m_writable;
};

} // namespace ringmaster
