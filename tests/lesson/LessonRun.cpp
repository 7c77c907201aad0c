#include "LessonRun.h"

#include "engine/base/Paths.h"
#include "engine/event/States.h"
#include "engine/record/RunFolder.h"
#include "tests/support/TorchInterpreter.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QFileInfo>
#include <QTest>

#include <future>
#include <limits>
#include <utility>

#include <sys/stat.h>

namespace ringmaster::test {

namespace {

constexpr int Patience = 180'000; // Importing torch takes long on a busy machine.

template <class T, class Ask>
Result<T> ask(const Ask& question)
{
    std::promise<Result<T>> promise;
    question([&](Result<T> result) { promise.set_value(std::move(result)); });
    return promise.get_future().get();
}

} // namespace

LessonRun::LessonRun(const Setting& setting)
    : m_cluster(std::make_unique<LocalCluster>(
          LocalCluster::Options{.command = RINGMASTER_BUILD_DIR "/bin/ringmaster"}))
{
    QString program = setting.file;
    if (program.isEmpty()) {
        program = m_folder.filePath(QStringLiteral("program.py"));
        QFile file(program);
        (void)file.open(QIODevice::WriteOnly);
        file.write(setting.program);
    }

    JobSpec spec;
    Role& role = spec.roles.front();
    role.program = program.toStdString();
    role.interpreter = torchInterpreter().toStdString();
    role.arguments = setting.arguments;
    role.workers.number = setting.ranks;
    role.environment = setting.environment;
    role.environment["OMP_NUM_THREADS"] = "1";
    spec.rendezvous.standalone = true;
    spec.rendezvous.method = RendezvousMethod::C10d;
    spec.restart.maxRestarts = setting.maxRestarts;
    spec.backendHint = setting.backend.toStdString();
    spec.warm = setting.warm;
    if (!setting.ringAlgorithm.empty())
        spec.ringAlgorithm = setting.ringAlgorithm;
    const auto run = ask<std::string>([&](auto answer) {
        m_cluster->launch(spec,
                          {.workingFolder = QFileInfo(program).path().toStdString(),
                           .arguments = {"--lesson", setting.isHeld ? "held" : "free"}},
                          std::move(answer));
    });
    if (!run)
        qFatal("%s", describe(run.error()).c_str());
    m_run = *run;
    const auto agent = RunFolder::find(runsFolder(), m_run).and_then([](const RunFolder& folder) {
        return folder.agent();
    });
    if (!agent)
        qFatal("%s", describe(agent.error()).c_str());
    m_agent = agent->process;
    m_subscription = m_cluster->follow(
        m_run, 0,
        [this](const std::vector<Event>& events) {
            const std::lock_guard lock(m_mutex);
            for (const Event& event : events) {
                m_events.push_back(event);
                m_recording.add(event);
                m_snapshot.apply(event);
            }
        },
        [](const Result<void>&) {});
}

LessonRun::~LessonRun()
{
    // On a busy machine it may not be heard at once, and the run may be over for those who don't
    // follow it.
    const QDeadlineTimer limit(Patience);
    while (!isOver() && isAlive(m_agent) && !limit.hasExpired() && !send(StopRun{.now = true}))
        QTest::qWait(10);
    m_subscription.cancel();
    if (!QTest::qWaitFor([this] { return !isAlive(m_agent); }, Patience))
        qFatal("the agent of %s doesn't end", m_run.c_str());
}

Result<void> LessonRun::send(const Command& command)
{
    return ask<void>([&](auto answer) { m_cluster->send(m_run, command, std::move(answer)); });
}

lesson::Recording LessonRun::recording() const
{
    const std::lock_guard lock(m_mutex);
    return m_recording;
}

std::vector<Event> LessonRun::events() const
{
    const std::lock_guard lock(m_mutex);
    return m_events;
}

RunState LessonRun::state() const
{
    const std::lock_guard lock(m_mutex);
    return m_snapshot.state;
}

std::string LessonRun::standing() const
{
    const std::lock_guard lock(m_mutex);
    std::string text(nameOf(m_snapshot.state));
    const lesson::State& latest = m_recording.latest();
    for (int rank = 0; rank < latest.rankCount(); ++rank) {
        const lesson::RankState& known = latest.rank(rank);
        text += "\nrank " + std::to_string(rank) + ": phase " +
                std::to_string(static_cast<int>(known.phase)) + ", line " +
                std::to_string(known.line) + " " + known.call.operation + " " + known.error;
    }
    for (const Event& event : m_events) {
        if (const auto* exit = std::get_if<WorkerExited>(&event.body))
            text += "\nrank " + std::to_string(exit->globalRank) + ": " + describe(exit->status) +
                    (exit->endedByAgent ? ", ended by the agent: " : ": ") +
                    describe(exit->explanation) + " " + exit->traceback;
        if (const auto* changed = std::get_if<RunStateChanged>(&event.body))
            text += "\n" + std::string(nameOf(changed->state)) + ": " + describe(changed->reason);
        if (const auto* verdict = std::get_if<Verdict>(&event.body))
            text +=
                "\nverdict " + std::to_string(verdict->id) + ": " + describe(verdict->statement);
    }
    return text;
}

bool LessonRun::waitFor(const std::function<bool(const lesson::Recording&)>& claim) const
{
    return waitForNews([&] { return claim(m_recording); });
}

bool LessonRun::finishOr(const std::function<bool(const lesson::Recording&)>& claim) const
{
    return waitForNews([&] { return isFinal(m_snapshot.state) || claim(m_recording); });
}

/// A claim goes through all that was recorded: nobody asks it again before there is more.
bool LessonRun::waitForNews(const std::function<bool()>& claim) const
{
    size_t known = std::numeric_limits<size_t>::max();
    return QTest::qWaitFor(
        [&] {
            const std::lock_guard lock(m_mutex);
            return std::exchange(known, m_events.size()) != m_events.size() && claim();
        },
        Patience);
}

bool LessonRun::finish(std::chrono::milliseconds patience) const
{
    return QTest::qWaitFor([this] { return isOver(); }, static_cast<int>(patience.count()));
}

bool LessonRun::isListedAsLive() const
{
    for (const RunSummary& run : m_cluster->runs())
        if (run.id == m_run)
            return run.isLive;
    return false;
}

LessonRun::Setting settingOf(const lesson::Pack& pack, int ranks)
{
    const std::string& backend = pack.backends.front();
    return {.program = QByteArray::fromStdString(pack.source),
            .ranks = ranks,
            .isHeld = false,
            .backend = QString::fromStdString(backend),
            .ringAlgorithm = pack.ringAlgorithm,
            .maxRestarts = pack.maxRestarts,
            .environment = {{"BACKEND", backend}}};
}

void useOwnFolders(const QTemporaryDir& folder)
{
    const QByteArray path = folder.path().toUtf8();
    ::mkdir((path + "/runtime").constData(), 0700);
    qputenv("XDG_RUNTIME_DIR", path + "/runtime");
    qputenv("XDG_STATE_HOME", path + "/state");
}

} // namespace ringmaster::test
