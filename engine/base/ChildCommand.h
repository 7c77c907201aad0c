#pragma once

#include "engine/base/ChildProcess.h"
#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// A short-lived child process: is given its standard input, says what it printed and how it ended.
/// Its end is the answer, also where what it has started holds its output open.
/// Lives on the given loop; killed when destroyed or too slow. One that then waits in the kernel is
/// waited for another second.
class ChildCommand
{
public:
    struct Outcome
    {
        int exitCode = 0; ///< Minus the signal that ended it.
        bool wasTooSlow = false;
        std::string output{}; ///< Both bounded; the end is kept.
        std::string error{};
        /// Why it still is there though it was killed; `error` ends with it, too.
        std::optional<Message> survivor{};
    };

    struct Options
    {
        std::vector<std::string> arguments{}; ///< The first is the program's path.
        std::filesystem::path workingFolder{};
        std::optional<std::vector<std::string>> environment{}; ///< NAME=value; nothing: ours.
        std::string input{}; ///< At most what a pipe holds is written at once.
        std::chrono::milliseconds patience{30'000};
        size_t mostOutput = 64U << 10U; ///< Of each stream.
        /// A terminal's two ends: it takes the place of both streams, and counts as output. Not
        /// open: none.
        FileDescriptor terminal{};
        FileDescriptor childsTerminal{};
        std::function<void(std::string_view)> heard{}; ///< Output, as it comes.
        /// Before it is killed by the destructor it is asked to end, for this long.
        std::chrono::milliseconds grace{0};
    };

    /// `done` comes once, on the loop, never inside the call; not when destroyed before.
    static Result<std::unique_ptr<ChildCommand>> start(EventLoop& loop, Options options,
                                                       std::function<void(Outcome)> done);
    ~ChildCommand();

private:
    /// One of its pipes.
    struct Stream
    {
        FileDescriptor fd{};
        EventLoop::Registration ready{};
    };

    ChildCommand(EventLoop& loop, Options options, std::function<void(Outcome)> done);
    Result<void> spawn();
    Result<void> makeStreams(Stream& childsOutput, Stream& childsError);
    void kill();
    void leave();
    void writeInput();
    void readInto(Stream& stream, std::string& text);
    void exited();
    void takeWhatIsThere();
    void finishIfOver();

    EventLoop& m_loop;
    Options m_options;
    std::function<void(Outcome)> m_done;
    Outcome m_outcome;
    ChildProcess m_process;
    bool m_isOver = false; ///< It has ended, or is left.
    Stream m_input;
    Stream m_output;
    Stream m_error;
    EventLoop::Registration m_ended;
    EventLoop::Registration m_limit;
    EventLoop::Registration m_told; ///< The answer, on its way.
};

} // namespace ringmaster
