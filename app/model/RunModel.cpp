#include "app/model/RunModel.h"

#include "engine/ledger/Codes.h"
#include "engine/node/Codes.h"

#include <algorithm>

namespace ringmaster::app {

namespace {

/// A file may name any rank; tables by rank grow no further than this.
constexpr int MaxRank = 65'536;

constexpr size_t MostTroubles = 8;

bool isAboutRecording(const Message& message)
{
    const auto part = message.parameters.find("part");
    const bool isLedger = part != message.parameters.end() && part->second == "ledger";
    return message.code == code::LedgerNotRecording || message.code == code::LedgerNotMade ||
           message.code == code::LedgerTaken || message.code == code::LedgerOtherVersion ||
           message.code == code::HookMissing || (message.code == code::HookPartFailed && isLedger);
}

void append(std::vector<float>& values, float value)
{
    if (values.size() == WorkerLoad::Length)
        values.erase(values.begin());
    values.push_back(value);
}

template <class T>
T* slotOf(std::vector<T>& values, int rank)
{
    if (rank < 0 || rank >= MaxRank)
        return nullptr;
    const auto index = static_cast<size_t>(rank);
    if (index >= values.size())
        values.resize(index + 1);
    return &values[index];
}

} // namespace

/// What a batch did, so that each signal is sent once.
struct RunModel::Changes
{
    bool run = false;
    bool workers = false;
    bool history = false;
    bool devices = false;
    std::vector<int> ranks{};
};

RunModel::RunModel(std::string run, QObject* parent) : QObject(parent), m_run(std::move(run)) {}

void RunModel::apply(const std::vector<Event>& events)
{
    Changes changes;
    for (const Event& event : events)
        applyOne(event, changes);
    publish(changes);
    Q_EMIT eventsApplied(events);
}

void RunModel::applyOne(const Event& told, Changes& changes)
{
    if (told.runSequence != 0 && told.runSequence <= m_snapshot.lastSequence)
        return;
    const Event event = m_clock.onLead(told);
    if (const auto* next = std::get_if<AttemptStarted>(&event.body);
        next != nullptr && m_snapshot.attempt >= 0 && next->attempt > m_snapshot.attempt)
        m_earlier.keep(m_snapshot, m_health);
    m_snapshot.apply(event);
    updateHealth(event.body, changes);
    m_history.apply(event, m_health);
    if (const auto* sample = std::get_if<ProcessSample>(&event.body)) {
        addSample(*sample);
        m_lastSample = event.at;
        changes.ranks.push_back(sample->globalRank);
    } else if (const auto* devices = std::get_if<DeviceSample>(&event.body)) {
        m_devices.add(event.node, event.at.monotonicNs, *devices);
        m_lastDevices = event.at;
        changes.devices = true;
    } else if (const auto* state = std::get_if<WorkerStateChanged>(&event.body)) {
        changes.ranks.push_back(state->globalRank);
        changes.history = true;
    } else if (const auto* exit = std::get_if<WorkerExited>(&event.body)) {
        changes.ranks.push_back(exit->globalRank);
        changes.history = true;
    } else if (const auto* attempt = std::get_if<AttemptStarted>(&event.body)) {
        for (const WorkerAssignment& worker : attempt->workers) {
            if (int* starts = slotOf(m_starts, worker.globalRank))
                ++*starts;
        }
        changes.workers = changes.run = changes.history = true;
    } else if (const auto* notice = std::get_if<Notice>(&event.body)) {
        addTrouble(notice->message);
    } else {
        changes.run = changes.history = true;
    }
    // The tiles stand under their hosts.
    if (std::holds_alternative<HostChanged>(event.body))
        changes.workers = true;
    if (std::holds_alternative<FirstCause>(event.body))
        changes.workers = true;
    if (const auto* run = std::get_if<RunStateChanged>(&event.body))
        changes.workers |= run->state == RunState::Lost;
}

/// A rank's own state comes to it by itself.
void RunModel::updateHealth(const EventBody& body, Changes& changes)
{
    if (!std::holds_alternative<Verdict>(body) && !std::holds_alternative<RunStateChanged>(body) &&
        !std::holds_alternative<AttemptStarted>(body) &&
        !std::holds_alternative<WorkerImporting>(body) &&
        !std::holds_alternative<GroupRestarting>(body))
        return;
    const RankHealth before = std::exchange(m_health, RankHealth(m_snapshot));
    for (const WorkerSnapshot& worker : m_snapshot.workers) {
        if (before.of(worker) != m_health.of(worker))
            changes.ranks.push_back(worker.assignment.globalRank);
    }
}

void RunModel::addTrouble(const Message& message)
{
    if (!isAboutRecording(message))
        return;
    if (m_recordingTroubles.size() == MostTroubles)
        m_recordingTroubles.erase(m_recordingTroubles.begin());
    m_recordingTroubles.push_back(message);
    Q_EMIT recordingTroubled();
}

void RunModel::publish(Changes& changes)
{
    if (changes.workers) {
        indexRows();
        Q_EMIT workersReplaced();
    } else if (!changes.ranks.empty()) {
        Q_EMIT workersChanged(rowsOf(changes.ranks));
    }
    if (changes.devices)
        Q_EMIT devicesChanged();
    if (changes.history)
        Q_EMIT historyChanged();
    if (changes.run)
        Q_EMIT runChanged();
}

std::vector<int> RunModel::rowsOf(const std::vector<int>& ranks) const
{
    std::vector<int> rows;
    for (const int rank : ranks) {
        if (rank >= 0 && rank < static_cast<int>(m_rowOfRank.size()) &&
            m_rowOfRank[static_cast<size_t>(rank)] >= 0)
            rows.push_back(m_rowOfRank[static_cast<size_t>(rank)]);
    }
    std::ranges::sort(rows);
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    return rows;
}

void RunModel::indexRows()
{
    m_rowOfRank.clear();
    for (size_t row = 0; row < m_snapshot.workers.size(); ++row) {
        const int rank = m_snapshot.workers[row].assignment.globalRank;
        if (rank < 0 || rank >= MaxRank)
            continue;
        if (static_cast<size_t>(rank) >= m_rowOfRank.size())
            m_rowOfRank.resize(static_cast<size_t>(rank) + 1, -1);
        m_rowOfRank[static_cast<size_t>(rank)] = static_cast<int>(row);
    }
}

void RunModel::addSample(const ProcessSample& sample)
{
    WorkerLoad* load = slotOf(m_loads, sample.globalRank);
    if (load == nullptr)
        return;
    load->lastCpu = sample.cpuFraction;
    load->lastMemory = sample.residentBytes;
    append(load->cpu, static_cast<float>(sample.cpuFraction));
    append(load->memory, static_cast<float>(sample.residentBytes) / float(1U << 20U));
}

void RunModel::setEnded(const std::optional<Error>& error)
{
    m_isComplete = true;
    if (error)
        Q_EMIT feedFailed(*error);
    Q_EMIT completed();
}

const WorkerLoad& RunModel::load(int globalRank) const
{
    static const WorkerLoad none;
    const auto index = static_cast<size_t>(globalRank);
    return globalRank >= 0 && index < m_loads.size() ? m_loads[index] : none;
}

void RunModel::setPlaces(const RankPlaces& places)
{
    // Times go on: whoever is in an operation, or has left one, is so for longer now.
    std::vector<int> ranks;
    for (const OperationSummary::Place& place : places.places)
        ranks.push_back(place.rank);
    m_places = places.places;
    m_placesOf = places.attempt;
    if (!ranks.empty())
        Q_EMIT placesChanged(rowsOf(ranks));
}

const OperationSummary::Place* RunModel::placeOf(int globalRank) const
{
    const auto at =
        std::ranges::lower_bound(m_places, globalRank, {}, &OperationSummary::Place::rank);
    return m_placesOf == m_snapshot.attempt && at != m_places.end() && at->rank == globalRank
               ? &*at
               : nullptr;
}

int RunModel::restartsOf(int globalRank) const
{
    const auto index = static_cast<size_t>(globalRank);
    return globalRank >= 0 && index < m_starts.size() ? std::max(0, m_starts[index] - 1) : 0;
}

bool RunModel::isFirstCause(int globalRank) const
{
    return m_snapshot.firstCause && m_snapshot.firstCause->sure &&
           m_snapshot.firstCause->globalRank == globalRank &&
           m_snapshot.firstCause->attempt == m_snapshot.attempt;
}

std::int64_t RunModel::durationNs(std::int64_t wallNowNs) const
{
    if (m_snapshot.startedAt == Moment{})
        return 0;
    const bool over = isFinal(m_snapshot.state) && m_snapshot.endedAt != Moment{};
    return over ? m_snapshot.endedAt.monotonicNs - m_snapshot.startedAt.monotonicNs
                : wallNowNs - m_snapshot.startedAt.wallNs;
}

} // namespace ringmaster::app
