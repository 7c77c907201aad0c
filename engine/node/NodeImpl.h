#pragma once

#include "engine/agent/Agent.h"
#include "engine/agent/EventNumbering.h"
#include "engine/control/ControlServer.h"
#include "engine/control/LoopThread.h"
#include "engine/node/LiveRecording.h"
#include "engine/node/Node.h"
#include "engine/node/OutputIndex.h"
#include "engine/record/RunFolder.h"
#include "engine/rendezvous/RendezvousOptions.h"

#include <optional>

namespace ringmaster {

/// The parts of a node in the order in which they are made; they end in the reverse order.
class Node::Impl final : Agent::Host, EventSink, ControlServer::Host
{
public:
    Impl(Options options, Front& front);
    ~Impl() override;

    Result<void> prepare();
    int run();
    void serve(FileDescriptor connection) { m_control->serve(std::move(connection)); }

    std::string runId{};
    std::filesystem::path runFolder{};

private:
    Result<void> makeRunFolder();
    Result<void> openRecord();
    Result<void> openOutput();
    Result<void> openControl();
    Result<void> makeAgent();
    std::unique_ptr<WorkerProcesses> makeProcesses(WorkerProcesses::Host& host);
    std::unique_ptr<Rendezvous> makeJobRendezvous(Rendezvous::Host& host);
    void announceRun();
    void watchSignals();
    void closeRecord();

    void emit(const EventBody& body, const Moment& at) override;
    void keepSummary();

    void printed(std::string_view text) override { m_front.printed(text); }
    void finished(RunState state, int exitCode) override;
    Result<void> execute(const Command& command) override { return m_agent->handle(command); }
    void watched(bool isWatched) override { m_agent->setWatched(isWatched); }

    Options m_options;
    Front& m_front;
    SystemClock m_clock;
    RendezvousOptions m_rendezvous;
    std::string m_token;
    int m_exitCode = 1;

    EventLoop m_loop;
    std::optional<RunFolder> m_folder;
    std::unique_ptr<RunFileWriter> m_record;
    std::optional<EventNumbering> m_numbering;
    RunSnapshot m_snapshot;
    std::optional<LoopThread> m_files; ///< Small files that nobody should wait for.
    std::optional<OutputIndex> m_index;
    std::unique_ptr<OutputHub> m_output;
    std::optional<LiveRecording> m_recording;
    std::optional<ControlServer> m_control;
    std::unique_ptr<Agent> m_agent;
    EventLoop::Registration m_signals;
};

} // namespace ringmaster
