#pragma once

#include "engine/agent/Agent.h"
#include "engine/agent/StopRules.h"
#include "engine/base/LoopInbox.h"
#include "engine/container/ImageFetch.h"
#include "engine/node/DrillDriver.h"
#include "engine/node/EndLimit.h"
#include "engine/node/LeadConnection.h"
#include "engine/node/LessonHost.h"
#include "engine/node/NodeControl.h"
#include "engine/node/NodeOptions.h"
#include "engine/node/NodeRecording.h"
#include "engine/node/RunRecorder.h"
#include "engine/rendezvous/RendezvousOptions.h"

#include <memory>
#include <optional>

namespace ringmaster {

/// One agent process, put together: run() reads as the list of what that takes. Lives on the
/// thread that calls run().
class Node : private Agent::Host, private LeadConnection::Host
{
public:
    Node(NodeOptions options, RunFront& front);
    ~Node() override;

    /// From nothing to nothing left; the exit code is that of torchrun. An error: nothing was
    /// started.
    Result<int> run();

private:
    Result<void> prepare();
    void discard();
    void closeParts();
    Result<void> openRunFolder();
    Result<void> openControl();
    Result<void> openRecording();
    Result<void> openLesson();
    Result<void> makeAgent();
    void openDrills();
    void announce();
    void watchSignals();
    void scheduleHousekeeping();
    void lookAtRules();
    void finishRecord();

    void printed(std::string_view text) override { m_front.printed(text); }
    void finished(RunState state, int exitCode) override;
    void tell(const EventBody& body) override { m_record.emit(body); }
    void leadGone(const Error& why) override { m_agent->abort(why); }
    Result<std::unique_ptr<Rendezvous>> joinable(const RendezvousOptions& options,
                                                 Rendezvous::Host& host);

    std::unique_ptr<WorkerProcesses> makeProcesses(WorkerProcesses::Host& host);
    void fetchImages(ImageFetch::Done done);
    std::string hookOf(int localRank) const;

    NodeOptions m_options;
    RunFront& m_front;
    SystemClock m_clock;
    EventLoop m_loop;
    int m_exitCode = 1;
    std::optional<EndLimit> m_endLimit; ///< Holds for what is destroyed, too.

    std::filesystem::path m_runs;
    RunRecorder m_record;

    LoopInbox m_inbox{m_loop};
    std::unique_ptr<NodeRecording> m_recording;
    std::unique_ptr<LessonHost> m_lesson;             ///< Null: no lesson.
    std::unique_ptr<LeadConnection> m_leadConnection; ///< Null: it has no lead.
    std::unique_ptr<Agent> m_agent;
    std::unique_ptr<DrillDriver> m_drills; ///< Null: its lead has them.
    std::unique_ptr<ImageFetch> m_images;  ///< Null: workers need none.
    std::unique_ptr<NodeControl> m_control;

    EventLoop::Registration m_signals;
    EventLoop::Registration m_housekeeping;
    StopRules m_stopRules;
    EventLoop::Registration m_rules; ///< Looks at them.
};

} // namespace ringmaster
