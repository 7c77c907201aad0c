#pragma once

#include "engine/base/Console.h"

#include <chrono>
#include <condition_variable>
#include <filesystem>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include <unistd.h>

namespace ringmaster {

/// An agent's or a lead's end doesn't take for ever: where a file system doesn't answer, whoever
/// writes to it or waits for one who does never returns. Then this says so, and the process ends
/// with the exit code that it would have had. Watches on a thread of its own ("rm-exit").
class EndLimit
{
public:
    struct Setting
    {
        int exitCode = 1;
        /// A sentence for who sees the run; on a thread of its own, and not waited for if that
        /// takes long: it may go to the same disk.
        std::function<void(const std::string&)> tell{};
        Consoles consoles{}; ///< What waits there is written before, if somebody reads it.
        /// A disk that is slow, or busy with old runs, takes seconds.
        std::chrono::milliseconds patience{30'000};
        /// A console whose reader has paused is given up sooner, by itself.
        std::chrono::milliseconds lastWordPatience{10'000};
        std::function<void(int)> exit = [](int code) { ::_exit(code); };
    };

    /// Begins now; without a thread there is no limit.
    explicit EndLimit(Setting setting);
    /// It was in time.
    ~EndLimit();
    EndLimit(const EndLimit&) = delete;
    EndLimit& operator=(const EndLimit&) = delete;

    /// What is waited for from now on, with the whole patience.
    void awaits(const std::filesystem::path& folder);
    /// It is known that this folder doesn't answer. Doesn't return, unless `exit` does.
    void endNow(const std::filesystem::path& folder);

private:
    void watch();

    const Setting m_setting;
    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::filesystem::path m_folder;
    int m_awaited = 0; ///< Counts the folders.
    bool m_isOver = false;
    std::thread m_thread;
};

} // namespace ringmaster
