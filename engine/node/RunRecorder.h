#pragma once

#include "engine/agent/EventNumbering.h"
#include "engine/agent/EventSink.h"
#include "engine/control/ByteChannel.h"
#include "engine/control/ControlServer.h"
#include "engine/event/Health.h"
#include "engine/node/CalibrationRecorder.h"
#include "engine/node/NodeOptions.h"
#include "engine/node/RankActivityCache.h"
#include "engine/node/RecordedRun.h"
#include "engine/node/RunFront.h"
#include "engine/node/RunHousekeeper.h"
#include "engine/node/WaitReminder.h"
#include "engine/record/RunFileWriter.h"
#include "engine/record/RunFolder.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace ringmaster {

/// A run as the agent that leads it keeps and tells it: every event goes to its observers, is
/// numbered here and goes to the snapshot, to those who watch, to the person in front of it and
/// into the run file, in this order. How the run ended is the last event: whatever has something to
/// say of the end, its observers included, says it before. Lives on the agent's thread.
class RunRecorder : public EventSink
{
public:
    /// Hears of an event before it is recorded, and may emit others or amend it.
    using Observer = std::function<void(EventBody& body, const Moment& at)>;

    /// `calibrated`: the job, where this agent keeps what a calibrating sweep finds.
    RunRecorder(EventLoop& loop, RunFront& front, const JobSpec& calibrated);
    ~RunRecorder() override;

    /// They hear of events in the order in which they came here.
    void observe(Observer observer) { m_observers.push_back(std::move(observer)); }

    /// Where its control server will listen, in the runtime folder.
    Result<AgentRecord> plan();

    /// Its run file; `learntModules` as RunHousekeeper has it.
    Result<void> open(RunFolder folder, const std::filesystem::path& learntModules);
    /// Before the first event.
    void number(EventNumbering::Origin origin);
    /// Of a run that another agent has recorded so far: the last event of `agent` was `last`.
    void number(EventNumbering::Origin origin, std::uint64_t last, const RunSnapshot& snapshot);
    /// Those who watch the run can connect.
    Result<void> serve(ControlServer::Host& host, const std::string& machine = {},
                       const InheritedSecrets& secrets = {});
    /// The same, over two pipes as well.
    Result<void> serve(NodeOptions::Channel& pipes);
    /// Its metrics, at a port of loopback; says where, or why not, which is no failure of the
    /// job's.
    void serveMetrics(int port);
    /// A run begins: its first event, for the caller to emit: what was asked (`jobFile`, the job as
    /// text), by whom, where.
    RunStarted begin(const NodeOptions& options, std::string jobFile);

    void emit(const EventBody& body) { emit(body, m_clock.now()); }
    void emit(const EventBody& body, const Moment& at) override;
    /// An event of an agent that this one leads.
    void keep(Event event);

    /// Nobody watches any more. Before what is watched ends.
    void stopServing() { m_control.reset(); }
    /// The last event is on the disk.
    void finish(const RunCatalog& catalog, const RunCatalog::Retention& retention);
    /// Nothing was started; `isNew`: there is no run then.
    void discard(bool isNew);

    const RunFolder& folder() const { return *m_folder; }
    const RunSnapshot& snapshot() const { return m_snapshot; }
    RunFileWriter& writer() { return *m_writer; }
    RunHousekeeper& housekeeper() const { return *m_housekeeper; }
    RankActivityCache& rankActivities() { return m_rankActivities; }
    std::filesystem::path runtime() const { return m_socket.parent_path(); }

private:
    void record(Event event);
    static void dropped(const EventBody& body);

    EventLoop& m_loop;
    RunFront& m_front;
    SystemClock m_clock;
    std::filesystem::path m_socket;
    std::vector<Observer> m_observers;
    std::optional<RunFolder> m_folder;
    std::optional<EventNumbering> m_numbering;
    std::uint64_t m_runSequence = 0;
    bool m_hasEnded = false; ///< Of this agent; one that it leads has an end of its own.
    RunSnapshot m_snapshot;
    JobHealth m_health;
    CalibrationRecorder m_calibration;
    WaitReminder m_reminder;
    std::unique_ptr<RunFileWriter> m_writer;
    std::unique_ptr<RunHousekeeper> m_housekeeper;
    RankActivityCache m_rankActivities;
    std::unique_ptr<RecordedRun> m_recorded;
    std::unique_ptr<ControlServer> m_control;
    std::optional<ByteChannel> m_channel; ///< After the server: the last bytes still go out.
};

} // namespace ringmaster
