#include "engine/worker/OutputHub.h"

#include "engine/base/Thread.h"
#include "engine/worker/output/OutputPump.h"

#include <utility>

namespace ringmaster {

OutputHub::OutputHub(EventLoop& callerLoop, Sink& sink, Settings settings, LogFolders folders)
    : m_callerLoop(callerLoop)
    , m_logFolder(folders.logs())
    , m_answerPatience(settings.answerPatience)
    , m_pump(std::make_unique<OutputPump>(m_loop, sink, std::move(settings), std::move(folders)))
    , m_thread(startThreadOrThrow("rm-output", [this] { m_loop.run(); }))
{
}

OutputHub::~OutputHub()
{
    m_loop.stop();
    m_thread.join();
}

Result<std::unique_ptr<OutputHub>> OutputHub::create(EventLoop& loop, Sink& sink, Settings settings)
{
    LogFolders folders =
        RM_TRY(LogFolders::create(settings.logs.folder, settings.runFolder, settings.rendezvousId));
    std::unique_ptr<OutputHub> hub;
    RM_TRY(guardThreads([&]() -> Result<void> {
        hub.reset(new OutputHub(loop, sink, std::move(settings), std::move(folders)));
        return {};
    }));
    return hub;
}

void OutputHub::onCallersLoop(std::function<void()> task)
{
    m_callerLoop.post([alive = std::weak_ptr<bool>(m_isAlive), task = std::move(task)] {
        if (!alive.expired())
            task();
    });
}

void OutputHub::openAttempt(AttemptOutputRequest request, Opened opened)
{
    m_loop.post([this, request = std::move(request), opened] {
        // Shared, since what a loop carries must be copyable and descriptors aren't.
        auto output = std::make_shared<Result<AttemptOutput>>(m_pump->open(request));
        onCallersLoop([output, opened] { opened(std::move(*output)); });
    });
}

void OutputHub::collect(int localRank, Collected collected)
{
    m_loop.post([this, localRank, collected] {
        m_pump->collect(localRank, [this, collected](const WorkerExitReport& exitReport) {
            onCallersLoop([collected, exitReport] { collected(exitReport); });
        });
    });
}

void OutputHub::closeAttempt(Done done)
{
    m_loop.post([this, done] { m_pump->close([this, done] { onCallersLoop(done); }); });
}

void OutputHub::finish(Done done)
{
    m_whenFinished = std::move(done);
    m_loop.post([this] { m_pump->finish([this] { onCallersLoop([this] { finished(); }); }); });
    expectAnswer();
}

/// Two questions: where this process itself stood still, the first answer has had no time.
void OutputHub::expectAnswer()
{
    constexpr int Questions = 2;
    if (m_unanswered == Questions) {
        m_isStuck = true;
        return finished();
    }
    ++m_unanswered;
    m_loop.post([this] { onCallersLoop([this] { m_unanswered = 0; }); });
    m_question = m_callerLoop.callAfter(m_answerPatience / Questions, [this] { expectAnswer(); });
}

void OutputHub::finished()
{
    m_question.cancel();
    if (const Done done = std::exchange(m_whenFinished, nullptr))
        done();
}

} // namespace ringmaster
