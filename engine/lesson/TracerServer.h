#pragma once

#include "engine/base/EventLoop.h"
#include "engine/base/FileDescriptor.h"
#include "engine/base/SpareDescriptor.h"
#include "engine/lesson/RingChunks.h"
#include "engine/lesson/StepGate.h"

#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <span>

#include <sys/types.h>

namespace ringmaster::lesson {

/// Speaks with the tracers of a lesson's workers and holds the step gate. Lives on one loop. Steps
/// of all ranks are told in an order in which none is before what it depends on: whatever a step
/// depends on was written before that step happened, by a tracer to its socket or by a ring to its
/// file. So at a moment at which all that was written is read, the steps until then are in order by
/// their times.
class TracerServer : private StepGate::Host
{
public:
    struct Setting
    {
        std::function<void(const LessonStep&)> happened{};
        /// More steps than a lesson has: the program may loop for ever.
        std::function<void()> tooLong{};
        size_t mostSteps = 20'000;
    };

    /// `listener` is a non-blocking socket that only this user can reach.
    TracerServer(EventLoop& loop, FileDescriptor listener, Setting setting);
    ~TracerServer() override;

    /// Before the attempt's workers are started: whoever waits to be let in belongs to the one
    /// before.
    void attemptStarted(int attempt, int ranks);
    /// Only this process may speak for the rank.
    void workerStarted(int rank, pid_t pid);
    void workerExited(int rank);

    /// All that the tracers have said is told when this returns, also by those that came and went
    /// before the loop has looked.
    void flush();

    void move(const MoveLesson& move) { m_gate.move(move); }
    /// Delay, WrongShape, WrongType or CorruptData, in the rank's next call. False: no such rank.
    bool inject(const InjectFault& fault);

private:
    struct Connection
    {
        FileDescriptor socket{};
        TracerFrames frames{};
        std::optional<RingChunks> chunks{};
        std::int64_t heardUntil = 0; ///< By the latest message.
        std::int64_t chunksUntil = 0;
        pid_t pid = 0;
        int rank = -1; ///< -1: not known to be a worker yet.
        bool isOver = false;
        bool isRead = true; ///< Nothing is left in its file.
        EventLoop::Registration readable{};
    };
    struct Heard
    {
        std::int64_t atNs = 0;
        int rank = -1;
        TracerMessage message{};
    };

    void go(int rank) override;
    void setFree(int rank, bool isFree) override;
    EventLoop::Registration callAfter(std::chrono::nanoseconds delay, EventLoop::Task task) override
    {
        return m_loop.callAfter(delay, std::move(task));
    }

    void acceptWaiting();
    void add(FileDescriptor socket);
    void admit(Connection& connection);
    bool readAll();
    void readSoon();
    bool read(Connection& connection);
    ssize_t receive(Connection& connection, std::span<char> buffer);
    void takeFile(Connection& connection, FileDescriptor file);
    bool readChunks(Connection& connection);
    void take(Connection& connection, TracerMessage message);
    void tellUntil(std::int64_t now);
    void tell(const Heard& heard);
    void dropOver();
    void send(int rank, const std::string& frame);
    Connection* find(int rank);

    EventLoop& m_loop;
    FileDescriptor m_listener;
    SpareDescriptor m_spare{"lesson"};
    Setting m_setting;
    StepGate m_gate{*this};
    int m_attempt = 0;
    size_t m_ranks = 0;
    size_t m_steps = 0;
    std::map<pid_t, int> m_workers;     ///< Ranks by process.
    std::map<int, LessonStep> m_places; ///< The latest of each rank that has a line.
    std::map<int, LessonLetGo> m_letGo; ///< By rank: not told yet.
    std::set<int> m_freed;              ///< Ranks that were let go for good.
    std::list<Connection> m_connections;
    FileDescriptor m_changes; ///< inotify: of the rings' files.
    EventLoop::Registration m_changed;
    std::vector<Heard> m_heard; ///< Not told yet.
    EventLoop::Registration m_acceptable;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster::lesson
