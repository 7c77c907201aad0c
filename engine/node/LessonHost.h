#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/LoopThread.h"
#include "engine/event/Command.h"
#include "engine/event/Event.h"
#include "engine/lesson/TracerServer.h"
#include "engine/node/NodeOptions.h"
#include "engine/worker/hook/StartHook.h"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include <sys/types.h>

namespace ringmaster {

/// What makes a run a lesson: its workers' tracers and the step gate, on a thread of their own
/// ("rm-lesson"). Everything here belongs to the agent's thread, and so do its calls.
class LessonHost
{
public:
    struct Setting
    {
        LessonOptions options{};
        std::filesystem::path socket{}; ///< Made; gone when this is.
        bool endsUnwatched = false;     ///< Nobody but a watcher can move it.
        std::function<void(const EventBody&)> emit{};
        std::function<void(const Command&)> command{}; ///< To the agent.
    };

    static Result<std::unique_ptr<LessonHost>> open(EventLoop& loop, Setting setting);
    ~LessonHost();
    LessonHost(const LessonHost&) = delete;
    LessonHost& operator=(const LessonHost&) = delete;

    HookPart hookPart() const;
    LessonStarted started(const JobSpec& spec) const;

    /// Before `body` is emitted: what comes before it is.
    void seen(const EventBody& body);
    /// Nothing: the command isn't for lessons.
    std::optional<Result<void>> execute(const Command& command);
    void watched(bool isWatched);

private:
    LessonHost(EventLoop& loop, Setting setting);

    void serve(FileDescriptor listener);
    void post(std::function<void(lesson::TracerServer&)> task);
    void await(const std::function<void(lesson::TracerServer&)>& task);
    void flush();
    void happened(const LessonStep& step);
    void deliver();
    void tooLong();
    Result<void> inject(const InjectFault& fault);
    Result<void> signalWorker(const InjectFault& fault, int signal);
    void tellFault(const InjectFault& fault);
    void tellOnceStopped(InjectFault fault, int looks);
    void moveOnceGone(pid_t pid, int looks);
    void passMoves();
    void endSoon(std::chrono::seconds patience);

    EventLoop& m_loop;
    const Setting m_setting;
    int m_attempt = 0;
    int m_ranks = 0;             ///< Of that attempt.
    std::map<int, pid_t> m_pids; ///< By rank.
    EventLoop::Registration m_unwatched;
    std::map<int, EventLoop::Registration> m_stopAwaited; ///< By rank.
    std::map<pid_t, EventLoop::Registration> m_killed;    ///< Until they are gone.
    std::vector<MoveLesson> m_moves;                      ///< Not passed on yet.
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);

    std::mutex m_mutex;
    std::vector<LessonStep> m_steps; ///< Not emitted yet; of both threads.

    std::unique_ptr<lesson::TracerServer> m_server; ///< The lesson's thread's.
    LoopThread m_thread{"rm-lesson"};
};

} // namespace ringmaster
