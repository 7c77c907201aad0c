#pragma once

#include "app/model/DeviceHistory.h"
#include "app/model/EarlierAttempts.h"
#include "app/model/LeadClock.h"
#include "app/model/RunHistory.h"
#include "engine/control/OperationSummary.h"
#include "engine/event/Health.h"

#include <QObject>

#include <optional>
#include <vector>

namespace ringmaster::app {

/// CPU and memory of one worker over its last samples.
struct WorkerLoad
{
    static constexpr size_t Length = 40;

    std::vector<float> cpu{};    ///< fractions of one core, oldest first
    std::vector<float> memory{}; ///< MiB
    double lastCpu = 0;
    std::int64_t lastMemory = -1; ///< bytes; -1: never sampled
};

/// One run, from its events: the same for a live agent and for an opened file. Everything a page
/// shows of a run comes from here; the Qt models beside it make rows of it.
class RunModel : public QObject
{
    Q_OBJECT

public:
    explicit RunModel(std::string run, QObject* parent = nullptr);

    void apply(const std::vector<Event>& events);
    void setEnded(const std::optional<Error>& error);

    const std::string& run() const { return m_run; }
    const RunSnapshot& snapshot() const { return m_snapshot; }
    RunHistory& history() { return m_history; }
    const RunHistory& history() const { return m_history; }
    /// Why operations aren't recorded, as far as somebody said so; the last ones.
    const std::vector<Message>& recordingTroubles() const { return m_recordingTroubles; }
    const WorkerLoad& load(int globalRank) const;
    /// When workers, and machines, were measured last; zero: never.
    const Moment& lastSample() const { return m_lastSample; }
    const Moment& lastDevices() const { return m_lastDevices; }
    const EarlierAttempts& earlierAttempts() const { return m_earlier; }
    const DeviceHistory& devices() const { return m_devices; }
    /// Of several hosts: what brought their times to one clock.
    const LeadClock& clock() const { return m_clock; }
    /// What the ranks do together, as somebody who watches that has found.
    void setPlaces(const RankPlaces& places);
    /// Null: not known.
    const OperationSummary::Place* placeOf(int globalRank) const;
    /// How often the worker of this rank was started again.
    int restartsOf(int globalRank) const;
    /// One word for people, from state and verdicts.
    JobHealth health() const { return ringmaster::healthOf(m_snapshot); }
    Health healthOf(const WorkerSnapshot& worker) const { return m_health.of(worker); }
    bool isFirstCause(int globalRank) const;
    /// No event can come any more.
    bool isComplete() const { return m_isComplete; }
    bool isRunning() const { return !isFinal(m_snapshot.state); }
    /// Since the start, until the end or until now.
    std::int64_t durationNs(std::int64_t wallNowNs) const;

Q_SIGNALS:
    /// State, budget, reason, first cause, attempt, verdicts.
    void runChanged();
    /// Other workers than before, or in another order.
    void workersReplaced();
    /// Rows in snapshot().workers, ascending.
    void workersChanged(const std::vector<int>& rows);
    /// Where ranks are in their operations: of rows in snapshot().workers, ascending.
    void placesChanged(const std::vector<int>& rows);
    void historyChanged();
    void devicesChanged();
    void recordingTroubled();
    void eventsApplied(const std::vector<ringmaster::Event>& events);
    void feedFailed(const ringmaster::Error& error);
    void completed();

private:
    struct Changes;

    void applyOne(const Event& told, Changes& changes);
    void updateHealth(const EventBody& body, Changes& changes);
    void addSample(const ProcessSample& sample);
    void addTrouble(const Message& message);
    void publish(Changes& changes);
    std::vector<int> rowsOf(const std::vector<int>& ranks) const;
    void indexRows();

    std::string m_run;
    RunSnapshot m_snapshot;
    RankHealth m_health;
    EarlierAttempts m_earlier;
    LeadClock m_clock;
    RunHistory m_history;
    std::vector<Message> m_recordingTroubles;
    std::vector<OperationSummary::Place> m_places; ///< by rank
    int m_placesOf = -1;                           ///< attempt
    std::vector<WorkerLoad> m_loads;               ///< by global rank
    DeviceHistory m_devices;
    Moment m_lastSample{};
    Moment m_lastDevices{};
    std::vector<int> m_starts;    ///< by global rank
    std::vector<int> m_rowOfRank; ///< -1: none
    bool m_isComplete = false;
};

} // namespace ringmaster::app
