#include "engine/control/Codes.h"
#include "engine/control/LocalCluster.h"
#include "engine/control/WatchingCluster.h"
#include "engine/event/States.h"
#include "engine/hosts/Codes.h"
#include "engine/ledger/OperationBlock.h"
#include "engine/record/Codes.h"
#include "engine/record/RunFileWriter.h"
#include "engine/record/RunFolder.h"
#include "tests/remote/FakeMachine.h"
#include "tests/support/TorchInterpreter.h"
#include "tests/support/TorchrunJob.h"

#include <algorithm>
#include <mutex>

using namespace ringmaster;

namespace {

/// What has come of a run that is followed.
class Followed
{
public:
    Followed(Cluster& cluster, const std::string& run, std::uint64_t sequence = 0)
    {
        m_subscription = cluster.follow(
            run, sequence,
            [this](std::vector<Event> events) {
                const std::lock_guard lock(m_mutex);
                std::ranges::move(events, std::back_inserter(m_events));
            },
            [this](Result<void> result) {
                const std::lock_guard lock(m_mutex);
                m_end = std::move(result);
            });
    }

    std::vector<Event> events() const
    {
        const std::lock_guard lock(m_mutex);
        return m_events;
    }

    std::optional<Result<void>> end() const
    {
        const std::lock_guard lock(m_mutex);
        return m_end;
    }

    RunState state() const
    {
        RunState state = RunState::Starting;
        for (const Event& event : events())
            if (const auto* change = std::get_if<RunStateChanged>(&event.body))
                state = change->state;
        return state;
    }

    /// Each once and in order.
    bool isWhole() const
    {
        std::uint64_t last = 0;
        for (const Event& event : events())
            if (event.runSequence != ++last)
                return false;
        return last > 0;
    }

private:
    mutable std::mutex m_mutex;
    std::vector<Event> m_events;
    std::optional<Result<void>> m_end;
    Subscription m_subscription; ///< Last: cancelled first.
};

/// Waits for the answer to one question.
template <class T>
class Asked
{
public:
    Cluster::Answer<T> answer()
    {
        return [state = m_state](Result<T> result) {
            const std::lock_guard lock(state->mutex);
            state->result = std::move(result);
        };
    }

    bool isThere() const
    {
        const std::lock_guard lock(m_state->mutex);
        return m_state->result.has_value();
    }

    const Result<T>& operator*() const { return *m_state->result; }

    QString error() const
    {
        return *m_state->result ? QString()
                                : QString::fromStdString(describe(m_state->result->error()));
    }

private:
    struct State
    {
        std::mutex mutex;
        std::optional<Result<T>> result;
    };
    std::shared_ptr<State> m_state = std::make_shared<State>();
};

/// A job on its way to a machine, and what is told of it.
class Launched
{
public:
    Launched(MachineWatch& machines, MachineLaunch launch)
    {
        m_subscription = machines.launchThere(
            std::move(launch),
            [this](LaunchStep step, const Message& progress) {
                const std::lock_guard lock(m_mutex);
                if (m_steps.empty() || m_steps.back() != step)
                    m_steps.push_back(step);
                m_told.push_back(progress.code);
            },
            m_run.answer());
    }

    std::vector<LaunchStep> steps() const
    {
        const std::lock_guard lock(m_mutex);
        return m_steps;
    }

    bool wasTold(Code code) const
    {
        const std::lock_guard lock(m_mutex);
        return std::ranges::find(m_told, code) != m_told.end();
    }

    const Asked<std::string>& run() const { return m_run; }
    void cancel() { m_subscription.cancel(); }

private:
    mutable std::mutex m_mutex;
    std::vector<LaunchStep> m_steps;
    std::vector<Code> m_told;
    Asked<std::string> m_run;
    Subscription m_subscription; ///< Last: cancelled first.
};

/// This process, as one that sits here and watches gpu1.
class WatchingFront
{
public:
    explicit WatchingFront(FakeMachine& machine)
    {
        machine.sitHere();
        m_local = std::make_unique<LocalCluster>();
        m_cluster = std::make_unique<WatchingCluster>(*m_local);
    }

    WatchingCluster& cluster() { return *m_cluster; }

    WatchedMachineState state() const
    {
        const auto states = m_cluster->machines();
        return states.empty() ? WatchedMachineState{} : states.front();
    }

    bool isConnected() const
    {
        return state().connection == WatchedMachineState::Connection::Connected;
    }

    /// Of the newest; empty: there is none.
    RunSummary newest() const
    {
        const auto runs = m_cluster->runs();
        return runs.empty() ? RunSummary{} : runs.front();
    }

    std::string text() const
    {
        Asked<LogPage> page;
        m_cluster->readLog(newest().id, {}, page.answer());
        if (!QTest::qWaitFor([&] { return page.isThere(); }, 60'000) || !*page)
            return {};
        std::string text;
        for (const LogChunk& chunk : (*page)->chunks)
            text += chunk.bytes;
        return text;
    }

private:
    std::unique_ptr<LocalCluster> m_local;
    std::unique_ptr<WatchingCluster> m_cluster;
};

} // namespace

/// The runs of a machine that is watched from here, over a channel that breaks.
class tst_watched_machine : public QObject
{
    Q_OBJECT

private:
    static QStringList job(const QString& script, const QStringList& options = {})
    {
        return QStringList{"run", "--standalone", "--detach"} + options +
               QStringList{"--no-python", "/bin/sh", "-c", script};
    }

    /// Its id there.
    static std::string started(FakeMachine& machine, const QStringList& words)
    {
        const auto said = machine.there().run(words);
        return said.exitCode == 0 ? said.output.trimmed().toStdString() : std::string();
    }

    /// A block with one collective of a rank.
    static OperationRow allReduce(int rank, std::uint64_t number)
    {
        constexpr std::int64_t Millisecond = 1'000'000;
        const std::int64_t endedNs = static_cast<std::int64_t>(number + 1) * 10 * Millisecond;
        OperationBatch batch{.attempt = 0, .rank = rank};
        batch.groups.push_back({.group = 0, .name = "0", .members = {0, 1}});
        batch.operations.push_back({.kind = ledger::OperationKind::AllReduce,
                                    .type = ledger::DataType::Float32,
                                    .outcome = Operation::Outcome::Done,
                                    .number = number + 1,
                                    .bytes = 1'000,
                                    .enqueuedNs = endedNs - Millisecond,
                                    .endedNs = endedNs});
        return {.attempt = 0, .globalRank = rank, .count = 1, .block = packOperations(batch)};
    }

    static MachineLaunch shellJob(const FakeMachine& machine, const std::string& script)
    {
        MachineLaunch launch{.machine = "gpu1"};
        launch.folder = machine.path({}).toStdString();
        launch.spec.name = "train";
        launch.spec.rendezvous.standalone = true;
        Role& role = launch.spec.roles.front();
        role.kind = ProgramKind::Command;
        role.program = "/bin/sh";
        role.arguments = {"-c", script};
        return launch;
    }

    QTemporaryDir m_cache;

private Q_SLOTS:
    void initTestCase() { FakeMachine::bringAgent(m_cache.path()); }

    void runsThereAreSeenHere()
    {
        FakeMachine machine(m_cache.path());
        const std::string run = started(
            machine,
            job("echo loss: 0.25; until test -e $HOME/enough; do sleep 0.05; done; echo bye",
                {"--name", "train"}));
        QVERIFY(!run.empty());
        WatchingFront front(machine);
        front.cluster().watch({"gpu1"});
        QTRY_VERIFY(front.newest().state == RunState::Running);
        QVERIFY(front.isConnected());
        QCOMPARE(front.newest().id, "gpu1:" + run);
        QCOMPARE(front.newest().name, "train");
        QVERIFY(front.newest().isLive);
        const Followed followed(front.cluster(), front.newest().id);
        QTRY_VERIFY(followed.state() == RunState::Running);
        QTRY_COMPARE(front.text(), "loss: 0.25\n");
        Asked<RunFigures> figures;
        front.cluster().readFigures(front.newest().id, figures.answer());
        QTRY_VERIFY(figures.isThere());
        QVERIFY2(*figures, qPrintable(figures.error()));
        QCOMPARE((*figures)->lastLine, "loss: 0.25");
        QVERIFY((*figures)->lastSequence > 0);
        Asked<NumberSummary> numbers;
        front.cluster().readLastNumbers(front.newest().id, numbers.answer());
        QTRY_VERIFY(numbers.isThere());
        QVERIFY2(*numbers, qPrintable(numbers.error()));
        QCOMPARE((*numbers)->latest.size(), size_t{1});
        QCOMPARE((*numbers)->latest.front().value, 0.25);
        Asked<RankPlaces> places;
        front.cluster().lookAtRanks(front.newest().id, places.answer());
        QTRY_VERIFY(places.isThere());
        QVERIFY2(*places, qPrintable(places.error()));

        // One that comes while it is watched is seen, too.
        const std::string second = started(machine, job("exit 3", {"--name", "second"}));
        QTRY_COMPARE(front.newest().id, "gpu1:" + second);
        QTRY_VERIFY(front.newest().state == RunState::Failed);
        QTRY_VERIFY(!front.newest().isLive);
        // What has ended is read from its run file.
        const Followed ended(front.cluster(), front.newest().id);
        QTRY_VERIFY(ended.end());
        QVERIFY(*ended.end());
        QVERIFY(ended.isWhole());
        QVERIFY(ended.state() == RunState::Failed);

        machine.write("enough");
        QTRY_VERIFY(followed.end());
        QVERIFY(*followed.end());
        QVERIFY(followed.isWhole());
        QVERIFY(followed.state() == RunState::Succeeded);
        front.cluster().watch({});
        QTRY_VERIFY(front.cluster().runs().empty());
        // Nothing stays there that isn't the user's.
        QTRY_COMPARE(machine.processes(), 0);
    }

    /// What has happened meanwhile comes afterwards: each event once and in order.
    /// They come part by part, each once, and are added up here.
    void itsOperationsAreAddedUpHere()
    {
        constexpr int Ranks = 2;
        constexpr std::uint64_t Collectives = 900;
        FakeMachine machine(m_cache.path());
        const std::filesystem::path runs = machine.there().runsFolder().toStdString();
        const RunFolder folder =
            RunFolder::create(runs, "train", AgentRecord::current("/x"), SystemClock().now())
                .value();
        const auto writer = RunFileWriter::open(folder.runFile(), {.run = folder.id()}).value();
        std::uint64_t written = 0;
        const auto write = [&](std::uint64_t until) {
            for (; written < until; ++written)
                for (int rank = 0; rank < Ranks; ++rank)
                    writer->appendOperations(allReduce(rank, written));
            return writer->flush().has_value();
        };
        QVERIFY(write(Collectives));
        WatchingFront front(machine);
        front.cluster().watch({"gpu1"});
        QTRY_VERIFY(front.isConnected());
        const std::string id = "gpu1:" + folder.id();
        const auto read = [&](std::optional<OperationSummary::TimeRange> range = {}) {
            OperationSummary summary{.isMore = true};
            while (summary.isMore) {
                Asked<OperationSummary> asked;
                front.cluster().readOperations(id, range, asked.answer());
                if (!QTest::qWaitFor([&] { return asked.isThere(); }, 60'000) || !*asked) {
                    qWarning("%s", qPrintable(asked.error()));
                    break;
                }
                summary = **asked;
            }
            return summary;
        };
        OperationSummary summary = read();
        QCOMPARE(summary.operations, Collectives * Ranks);
        QCOMPARE(summary.rows.size(), size_t{1});
        QCOMPARE(summary.rows.front().count, Collectives);
        QCOMPARE(summary.damaged, std::uint64_t{0});
        QCOMPARE(summary.collectives.size(), size_t{1});
        QCOMPARE(summary.places.size(), size_t{Ranks});
        // Two questions at once: nothing is counted twice.
        QVERIFY(write(Collectives + 10));
        Asked<OperationSummary> one;
        Asked<OperationSummary> other;
        front.cluster().readOperations(id, {}, one.answer());
        front.cluster().readOperations(id, {}, other.answer());
        QTRY_VERIFY(one.isThere() && other.isThere());
        QCOMPARE(read().operations, (Collectives + 10) * Ranks);
        // Where the connection breaks, it goes on behind what has come.
        machine.unplug();
        QTRY_VERIFY(front.state().connection == WatchedMachineState::Connection::Lost);
        machine.plug();
        QTRY_VERIFY(front.isConnected());
        QVERIFY(write(Collectives + 20));
        QCOMPARE(read().operations, (Collectives + 20) * Ranks);
    }

    /// It is searched there; what comes is where lines stand, and those that are looked at.
    void itsLogIsSearchedThere()
    {
        FakeMachine machine(m_cache.path());
        const std::string run =
            started(machine,
                    job("i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo line $i loss: 0.$i; done; "
                        "until test -e $HOME/enough; do sleep 0.05; done; echo line 99999"));
        WatchingFront front(machine);
        Cluster& cluster = front.cluster();
        front.cluster().watch({"gpu1"});
        QTRY_COMPARE(front.newest().id, "gpu1:" + run);
        const std::string id = front.newest().id;
        LogSearch::Query query{.filter = LogFilter::parse("line").value()};
        const auto search = std::make_shared<LogSearch>(query);
        std::vector<LogPlace> places;
        std::uint64_t matches = 0;
        const auto searchOn = [&](size_t until) {
            while (places.size() < until) {
                Asked<LogSearchPage> asked;
                cluster.searchLog(id, search, asked.answer());
                if (!QTest::qWaitFor([&] { return asked.isThere(); }, 60'000) || !*asked) {
                    qWarning("%s", qPrintable(asked.error()));
                    return;
                }
                places.insert(places.end(), (*asked)->places.begin(), (*asked)->places.end());
                matches = (*asked)->matches;
            }
        };
        searchOn(5'000);
        QCOMPARE(places.size(), size_t{5'000});
        QCOMPARE(matches, std::uint64_t{5'000});
        Asked<std::vector<LogLine>> lines;
        cluster.readLogLines(id, places, lines.answer());
        QTRY_VERIFY(lines.isThere());
        QVERIFY2(*lines, qPrintable(lines.error()));
        QCOMPARE((*lines)->size(), places.size());
        for (size_t i = 0; i < places.size(); ++i)
            QVERIFY((*lines)->at(i).text.starts_with("line " + std::to_string(i + 1) + " "));

        // Over another connection it goes on behind what has come.
        machine.unplug();
        QTRY_VERIFY(front.state().connection == WatchedMachineState::Connection::Lost);
        machine.plug();
        QTRY_VERIFY(front.isConnected());
        machine.write("enough");
        searchOn(5'001);
        QCOMPARE(places.size(), size_t{5'001});
        QCOMPARE(places.back().number, std::uint64_t{5'001});

        search->cancel();
        Asked<LogSearchPage> cancelled;
        cluster.searchLog(id, search, cancelled.answer());
        QTRY_VERIFY(cancelled.isThere());
        QVERIFY((*cancelled)->places.empty());
    }

    /// Its numbers as they come, and all that a comparison lays beside a run of this machine.
    void itsNumbersAndFiguresAreHadFromThere()
    {
        FakeMachine machine(m_cache.path());
        const std::string run =
            started(machine, job("echo loss: 0.5; until test -e $HOME/more; do sleep 0.05; done; "
                                 "echo loss: 0.25; until test -e $HOME/enough; do sleep 0.05; done",
                                 {"--name", "train"}));
        WatchingFront front(machine);
        Cluster& cluster = front.cluster();
        front.cluster().watch({"gpu1"});
        QTRY_COMPARE(front.newest().id, "gpu1:" + run);
        const std::string id = front.newest().id;
        const auto points = [&]() -> size_t {
            Asked<NumberSummary> asked;
            cluster.readNumbers(id, {"loss"}, asked.answer());
            if (!QTest::qWaitFor([&] { return asked.isThere(); }, 60'000) || !*asked ||
                (*asked)->lines.empty())
                return 0;
            return (*asked)->lines.front().points.size();
        };
        QTRY_COMPARE(points(), size_t{1});
        QCOMPARE(points(), size_t{1}); // nothing new
        machine.write("more");
        QTRY_COMPARE(points(), size_t{2});
        machine.unplug();
        QTRY_VERIFY(front.state().connection == WatchedMachineState::Connection::Lost);
        machine.plug();
        QTRY_COMPARE(points(), size_t{2}); // all anew
        machine.write("enough");
        QTRY_VERIFY(front.newest().state == RunState::Succeeded);

        Asked<ComparedRun> compared;
        cluster.readComparedRun(id, {}, compared.answer());
        QTRY_VERIFY(compared.isThere());
        QVERIFY2(*compared, qPrintable(compared.error()));
        QCOMPARE((*compared)->id, id);
        QCOMPARE((*compared)->name, "train");
        QVERIFY((*compared)->health == Health::Finished);
        QCOMPARE((*compared)->numbers.lines.size(), size_t{1});
        QCOMPARE((*compared)->numbers.latest.front().value, 0.25);

        const QString file = m_cache.filePath("far.ringrun");
        Asked<ExportReport> report;
        cluster.exportRun(id, file.toStdString(), report.answer());
        QTRY_VERIFY(report.isThere());
        QVERIFY2(*report, qPrintable(report.error()));
        QCOMPARE(QFileInfo(file).size(), static_cast<qint64>((*report)->fileBytes));
        QVERIFY((*report)->events > 0);
        const auto logs = machine.here().run({"logs", "--rank", "0", file});
        QCOMPARE(logs.output, "loss: 0.5\nloss: 0.25\n");

        Asked<ExportReport> none;
        cluster.exportRun("gpu1:no-such-run", file.toStdString(), none.answer());
        QTRY_VERIFY(none.isThere());
        QVERIFY2(!*none && (*none).error().code == code::ExportThereFailed &&
                     none.error().contains("no-such-run"),
                 qPrintable(none.error()));
        Asked<ExportReport> nowhere;
        cluster.exportRun(id, "/no/such/folder/far.ringrun", nowhere.answer());
        QTRY_VERIFY(nowhere.isThere());
        QVERIFY(!*nowhere && (*nowhere).error().code == code::FileNotWritable);
        QCOMPARE(QDir(m_cache.path()).entryList({"far.ringrun*"}, QDir::Files),
                 QStringList{"far.ringrun"});
        QTRY_COMPARE(machine.there().run({"ps"}).exitCode, 0);
    }

    void aBrokenConnectionCostsNothing()
    {
        FakeMachine machine(m_cache.path());
        const std::string run =
            started(machine, job("until test -e $HOME/enough; do sleep 0.05; done; exit 4"));
        WatchingFront front(machine);
        front.cluster().watch({"gpu1"});
        QTRY_VERIFY(front.newest().state == RunState::Running);
        const Followed followed(front.cluster(), front.newest().id);
        QTRY_VERIFY(followed.state() == RunState::Running);
        machine.unplug();
        QTRY_VERIFY(front.state().connection == WatchedMachineState::Connection::Lost);
        QVERIFY(front.state().why.code != code::None);
        // It is shown as it was last seen, and nothing can be asked there.
        QVERIFY(front.newest().isLive);
        Asked<void> stop;
        front.cluster().send(front.newest().id, StopRun{}, stop.answer());
        QTRY_VERIFY(stop.isThere());
        QVERIFY(!*stop);
        QVERIFY2((*stop).error().code == code::MachineNotConnected, qPrintable(stop.error()));
        machine.write("enough");
        QTRY_COMPARE(machine.there().run({"ps", "--all", "--json"}).output.contains("\"failed\""),
                     true);

        QVERIFY(!followed.end());
        machine.plug();
        QTRY_VERIFY(front.isConnected());
        QTRY_VERIFY(followed.end());
        QVERIFY(*followed.end());
        QVERIFY(followed.state() == RunState::Failed);
        QVERIFY(followed.isWhole());
        QTRY_VERIFY(front.newest().state == RunState::Failed);
    }

    /// Of the stand-in: the cable ends a login that is on its way, too.
    void noLoginComesThroughAPulledCable()
    {
        FakeMachine machine(m_cache.path());
        machine.write("held");
        WatchingFront front(machine);
        front.cluster().watch({"gpu1"});
        QTRY_VERIFY(!machine.read("calls").isEmpty());
        machine.unplug();
        QVERIFY(QFile::remove(machine.path("held")));
        QTRY_VERIFY(front.state().connection == WatchedMachineState::Connection::Lost);
        machine.plug();
        QTRY_VERIFY(front.isConnected());
    }

    void whatOneAsksIsDoneThere()
    {
        FakeMachine machine(m_cache.path());
        const std::string run = started(machine, job("echo up; exec sleep 600"));
        WatchingFront front(machine);
        Cluster& cluster = front.cluster();
        front.cluster().watch({"gpu1"});
        QTRY_VERIFY(front.newest().state == RunState::Running);
        const std::string id = front.newest().id;

        Asked<void> removed;
        cluster.remove(id, removed.answer());
        QTRY_VERIFY(removed.isThere());
        QVERIFY2(!*removed && (*removed).error().code == code::RunStillRunning,
                 qPrintable(removed.error()));

        Asked<KeptEvidence> stacks;
        cluster.takeStacks(id, stacks.answer());
        QTRY_VERIFY(stacks.isThere());
        QVERIFY2(*stacks, qPrintable(stacks.error()));

        Asked<void> stopped;
        cluster.send(id, StopRun{.now = true}, stopped.answer());
        QTRY_VERIFY(stopped.isThere());
        QVERIFY2(*stopped, qPrintable(stopped.error()));
        QTRY_VERIFY(front.newest().state == RunState::Stopped);
        QTRY_VERIFY(!front.newest().isLive);

        Asked<void> labelled;
        cluster.setLabels(id, {.name = "best", .tags = {"paper"}}, labelled.answer());
        Asked<void> pinned;
        cluster.setPinned(id, true, pinned.answer());
        QTRY_COMPARE(front.newest().labels.name, "best");
        QTRY_VERIFY(front.newest().isPinned);
        QCOMPARE(front.newest().labels.tags, (std::vector<std::string>{"paper"}));

        Asked<void> gone;
        cluster.remove(id, gone.answer());
        QTRY_VERIFY(cluster.runs().empty());
        const Followed followed(cluster, id);
        QTRY_VERIFY(followed.end());
        QVERIFY(!*followed.end() && followed.end()->error().code == code::RunNotFound);
    }

    /// As `run --on` does: the program is brought there, and the run is nobody's here.
    void aJobIsLaunchedThere()
    {
        if (QStandardPaths::findExecutable("rsync").isEmpty())
            QSKIP("rsync is missing (Debian: rsync)");
        FakeMachine machine(m_cache.path());
        const QString project = machine.makeProject("echo hello from $PWD; exec sleep 600");
        const QString target = machine.path("copy");
        QCOMPARE(machine.here()
                     .run({"host", "add", "gpu1", "--sync", "rsync", "--code", target})
                     .exitCode,
                 0);
        MachineLaunch launch = shellJob(machine, {});
        launch.folder = project.toStdString();
        launch.spec.roles.front().arguments = {"hello.sh"};
        {
            WatchingFront front(machine);
            const Launched launched(front.cluster(), launch);
            QTRY_VERIFY(launched.run().isThere());
            QVERIFY2(*launched.run(), qPrintable(launched.run().error()));
            QCOMPARE(launched.steps(), (std::vector{LaunchStep::Reaching, LaunchStep::Bringing,
                                                    LaunchStep::Starting}));
            QVERIFY(launched.wasTold(code::CodeIsCopied) && launched.wasTold(code::CodeCopied));
            front.cluster().watch({"gpu1"});
            QTRY_VERIFY(front.newest().state == RunState::Running);
            QCOMPARE(front.newest().id, **launched.run());
            QTRY_COMPARE(front.text(), "hello from " + target.toStdString() + "\n");
        }
        // It lives there, not here.
        QVERIFY(machine.there().run({"ps", "--json"}).output.contains("\"running\""));
        QCOMPARE(machine.there().run({"stop", "--now"}).exitCode, 0);
        QTRY_COMPARE(machine.processes(), 0);
    }

    /// A run of that machine once more: what its job names is there, and nothing is brought.
    void aRunIsLaunchedAgainWhereItWas()
    {
        FakeMachine machine(m_cache.path());
        QCOMPARE(machine.here().run({"host", "add", "gpu1", "--sync", "rsync"}).exitCode, 0);
        machine.write("program.sh", "echo again from $PWD");
        MachineLaunch launch = shellJob(machine, {});
        launch.program = MachineLaunch::Program::There;
        launch.spec.roles.front().arguments = {"program.sh"};
        WatchingFront front(machine);
        front.cluster().watch({"gpu1"});
        const Launched launched(front.cluster(), launch);
        QTRY_VERIFY(launched.run().isThere());
        QVERIFY2(*launched.run(), qPrintable(launched.run().error()));
        QCOMPARE(launched.steps(), (std::vector{LaunchStep::Reaching, LaunchStep::Starting}));
        QTRY_VERIFY(front.newest().state == RunState::Succeeded);
        QCOMPARE(front.text(),
                 "again from " + QFileInfo(machine.path({})).absolutePath().toStdString() + "\n");
    }

    void aLaunchIsCalledOff()
    {
        FakeMachine machine(m_cache.path());
        machine.write("held");
        WatchingFront front(machine);
        Launched launched(front.cluster(), shellJob(machine, "exec sleep 600"));
        QTRY_COMPARE(launched.steps(), (std::vector{LaunchStep::Reaching, LaunchStep::Starting}));
        QTRY_VERIFY(!machine.read("calls").isEmpty());
        launched.cancel();
        QTRY_COMPARE(processesWith("RINGMASTER_FAKE_SSH=" + machine.path({}).chopped(1).toUtf8()),
                     0);
        QVERIFY(QFile::remove(machine.path("held")));
        QVERIFY(!launched.run().isThere());
        QVERIFY(machine.there().runs().isEmpty());
    }

    void whyAJobWasNotLaunchedIsSaid()
    {
        FakeMachine machine(m_cache.path());
        WatchingFront front(machine);
        MachineLaunch nowhere = shellJob(machine, "echo never");
        nowhere.folder = "/no/such/folder";
        const Launched lost(front.cluster(), nowhere);
        QTRY_VERIFY(lost.run().isThere());
        QVERIFY(!*lost.run());
        QVERIFY2(lost.run().error().contains("the folder /no/such/folder isn't there"),
                 qPrintable(lost.run().error()));
        MachineLaunch nothing = shellJob(machine, "echo never");
        nothing.spec.roles.front().program = "/no/such/program";
        const Launched refused(front.cluster(), nothing);
        QTRY_VERIFY(refused.run().isThere());
        QVERIFY(!*refused.run());
        QVERIFY2((*refused.run()).error().code == code::LaunchEnded &&
                     refused.run().error().contains("/no/such/program"),
                 qPrintable(refused.run().error()));

        machine.write("refusal", "user@gpu1: Permission denied (publickey).\n");
        const Launched stranger(front.cluster(), shellJob(machine, "echo never"));
        QTRY_VERIFY(stranger.run().isThere());
        QVERIFY2(!*stranger.run() && (*stranger.run()).error().code == code::HostRefusesKey,
                 qPrintable(stranger.run().error()));
    }

    void whyItIsNotReachedIsSaid()
    {
        FakeMachine machine(m_cache.path());
        machine.write("refusal", "user@gpu1: Permission denied (publickey).\n");
        WatchingFront front(machine);
        front.cluster().watch({"gpu1"});
        QTRY_VERIFY(front.state().connection == WatchedMachineState::Connection::Lost);
        QVERIFY(front.state().why.code == code::HostRefusesKey);
        QVERIFY(QFile::remove(machine.path("refusal")));
        QTRY_VERIFY(front.isConnected());
        QVERIFY(front.state().why.code == code::None);
    }

    /// With the real torchrun.
    void jobsThatSomethingElseStartedThereAreLookedAtAndEnded()
    {
        const QString python = test::torchInterpreter();
        if (python.isEmpty())
            QSKIP("no interpreter with torch");
        test::TorchrunJob job(python, QStringLiteral("watched_elsewhere.py"), test::HangingProgram);
        QTRY_VERIFY2_WITH_TIMEOUT(job.output().contains("all there"),
                                  job.process().readAllStandardError().constData(), 300'000);
        FakeMachine machine(m_cache.path());
        WatchingFront front(machine);
        Asked<std::vector<WatchedJob>> unwatched;
        front.cluster().findJobs("gpu1", unwatched.answer());
        QTRY_VERIFY(unwatched.isThere());
        QVERIFY(!*unwatched && (*unwatched).error().code == code::MachineNotWatched);
        front.cluster().watch({"gpu1"});
        QTRY_VERIFY_WITH_TIMEOUT(front.isConnected(), 60'000);

        // Other tests have jobs on this machine, too.
        Asked<std::vector<WatchedJob>> found;
        front.cluster().findJobs("gpu1", found.answer());
        QTRY_VERIFY_WITH_TIMEOUT(found.isThere(), 60'000);
        QVERIFY2(*found, qPrintable(found.error()));
        const auto known = std::ranges::find_if(**found, [&](const WatchedJob& watched) {
            return watched.job.started.pid == job.launcher();
        });
        QVERIFY(known != (*found)->end());
        QCOMPARE(known->job.launcher, ForeignJob::Launcher::Torchrun);
        QCOMPARE(known->job.name, "watched_elsewhere.py");
        QCOMPARE(known->ranks.size(), size_t{3});
        QVERIFY(known->ranks[1].residentBytes > 1 << 20);
        const NamedJob named{known->job.identity(), known->job.name};

        const auto statement = [&] {
            Asked<JobFindings> seen;
            front.cluster().lookAtJob("gpu1", named, seen.answer());
            if (!QTest::qWaitFor([&] { return seen.isThere(); }, 60'000) || !*seen)
                return std::string("nothing");
            if ((*seen)->ranks.size() != 3 || (*seen)->stacks.evidence.ranks.size() != 3)
                return std::string("not three ranks");
            return describe((*seen)->statement);
        };
        // They may still be on their way into it.
        std::string said;
        QTRY_VERIFY2_WITH_TIMEOUT((said = statement()) ==
                                      "Ranks 1 and 2 are in all_reduce; rank 0 is not.",
                                  said.c_str(), 120'000);

        // Of another process with its number nothing is done.
        NamedJob another = named;
        ++another.identity.startTime;
        Asked<void> refused;
        front.cluster().endJob("gpu1", another, refused.answer());
        QTRY_VERIFY_WITH_TIMEOUT(refused.isThere(), 60'000);
        QVERIFY(!*refused);
        QCOMPARE(refused.error(),
                 QStringLiteral("The job watched_elsewhere.py has ended already."));
        QCOMPARE(job.process().state(), QProcess::Running);

        Asked<void> ended;
        front.cluster().endJob("gpu1", named, ended.answer());
        QTRY_VERIFY_WITH_TIMEOUT(ended.isThere(), 60'000);
        QVERIFY2(*ended, qPrintable(ended.error()));
        QVERIFY(job.process().waitForFinished(120'000));
    }

    void whatCannotBeAskedThereIsRefused()
    {
        FakeMachine machine(m_cache.path());
        WatchingFront front(machine);
        Asked<NumberSummary> numbers;
        front.cluster().readNumbers("gpu1:run", {}, numbers.answer());
        QTRY_VERIFY(numbers.isThere());
        QVERIFY(!*numbers && (*numbers).error().code == code::MachineNotWatched);
        Asked<OperationSummary> operations;
        front.cluster().readOperations("gpu1:run", {}, operations.answer());
        QTRY_VERIFY(operations.isThere());
        QVERIFY(!*operations && (*operations).error().code == code::MachineNotWatched);
        Asked<LogPage> log;
        front.cluster().readLog("gpu1:run", {}, log.answer());
        QTRY_VERIFY(log.isThere());
        QVERIFY(!*log && (*log).error().code == code::MachineNotWatched);
        const Followed followed(front.cluster(), "gpu1:run");
        QTRY_VERIFY(followed.end());
        QVERIFY(!*followed.end());
    }
};

QTEST_GUILESS_MAIN(tst_watched_machine)
#include "tst_watched_machine.moc"
