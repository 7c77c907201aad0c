#include "app/learn/LessonRun.h"

#include "app/bridge/Background.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/machine/RealSystemInfo.h"

#include <QPointer>

#include <chrono>

namespace ringmaster::app {

namespace {

namespace fs = std::filesystem;

/// Folders of programs that were launched a month ago or earlier: a run of these may be run again.
void removeOldPrograms(const fs::path& folder)
{
    const auto old = fs::file_time_type::clock::now() - std::chrono::hours(24 * 30);
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        const bool isFolder = fs::is_directory(entry->symlink_status(ignored));
        const auto changed = entry->last_write_time(ignored);
        if (isFolder && !ignored && changed <= old)
            fs::remove_all(entry->path(), ignored);
    }
}

/// Where the run finds the program, and which interpreter it gets. Another dashboard may start the
/// same lesson while the ranks of this run are about to load it: each launch has its own.
Result<lesson::RunChoice> prepare(const LessonRun::Setting& setting)
{
    const fs::path programs = stateFolder() / "lessons";
    removeOldPrograms(programs);
    const fs::path folder = programs / (setting.pack.name + "-" + randomToken(8));
    const fs::path program = folder / (setting.pack.name + ".py");
    RM_TRY(makeFolder(folder));
    RM_TRY(writeFileAtomically(program, setting.source, 0600, Durability::Relaxed));
    std::string interpreter = setting.interpreter;
    if (interpreter.empty())
        interpreter = RealSystemInfo(currentEnvironment(), folder).activeInterpreter();
    return lesson::RunChoice{.program = program,
                             .ranks = setting.ranks,
                             .backend = setting.backend,
                             .interpreter = interpreter};
}

} // namespace

LessonRun::LessonRun(EngineBridge& bridge, QThreadPool& files, Setting setting, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_setting(std::move(setting)), m_isOwn(true)
{
    // The bridge outlives the pool; whether this is still there is looked at on its thread only.
    inBackground(
        files, &bridge, [wanted = m_setting] { return prepare(wanted); },
        [self = QPointer(this)](const Result<lesson::RunChoice>& choice) {
            if (self)
                self->prepared(choice);
        });
}

LessonRun::LessonRun(EngineBridge& bridge, const std::string& run, QObject* parent)
    : QObject(parent), m_bridge(bridge)
{
    follow(run);
}

LessonRun::LessonRun(EngineBridge& bridge, lesson::RecordedJob job, QObject* parent)
    : QObject(parent)
    , m_bridge(bridge)
    , m_phase(Phase::Over)
    , m_job(std::move(job))
    , m_recording(lesson::recordingOf(*m_job))
{
}

LessonRun::~LessonRun()
{
    if (m_isOwn && m_phase != Phase::Over && !m_run.empty())
        m_bridge.ask(&Cluster::send, m_run, StopRun{.now = true})
            .then(nullptr, [](const Result<void>&) {});
}

void LessonRun::prepared(const Result<lesson::RunChoice>& choice)
{
    if (choice)
        return launch(*choice);
    m_phase = Phase::Over;
    Q_EMIT failed(choice.error());
}

void LessonRun::launch(const lesson::RunChoice& choice)
{
    m_phase = Phase::Launching;
    Cluster::LaunchOptions options{.workingFolder = choice.program.parent_path(),
                                   .arguments = {"--lesson", "held"}};
    if (!m_setting.packFile.empty())
        options.arguments.insert(options.arguments.end(),
                                 {"--lesson-pack", m_setting.packFile.string()});
    // Asked for by the bridge: a run that comes when nobody wants it any more is stopped.
    m_bridge.ask(&Cluster::launch, lesson::jobOf(m_setting.pack, choice), options)
        .then(&m_bridge,
              [bridge = &m_bridge, self = QPointer(this)](const Result<std::string>& run) {
                  if (self)
                      self->launched(run);
                  else if (run)
                      bridge->ask(&Cluster::send, *run, StopRun{.now = true})
                          .then(bridge, [](const Result<void>&) {});
              });
    Q_EMIT changed();
}

void LessonRun::launched(const Result<std::string>& run)
{
    if (run)
        return follow(*run);
    m_phase = Phase::Over;
    Q_EMIT failed(run.error());
}

void LessonRun::follow(const std::string& run)
{
    m_run = run;
    m_phase = Phase::Starting;
    if (m_isStopWanted)
        stop();
    RunFeed* feed = m_bridge.follow(run, 0, this);
    connect(feed, &RunFeed::eventsArrived, this, &LessonRun::apply);
    connect(feed, &RunFeed::ended, this, [this](const std::optional<Error>& error) {
        // Nobody sees its ranks any more, nor moves them.
        if (error && !isFinal(m_state))
            stop();
        m_phase = Phase::Over;
        if (error)
            Q_EMIT failed(*error);
        Q_EMIT changed();
    });
    Q_EMIT changed();
}

void LessonRun::apply(const std::vector<Event>& events)
{
    for (const Event& event : events) {
        m_recording.add(event);
        takeAct(event);
        if (const auto* state = std::get_if<RunStateChanged>(&event.body)) {
            m_state = state->state;
            if (!m_hasComplaint)
                m_reason = state->reason;
        } else if (const auto* notice = std::get_if<Notice>(&event.body);
                   notice != nullptr && notice->severity != Notice::Severity::Info) {
            // Why it is stopped says more than that it was.
            m_hasComplaint = notice->severity == Notice::Severity::Error;
            m_reason = notice->message;
        } else if (const auto* exit = std::get_if<WorkerExited>(&event.body);
                   exit != nullptr && m_traceback.isEmpty() && !exit->endedByAgent) {
            m_traceback = QString::fromStdString(exit->traceback);
        }
    }
    if (m_phase == Phase::Starting && !m_recording.isEmpty()) {
        m_phase = Phase::Live;
        toFirstLine();
    }
    repeatOrder();
    if (isFinal(m_state))
        m_phase = Phase::Over;
    Q_EMIT changed();
}

void LessonRun::takeAct(const Event& event)
{
    constexpr size_t MostActs = 256;
    const auto* exit = std::get_if<WorkerExited>(&event.body);
    const bool isFailure = exit != nullptr && !exit->status.succeeded() && !exit->endedByAgent;
    const auto* rendezvous = std::get_if<RendezvousStep>(&event.body);
    const bool isAct =
        exit != nullptr || std::holds_alternative<GroupRestarting>(event.body) ||
        std::holds_alternative<AttemptStarted>(event.body) ||
        (rendezvous != nullptr && rendezvous->step == RendezvousStep::Step::Completed);
    if ((m_acts.empty() && !isFailure) || !isAct || m_acts.size() >= MostActs)
        return;
    m_acts.push_back({m_recording.size(), event});
}

/// What stands before the lesson's own lines, imports above all, isn't stepped through.
void LessonRun::toFirstLine()
{
    if (const int line = startLine(); line > 0)
        move({.move = MoveLesson::Move::ToLine, .line = line});
}

bool LessonRun::isProgram(const std::string& file) const
{
    const auto& started = m_recording.started();
    return !started || started->program.empty() || file.empty() ||
           fs::path(started->program).filename() == file;
}

int LessonRun::startLine() const
{
    const std::string& start = m_setting.pack.start;
    const int said = start.empty() ? 0 : lesson::lineWith(m_setting.source, start);
    return said > 0 ? said : lesson::lineBehindImports(m_setting.source);
}

/// The order of an earlier run begins when all ranks stand at the first line.
void LessonRun::repeatOrder()
{
    if (m_setting.order.empty() || !canMove())
        return;
    const lesson::State& state = m_recording.latest();
    for (int rank = 0; rank < state.rankCount(); ++rank) {
        const lesson::RankState& known = state.rank(rank);
        if (known.phase != lesson::RankState::Phase::AtLine ||
            (startLine() > 0 && known.line != startLine()))
            return;
    }
    move({.move = MoveLesson::Move::Step, .ranks = std::exchange(m_setting.order, {})});
}

int LessonRun::arrived() const
{
    int ranks = 0;
    const lesson::State& state = m_recording.latest();
    for (int rank = 0; rank < state.rankCount(); ++rank)
        ranks += state.rank(rank).phase != lesson::RankState::Phase::NotStarted;
    return ranks;
}

bool LessonRun::isBusy(int rank) const
{
    const auto before = m_linesBefore.find(rank);
    const lesson::State& state = m_recording.latest();
    return canMove() && before != m_linesBefore.end() && rank < state.rankCount() &&
           state.rank(rank).lines == before->second;
}

void LessonRun::move(const MoveLesson& move)
{
    if (!canMove())
        return;
    m_linesBefore.clear();
    const lesson::State& state = m_recording.latest();
    const bool isAll = move.ranks.empty();
    for (int rank = 0; isAll && move.move != MoveLesson::Move::Hold && rank < state.rankCount();
         ++rank)
        m_linesBefore[rank] = state.rank(rank).lines;
    for (const int rank : move.ranks)
        m_linesBefore[rank] = state.rank(rank).lines;
    send(move);
}

void LessonRun::inject(const InjectFault& fault)
{
    if (!canMove())
        return;
    send(fault);
}

/// One after the other: of two that are on their way at once, either may arrive first.
void LessonRun::send(Command command)
{
    m_unsent.push_back(std::move(command));
    if (m_unsent.size() == 1)
        sendNext();
}

void LessonRun::sendNext()
{
    m_bridge.ask(&Cluster::send, m_run, m_unsent.front())
        .then(this, [this](const Result<void>& sent) {
            m_unsent.pop_front();
            if (!m_unsent.empty())
                sendNext();
            if (!sent)
                Q_EMIT failed(sent.error());
        });
}

void LessonRun::stop()
{
    m_isStopWanted = true;
    if (m_isOwn && m_phase != Phase::Over && !m_run.empty())
        m_bridge.ask(&Cluster::send, m_run, StopRun{}).then(this, [](const Result<void>&) {});
}

} // namespace ringmaster::app
