#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace ringmaster {

/// One thread's loop over descriptors, timers, signals and posted tasks (Asio underneath).
/// Everything but post() and stop() belongs to the thread that calls run(), or to the time before
/// run().
class EventLoop
{
public:
    /// Keeps one callback alive; destroying it cancels, and the callback never runs afterwards.
    class Registration
    {
    public:
        /// What a callback hangs on.
        struct Impl
        {
            virtual ~Impl() = default;
            virtual void cancel() = 0;

            bool active = true;
        };

        Registration();
        explicit Registration(std::shared_ptr<Impl> impl);
        Registration(Registration&&) noexcept;
        Registration& operator=(Registration&&) noexcept;
        ~Registration();

        void cancel();
        bool isActive() const;

    private:
        std::shared_ptr<Impl> m_impl;
    };

    using Task = std::function<void()>;

    /// Where tasks and timers come from instead, for a loop whose time is simulated. Such a loop is
    /// never run, and watches nothing.
    class Scheduler
    {
    public:
        virtual ~Scheduler() = default;
        virtual void post(Task task) = 0;
        virtual Registration callAfter(std::chrono::nanoseconds delay, Task task) = 0;
    };

    /// Throws std::system_error where there is no descriptor left.
    EventLoop();
    explicit EventLoop(Scheduler& scheduler);
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    /// Returns after stop(). An exception that a callback throws leaves run().
    void run();

    /// Any thread; before run(), it makes that return at once.
    void stop();

    /// Runs `task` on the loop's thread, soon and in order. Any thread.
    void post(Task task);

    /// Once, after `delay`.
    [[nodiscard]] Registration callAfter(std::chrono::nanoseconds delay, Task task);

    /// Again and again while `fd` is readable (or writable). The caller keeps the descriptor open
    /// as long as the registration lives; one registration a direction and descriptor. Works for
    /// sockets, pipes, ptys, pidfds, inotify; not for plain files. Also where descriptors have run
    /// out: then `fd` is looked at 50 times a second.
    [[nodiscard]] Registration watchReadable(int fd, Task task);
    [[nodiscard]] Registration watchWritable(int fd, Task task);

    /// Takes the signals over for the whole process while the registration lives.
    [[nodiscard]] Registration watchSignals(const std::vector<int>& signals,
                                            std::function<void(int)> task);

private:
    struct Native;

    Registration look(int fd, short events, Task task);

    Scheduler* m_scheduler = nullptr;
    std::unique_ptr<Native> m_native; ///< Null with a scheduler.
};

} // namespace ringmaster
