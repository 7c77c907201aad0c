#include "engine/node/LedgerRecorder.h"

#include "engine/agent/Failure.h"
#include "engine/base/Files.h"
#include "engine/diagnose/Codes.h"
#include "engine/diagnose/Evidence.h"
#include "engine/node/Codes.h"
#include "engine/node/FoldRows.h"
#include "engine/node/JobRasAddress.h"

#include <algorithm>
#include <array>

#include <unistd.h>

namespace ringmaster {

LedgerRecorder::LedgerRecorder(Setting setting, RunFileWriter& writer,
                               RankActivityCache& rankActivities)
    : m_setting(std::move(setting))
    , m_writer(writer)
    , m_reports(m_setting.reportFile)
    , m_sweep(m_setting.spec)
{
    m_objects = std::make_unique<TorchObjectBuild>(m_thread.loop(), m_setting.tell);
    m_stacks = std::make_unique<StackReader>(m_thread.loop(), m_setting.reportFile.parent_path());
    m_ras =
        std::make_unique<diagnose::NcclRasReader>(m_thread.loop(), rasAddressOf(m_setting.spec));
    m_diagnosis =
        std::make_unique<LiveDiagnosis>(*m_stacks, *m_ras, rankActivities, m_setting.isLed);
    // Workers append to it and don't make it.
    (void)writeFileAtomically(m_setting.reportFile, "", 0600, Durability::Relaxed);
    // Without a bell the ledgers are looked at less soon, nothing worse.
    if (auto bell = makePipe()) {
        m_bell = *std::move(bell);
        (void)setNonBlocking(m_bell.readEnd.get());
        (void)setNonBlocking(m_bell.writeEnd.get());
    }
}

LedgerRecorder::~LedgerRecorder()
{
    m_thread.post([this] {
        for (const auto& recording : m_recordings)
            recording->finish();
        if (m_folder)
            appendFolds(m_writer, m_folder->takeAll());
        readReports();
        // They belong to the loop, which goes before them.
        m_timer.cancel();
        m_bellWatch.cancel();
        m_ras.reset();
        m_stacks.reset();
        m_objects->whenSettled([this] { m_isOver.set_value(); });
    });
    m_isOver.get_future().wait();
    m_thread.stop();
    m_objects.reset();
}

void LedgerRecorder::attemptStarted(const AttemptStarted& attempt)
{
    auto recordings = std::make_shared<Recordings>();
    auto folder = std::make_shared<diagnose::OperationAggregator>();
    m_ledgers.clear();
    m_stackSockets.clear();
    for (const WorkerAssignment& worker : attempt.workers) {
        auto segment = LedgerSegment::create(
            {.run = m_setting.run, .rank = worker.globalRank, .attempt = attempt.attempt});
        if (!segment) {
            m_setting.tell(Notice{.severity = Notice::Severity::Warning,
                                  .globalRank = worker.globalRank,
                                  .message = segment.error()});
            continue;
        }
        m_ledgers[worker.localRank] = segment->path();
        m_stackSockets[worker.localRank] = m_stacks->socketOf(attempt.attempt, worker.globalRank);
        recordings->push_back(std::make_unique<RankRecording>(*std::move(segment), m_writer,
                                                              *folder, m_setting.tell));
    }
    m_thread.post([this, number = attempt.attempt, size = attempt.worldSize, recordings, folder] {
        m_sweep.attemptStarted(number, size);
        begin(number, size, recordings, folder);
    });
}

std::string LedgerRecorder::stacksOf(int localRank) const
{
    const auto found = m_stackSockets.find(localRank);
    return found == m_stackSockets.end() ? std::string() : found->second;
}

std::string LedgerRecorder::ledgerOf(int localRank) const
{
    const auto found = m_ledgers.find(localRank);
    if (found == m_ledgers.end())
        return {};
    std::string text = found->second + ",";
    if (m_bell.writeEnd.isOpen())
        text +=
            "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(m_bell.writeEnd.get());
    return text;
}

void LedgerRecorder::workerStateChanged(const WorkerStateChanged& worker)
{
    m_thread.post([this, worker] {
        RankRecording* recording = find(worker.globalRank);
        if (recording == nullptr || worker.pid <= 0)
            return;
        switch (worker.state) {
        case WorkerState::Healthy: recording->launched(worker.pid); break;
        case WorkerState::Succeeded:
        case WorkerState::Failed:
        case WorkerState::Stopped: recording->ended(worker.state == WorkerState::Succeeded); break;
        case WorkerState::Unknown:
        case WorkerState::Init:
        case WorkerState::Unhealthy: break;
        }
    });
}

void LedgerRecorder::workerExited(const WorkerExited& exit)
{
    const bool hasFailed = !exit.status.succeeded();
    const bool hasLostPeer = isOfAnother(kindOf({.exit = exit}));
    m_thread.post([this, rank = exit.globalRank, hasFailed, hasLostPeer] {
        if (RankRecording* recording = find(rank)) {
            recording->finish();
            recording->ended(!hasFailed);
            if (hasFailed)
                tellPlace(*recording);
            if (hasLostPeer)
                recording->lostPeer();
        }
        tellFirstCollective();
        if (!hasFailed || !m_diagnosis->isOn())
            return;
        freezePlaces();
        for (const Verdict& verdict :
             m_diagnosis->end(m_recordings, SystemClock().now().monotonicNs))
            m_setting.tell(verdict);
    });
}

void LedgerRecorder::stopping()
{
    constexpr auto Patience = std::chrono::milliseconds(1000);
    struct Freezing
    {
        std::promise<void> isDone{};
        std::atomic<bool> isLate = false; ///< The ranks may have been signalled.
    };
    const auto freezing = std::make_shared<Freezing>();
    m_isStopping = true;
    m_thread.post([this, freezing] {
        if (m_diagnosis->isOn()) {
            // Who is signalled leaves the place that it was in.
            if (freezing->isLate)
                tellPlaces();
            else
                freezePlaces();
            for (const Verdict& verdict :
                 m_diagnosis->stop(m_recordings, SystemClock().now().monotonicNs, freezing->isLate))
                m_setting.tell(verdict);
        }
        m_isStopping = false;
        freezing->isDone.set_value();
    });
    if (freezing->isDone.get_future().wait_for(Patience) != std::future_status::ready)
        freezing->isLate = true;
}

void LedgerRecorder::describeRanks(std::function<void(std::vector<RankStanding>)> answer)
{
    m_thread.post([this, answer = std::move(answer)] { answer(standings()); });
}

std::vector<RankStanding> LedgerRecorder::standings()
{
    const std::int64_t nowNs = SystemClock().now().monotonicNs;
    const auto& seen = m_diagnosis->seen();
    std::vector<RankStanding> standings;
    for (size_t i = 0; i < m_recordings.size(); ++i) {
        RankRecording& recording = *m_recordings[i];
        if (!recording.isFinished())
            recording.read(LedgerReader::Clock::now());
        RankStanding standing{.rank = recording.globalRank(),
                              .pid = recording.isFinished() ? 0 : recording.pid(),
                              .waitedNs = diagnose::waitedNs(recording.track(), nowNs),
                              .server =
                                  m_stacks->socketOf(recording.attempt(), recording.globalRank())};
        if (recording.isWritten())
            standing.operation = diagnose::operationOf(recording.track(), nowNs);
        if (i < seen.size()) {
            standing.idleNs = seen[i].idleNs;
            standing.isStopped = seen[i].state == diagnose::ProcessView::State::Stopped;
        }
        standings.push_back(std::move(standing));
    }
    return standings;
}

/// Once ranks are ended, by a signal or by others that are gone, each leaves what it was in.
void LedgerRecorder::freezePlaces()
{
    for (const auto& recording : m_recordings)
        recording->read(LedgerReader::Clock::now());
    tellPlaces();
}

void LedgerRecorder::tellPlaces()
{
    for (const auto& recording : m_recordings) {
        if (!recording->isFinished())
            tellPlace(*recording);
    }
}

void LedgerRecorder::tellPlace(const RankRecording& recording)
{
    const int rank = recording.globalRank();
    if (recording.isWritten() && m_placesTold.insert(rank).second)
        m_setting.tell(LastOperation{recording.attempt(), rank,
                                     diagnose::lastPlaceOf(recording.track(), rank)});
}

void LedgerRecorder::settle()
{
    constexpr std::chrono::seconds Patience{10};
    const auto isSettled = std::make_shared<std::promise<void>>();
    m_thread.post([isSettled] { isSettled->set_value(); });
    (void)isSettled->get_future().wait_for(Patience);
}

void LedgerRecorder::begin(int attempt, int worldSize, std::shared_ptr<Recordings> recordings,
                           std::shared_ptr<diagnose::OperationAggregator> folder)
{
    for (const auto& recording : m_recordings)
        recording->finish();
    m_reports.begin();
    if (m_folder)
        appendFolds(m_writer, m_folder->takeAll());
    m_recordings = std::move(*recordings);
    m_placesTold.clear();
    m_ownRanksTold.clear();
    m_folder = std::move(folder);
    m_firsts.begin(attempt, m_recordings.size());
    m_diagnosis->start(attempt, worldSize);
    if (m_bell.readEnd.isOpen() && !m_bellWatch.isActive())
        m_bellWatch = m_thread.loop().watchReadable(m_bell.readEnd.get(), [this] {
            drainBell();
            readAll();
        });
    schedule(PollPace::Longest);
}

void LedgerRecorder::drainBell()
{
    std::array<char, 64> rung{};
    while (::read(m_bell.readEnd.get(), rung.data(), rung.size()) > 0) {
    }
}

void LedgerRecorder::readAll()
{
    // Before what is read: who gets no turn here sees nobody wait for longer.
    const std::int64_t nowNs = SystemClock().now().monotonicNs;
    const auto now = LedgerReader::Clock::now();
    double fill = 0;
    for (const auto& recording : m_recordings) {
        fill = std::max(fill, recording->fill());
        recording->read(now);
    }
    appendFolds(m_writer, m_folder->take(SystemClock().now().monotonicNs));
    tellFirstCollective();
    if (!m_isStopping) {
        for (const Verdict& verdict : m_diagnosis->look(m_recordings, nowNs))
            m_setting.tell(verdict);
    }
    schedule(m_pace.after(fill));
}

void LedgerRecorder::schedule(std::chrono::milliseconds delay)
{
    m_timer = m_thread.loop().callAfter(delay, [this] { readAll(); });
}

/// Also when a worker ends: an attempt may be shorter than the time between two looks.
void LedgerRecorder::tellFirstCollective()
{
    readReports();
    for (const auto& recording : m_recordings) {
        if (recording->firstEndNs() != 0)
            m_firsts.ended(recording->globalRank(), recording->firstEndNs());
    }
    if (const auto first = m_firsts.take())
        m_setting.firstCollectiveDone(*first);
}

void LedgerRecorder::readReports()
{
    for (const HookReport& report : m_reports.readNew()) {
        m_firsts.reported(report);
        if (const auto told = m_sweep.heard(report))
            m_setting.tell(*told);
        if (report.part == "times")
            tellImporting(report);
        if (report.part == "ledger" && report.kind == "own_ranks")
            tellOwnRanks(report);
        if (report.part == "ledger" && report.kind == "not_compiled")
            tellNotCompiled(report);
        if (report.part == "threads" && report.kind == "left")
            tellThreadLeft(report);
        if (report.part == "threads" && report.kind == "raised")
            keepThreadFailed(report);
        if (report.kind != "failed")
            continue;
        const auto fact = [&](const char* name) {
            const auto found = report.facts.find(name);
            return found == report.facts.end() ? std::string() : found->second;
        };
        const bool isLedger = report.part == "ledger";
        m_setting.tell(
            Notice{.severity = Notice::Severity::Warning,
                   .globalRank = report.rank,
                   .message = {isLedger ? code::LedgerNotRecording : code::HookPartFailed,
                               {{"rank", std::to_string(report.rank)},
                                {"part", report.part},
                                {isLedger ? "reason" : "error", fact("error")}},
                               fact("traceback")}});
    }
}

/// Processes of a rank's own, such as data loaders, import torch as well.
void LedgerRecorder::tellImporting(const HookReport& report)
{
    const RankRecording* recording = find(report.rank);
    if (recording == nullptr || recording->pid() != report.pid ||
        (report.kind != "importing" && report.kind != "imported"))
        return;
    m_setting.tell(WorkerImporting{recording->attempt(), report.rank, report.kind == "importing"});
}

/// Each of them says so; once is enough.
void LedgerRecorder::tellOwnRanks(const HookReport& report)
{
    if (!m_ownRanksTold.insert(report.rank).second)
        return;
    const auto count = report.facts.find("count");
    m_setting.tell(Notice{.severity = Notice::Severity::Info,
                          .globalRank = report.rank,
                          .message = {code::LedgerOwnRanks,
                                      {{"rank", std::to_string(report.rank)},
                                       {"count", count == report.facts.end() ? "" : count->second}},
                                      {}}});
}

void LedgerRecorder::tellNotCompiled(const HookReport& report)
{
    const auto python = report.facts.find("python");
    const auto torch = report.facts.find("torch");
    if (python != report.facts.end() && torch != report.facts.end())
        m_objects->needed(python->second, torch->second);
}

void LedgerRecorder::tellThreadLeft(const HookReport& report)
{
    constexpr size_t Most = 8; // as the hook tells
    RankRecording* recording = find(report.rank);
    if (recording == nullptr || recording->pid() != report.pid ||
        recording->threadsLeft().size() >= Most)
        return;
    Parameters parameters(report.facts.begin(), report.facts.end());
    parameters["rank"] = std::to_string(report.rank);
    Message thread{code::ThreadLeft, std::move(parameters), {}};
    recording->kept(thread);
    m_setting.tell(Notice{.severity = Notice::Severity::Info,
                          .globalRank = report.rank,
                          .message = std::move(thread)});
}

/// Its traceback is in the rank's log. It is evidence where somebody waits for what it did.
void LedgerRecorder::keepThreadFailed(const HookReport& report)
{
    constexpr size_t Most = 8; // as the hook tells
    RankRecording* recording = find(report.rank);
    if (recording == nullptr || recording->pid() != report.pid ||
        recording->threadsFailed().size() >= Most)
        return;
    Parameters parameters(report.facts.begin(), report.facts.end());
    parameters["rank"] = std::to_string(report.rank);
    recording->failed({code::ThreadFailed, std::move(parameters), {}});
}

RankRecording* LedgerRecorder::find(int globalRank)
{
    const auto found = std::ranges::find_if(
        m_recordings, [&](const auto& recording) { return recording->globalRank() == globalRank; });
    return found == m_recordings.end() ? nullptr : found->get();
}

} // namespace ringmaster
