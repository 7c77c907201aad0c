#include "engine/worker/OutputHub.h"

#include "engine/base/Thread.h"
#include "engine/worker/output/OutputPump.h"

namespace ringmaster {

class OutputHub::Impl
{
public:
    Impl(EventLoop& callerLoop, Sink& sink, Settings settings, LogFolders folders)
        : m_callerLoop(callerLoop)
        , m_logFolder(folders.logs())
        , m_pump(m_loop, sink, std::move(settings), std::move(folders))
        , m_thread(startThreadOrThrow("rm-output", [this] { m_loop.run(); }))
    {
    }

    ~Impl()
    {
        m_loop.stop();
        m_thread.join();
    }

    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void onOutputThread(std::function<void(OutputPump&)> task)
    {
        m_loop.post([this, task = std::move(task)] { task(m_pump); });
    }

    /// From the output thread; not after this object has gone.
    void onCallersLoop(std::function<void()> task)
    {
        m_callerLoop.post([alive = std::weak_ptr<bool>(m_isAlive), task = std::move(task)] {
            if (!alive.expired())
                task();
        });
    }

    const std::filesystem::path& logFolder() const { return m_logFolder; }

private:
    EventLoop& m_callerLoop;
    std::filesystem::path m_logFolder;
    std::shared_ptr<bool> m_isAlive = std::make_shared<bool>(true);
    EventLoop m_loop;
    OutputPump m_pump;
    std::thread m_thread;
};

OutputHub::OutputHub(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
OutputHub::~OutputHub() = default;

Result<std::unique_ptr<OutputHub>> OutputHub::create(EventLoop& loop, Sink& sink, Settings settings)
{
    LogFolders folders =
        RM_TRY(LogFolders::create(settings.logs.folder, settings.runFolder, settings.rendezvousId));
    std::unique_ptr<Impl> impl;
    RM_TRY(guardThreads([&]() -> Result<void> {
        impl = std::make_unique<Impl>(loop, sink, std::move(settings), std::move(folders));
        return {};
    }));
    return std::unique_ptr<OutputHub>(new OutputHub(std::move(impl)));
}

void OutputHub::openAttempt(AttemptOutputRequest request, Opened opened)
{
    Impl* impl = m_impl.get();
    impl->onOutputThread([impl, request = std::move(request), opened](OutputPump& pump) {
        // Shared, since what a loop carries must be copyable and descriptors aren't.
        auto output = std::make_shared<Result<AttemptOutput>>(pump.open(request));
        impl->onCallersLoop([output, opened] { opened(std::move(*output)); });
    });
}

void OutputHub::collect(int localRank, Collected collected)
{
    Impl* impl = m_impl.get();
    impl->onOutputThread([impl, localRank, collected](OutputPump& pump) {
        pump.collect(localRank, [impl, collected](const WorkerExitReport& exitReport) {
            impl->onCallersLoop([collected, exitReport] { collected(exitReport); });
        });
    });
}

void OutputHub::closeAttempt(Done done)
{
    Impl* impl = m_impl.get();
    impl->onOutputThread([impl, done](OutputPump& pump) {
        pump.close([impl, done] { impl->onCallersLoop(done); });
    });
}

void OutputHub::finish(Done done)
{
    Impl* impl = m_impl.get();
    impl->onOutputThread([impl, done](OutputPump& pump) {
        pump.finish([impl, done] { impl->onCallersLoop(done); });
    });
}

const std::filesystem::path& OutputHub::logFolder() const
{
    return m_impl->logFolder();
}

} // namespace ringmaster
