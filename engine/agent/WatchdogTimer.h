#pragma once

#include "engine/base/Clock.h"
#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/Result.h"

#include <filesystem>
#include <map>
#include <memory>
#include <string>

namespace ringmaster {

/// The server of torch's file-based timer (torch.distributed.elastic.timer): workers write to a
/// FIFO until when a piece of code must be done; who isn't done is reported. Unlike torchrun's it
/// never ends the agent.
class WatchdogTimer
{
public:
    class Host
    {
    public:
        virtual ~Host() = default;
        /// False: it can't be said yet whose process that is; asks again soon.
        virtual bool timerExpired(int pid, const std::string& scope, int signal) = 0;
        virtual void timerMessageRefused(const std::string& what) = 0;
    };

    /// Makes the FIFO, in place of one that is there already.
    static Result<std::unique_ptr<WatchdogTimer>> create(EventLoop& loop, const Clock& clock,
                                                         std::filesystem::path file, Host& host);
    ~WatchdogTimer();

    const std::filesystem::path& file() const { return m_file; }

    /// The workers are gone; pids may come again.
    void forgetAll();

private:
    struct Deadline
    {
        double epochSeconds = 0;
        int signal = 0;
    };

    WatchdogTimer(EventLoop& loop, const Clock& clock, std::filesystem::path file, Host& host);

    Result<void> open();
    void read();
    void take(const std::string& line);
    void arm();
    void expire();

    EventLoop& m_loop;
    const Clock& m_clock;
    std::filesystem::path m_file;
    Host& m_host;
    FileDescriptor m_fifo;
    std::string m_unread;
    std::map<std::pair<int, std::string>, Deadline> m_deadlines; ///< By pid and scope.
    EventLoop::Registration m_watch;
    EventLoop::Registration m_timer;
};

} // namespace ringmaster
