#include "app/learn/LessonRun.h"

#include "app/bridge/Background.h"
#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/job/SystemSurroundings.h"
#include "engine/lesson/Questions.h"

#include <QPointer>

namespace ringmaster::app {

namespace {

namespace fs = std::filesystem;

/// Where the run finds the program, and which interpreter it gets.
Result<lesson::RunChoice> prepare(const LessonRun::Setting& setting)
{
    const fs::path folder = stateFolder() / "lessons" / setting.pack.name;
    const fs::path program = folder / (setting.pack.name + ".py");
    RM_TRY(makeFolder(folder));
    RM_TRY(writeFileAtomically(program, setting.source, 0600, Durability::Relaxed));
    std::string interpreter = setting.interpreter;
    if (interpreter.empty())
        interpreter = SystemSurroundings(currentEnvironment(), folder).activeInterpreter();
    return lesson::RunChoice{.program = program,
                             .ranks = setting.ranks,
                             .backend = setting.backend,
                             .interpreter = interpreter};
}

} // namespace

LessonRun::LessonRun(EngineBridge& bridge, Setting setting, QObject* parent)
    : QObject(parent), m_bridge(bridge), m_setting(std::move(setting)), m_isOwn(true)
{
    inBackground(
        m_files, this, [wanted = m_setting] { return prepare(wanted); },
        [this](const Result<lesson::RunChoice>& choice) {
            if (choice)
                return launch(*choice);
            m_phase = Phase::Over;
            Q_EMIT failed(choice.error());
        });
}

LessonRun::LessonRun(EngineBridge& bridge, const std::string& run, QObject* parent)
    : QObject(parent), m_bridge(bridge)
{
    follow(run);
}

LessonRun::~LessonRun()
{
    if (m_isOwn && m_phase != Phase::Over && !m_run.empty())
        m_bridge.send(m_run, StopRun{.now = true}, nullptr, [](const Result<void>&) {});
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
    m_bridge.launch(lesson::jobOf(m_setting.pack, choice), options, &m_bridge,
                    [bridge = &m_bridge, self = QPointer(this)](const Result<std::string>& run) {
                        if (self)
                            self->launched(run);
                        else if (run)
                            bridge->send(*run, StopRun{.now = true}, bridge,
                                         [](const Result<void>&) {});
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
    connect(feed, &RunFeed::ended, this, [this] {
        m_phase = Phase::Over;
        Q_EMIT changed();
    });
    Q_EMIT changed();
}

void LessonRun::apply(const std::vector<Event>& events)
{
    for (const Event& event : events) {
        m_recording.add(event);
        if (const auto* state = std::get_if<RunStateChanged>(&event.body)) {
            m_state = state->state;
            m_reason = state->reason;
        } else if (const auto* notice = std::get_if<Notice>(&event.body);
                   notice != nullptr && notice->severity != Notice::Severity::Info) {
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
    if (isFinal(m_state))
        m_phase = Phase::Over;
    Q_EMIT changed();
}

/// What stands before the lesson's own lines, imports above all, isn't stepped through.
void LessonRun::toFirstLine()
{
    const std::string& start = m_setting.pack.start;
    const int line = start.empty() ? 0 : lesson::lineWith(m_setting.source, start);
    if (line > 0)
        move({.move = MoveLesson::Move::ToLine, .line = line});
}

std::optional<lesson::Outcome> LessonRun::outcome() const
{
    if (const auto seen = lesson::outcomeOf(m_recording))
        return seen;
    const lesson::State& state = m_recording.latest();
    for (int rank = 0; rank < state.rankCount(); ++rank) {
        if (m_state == RunState::Failed &&
            state.rank(rank).phase == lesson::RankState::Phase::Exited)
            return lesson::Outcome::Fails;
    }
    return std::nullopt;
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
    m_bridge.send(m_run, move, this, [this](const Result<void>& sent) {
        if (!sent)
            Q_EMIT failed(sent.error());
    });
}

void LessonRun::inject(const InjectFault& fault)
{
    if (!canMove())
        return;
    m_bridge.send(m_run, fault, this, [this](const Result<void>& sent) {
        if (!sent)
            Q_EMIT failed(sent.error());
    });
}

void LessonRun::stop()
{
    m_isStopWanted = true;
    if (m_isOwn && m_phase != Phase::Over && !m_run.empty())
        m_bridge.send(m_run, StopRun{}, this, [](const Result<void>&) {});
}

} // namespace ringmaster::app
