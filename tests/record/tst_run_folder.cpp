#include "engine/base/Files.h"
#include "engine/base/Log.h"
#include "engine/record/Codes.h"
#include "engine/record/RunCatalog.h"
#include "engine/record/RunFileWriter.h"
#include "engine/record/RunLock.h"
#include "tests/event/EventSamples.h"

#include <QtTest>

#include <future>
#include <stop_token>
#include <thread>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace ringmaster;
namespace fs = std::filesystem;

namespace {

const AgentRecord Dead = [] {
    AgentRecord agent = AgentRecord::current("/run/x");
    agent.process.startTime += 1; // A later process with the same number isn't it.
    return agent;
}();

void write(const RunFolder& folder, const std::vector<EventBody>& bodies, std::int64_t wallNs = 1)
{
    auto writer = RunFileWriter::open(folder.runFile(), {.run = folder.id()});
    QVERIFY(writer.has_value());
    RunSnapshot snapshot;
    for (const EventBody& body : bodies) {
        Event event = samples::event(snapshot.lastSequence + 1, body);
        event.id.run = folder.id();
        event.at.wallNs = wallNs;
        (*writer)->append(event);
        snapshot.apply(event);
    }
    QVERIFY((*writer)->finish().has_value());
    QVERIFY(folder.writeSummary(snapshot).has_value());
}

std::vector<fs::path> entriesOf(const fs::path& folder)
{
    std::vector<fs::path> entries;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        entries.push_back(entry.path());
    return entries;
}

/// While it lives, this process can open only so many files more.
class FewDescriptors
{
public:
    explicit FewDescriptors(rlim_t count)
    {
        (void)::getrlimit(RLIMIT_NOFILE, &m_before);
        const int next = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
        ::close(next);
        rlimit few = m_before;
        few.rlim_cur = static_cast<rlim_t>(next) + count;
        (void)::setrlimit(RLIMIT_NOFILE, &few);
    }
    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;
    ~FewDescriptors() { (void)::setrlimit(RLIMIT_NOFILE, &m_before); }

private:
    rlimit m_before{};
};

} // namespace

class tst_run_folder : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_temporary = std::make_unique<QTemporaryDir>();
        m_runs = fs::path(m_temporary->path().toStdString()) / "runs";
    }

    void namesARunSafelyAndReadably()
    {
        qputenv("TZ", "UTC");
        tzset();
        const auto id = [](const char* name) {
            return makeRunId(name, 1'700'000'000'000'000'000, "abc123");
        };
        QCOMPARE(id("train"), std::string("20231114-221320-train-abc123"));
        QCOMPARE(id("../../etc/pass wd\n"),
                 std::string("20231114-221320-..-..-etc-pass-wd-abc123"));
        QCOMPARE(id(""), std::string("20231114-221320-run-abc123"));
        QCOMPARE(id("日本"), std::string("20231114-221320-run-abc123"));
        QVERIFY(RunFolder::isId(id(std::string(1000, 'x').c_str())));
    }

    void findsNothingOutsideTheFolderOfTheRuns()
    {
        QVERIFY(makeFolder(m_runs).has_value());
        for (const char* id : {"", ".", "..", "../runs", "/etc", "a/b", "none", ".hidden"})
            QVERIFY2(RunFolder::find(m_runs, id).error().code == code::RunNotFound, id);
    }

    void makesAWholeFolderOrNone()
    {
        const AgentRecord self = AgentRecord::current("/run/socket");
        const auto folder = RunFolder::create(m_runs, "demo", self, SystemClock().now());
        QVERIFY(folder.has_value());
        QVERIFY(folder->agent().value() == self);
        QVERIFY(lifeOf(self) == AgentLife::Alive);
        QVERIFY(fs::is_directory(folder->logs()));
        QCOMPARE(std::distance(fs::directory_iterator(m_runs), {}), 1);
        QVERIFY(RunFolder::find(m_runs, folder->id()).has_value());
    }

    /// Two leads that both start an agent on this machine.
    void aFolderThatTwoMakeAtOnceIsOneOfTheirs()
    {
        const fs::path halfMade = m_runs / ".RUN.1.new"; // by somebody else
        fs::create_directories(halfMade / "logs" / "of another");
        constexpr int Rounds = 20;
        for (int round = 0; round < Rounds; ++round) {
            const auto make = [&](const char* socket) {
                return RunFolder::createNamed(m_runs, "RUN." + std::to_string(round),
                                              AgentRecord::current(socket));
            };
            auto other = std::async(std::launch::async, make, "/other");
            const auto mine = make("/mine");
            const auto others = other.get();
            QVERIFY(mine.has_value() != others.has_value());
            const RunFolder& made = mine ? *mine : *others;
            QCOMPARE(made.agent()->socket, fs::path(mine ? "/mine" : "/other"));
            QVERIFY(fs::is_empty(made.logs()));
        }
        QCOMPARE(entriesOf(m_runs).size(), size_t(Rounds) + 1);
        QVERIFY(fs::exists(halfMade));
    }

    void tellsAnAgentFromALaterProcessAndFromAnotherMachine()
    {
        QVERIFY(lifeOf(Dead) == AgentLife::Gone);
        AgentRecord before = AgentRecord::current({});
        before.boot = "the boot before";
        QVERIFY(lifeOf(before) == AgentLife::Gone);
        AgentRecord other = AgentRecord::current({});
        other.host = "elsewhere";
        QVERIFY(lifeOf(other) == AgentLife::Elsewhere);
    }

    void listsRunsNewestFirst()
    {
        const RunFolder first = create(Dead);
        write(first, {RunStarted{.name = "one"}, RunStateChanged{.state = RunState::Succeeded}},
              10);
        const RunFolder second = create(AgentRecord::current({}));
        write(second,
              {RunStarted{.name = "two", .maxRestarts = 3},
               RunStateChanged{.state = RunState::Running}},
              20);
        QVERIFY(second.setPinned(true).has_value());

        const auto runs = RunCatalog(m_runs).list();
        QCOMPARE(runs.size(), size_t(2));
        QCOMPARE(runs[0].name, std::string("two"));
        QVERIFY(runs[0].isLive && runs[0].isPinned && runs[0].state == RunState::Running);
        QCOMPARE(runs[0].restartBudget, 3);
        QCOMPARE(runs[1].id, first.id());
        QVERIFY(!runs[1].isLive && runs[1].state == RunState::Succeeded);
        QVERIFY(runs[1].sizeBytes > 1000);
        QCOMPARE(runs[1].endedAt.wallNs, 10);
    }

    /// Who asks of its hosts needn't read the files of others.
    void saysWhetherARunIsOnHosts()
    {
        const RunFolder folder = create(AgentRecord::current({}));
        write(folder, {RunStarted{.name = "led"},
                       HostChanged{"1", "gpu1", HostChanged::State::Connected, {}},
                       RunStateChanged{.state = RunState::Running}});
        QVERIFY(folder.summary().isOnHosts);
        const auto snapshot = folder.openReader()->snapshot();
        QVERIFY(snapshot && folder.writeSummary(*snapshot));
        QVERIFY(folder.summary().isOnHosts);
        const RunFolder alone = create(AgentRecord::current({}));
        write(alone, {RunStarted{.name = "alone"}, RunStateChanged{.state = RunState::Running}});
        QVERIFY(alone.writeSummary(*alone.openReader()->snapshot()));
        QVERIFY(!alone.summary().isOnHosts);
    }

    void listsARunWhoseSummaryIsGone()
    {
        const RunFolder folder = create(Dead);
        write(folder, {RunStarted{.name = "one"}, RunStateChanged{.state = RunState::Failed}});
        fs::remove(folder.path() / "summary.json");
        QCOMPARE(RunCatalog(m_runs).list().at(0).name, std::string("one"));
        QVERIFY(writeFileAtomically(folder.path() / "summary.json", "{]").has_value());
        QVERIFY(RunCatalog(m_runs).list().at(0).state == RunState::Failed);
    }

    void closesARunWhoseAgentIsGoneOnce()
    {
        const RunFolder folder = create(Dead);
        write(folder, {RunStarted{.name = "one"}, RunStateChanged{.state = RunState::Running}});
        const RunCatalog catalog(m_runs);
        const auto run = catalog.list().at(0);
        QVERIFY(run.state == RunState::Lost);
        QVERIFY(run.reason.code == code::AgentGone);
        QCOMPARE(run.reason.parameters.at("pid"), std::to_string(::getpid()));
        QCOMPARE(catalog.closeIfLost(folder).value(), false);
        QCOMPARE(folder.openReader()->lastSequence().value(), std::uint64_t(3));
    }

    void leavesARunToTheOneWhoHasItsLock()
    {
        const RunFolder folder = create(Dead);
        write(folder, {RunStateChanged{.state = RunState::Running}});
        const auto writer = RunFileWriter::open(folder.runFile(), {.run = folder.id()});
        QCOMPARE(RunCatalog(m_runs).closeIfLost(folder).value(), false);
        QVERIFY(RunCatalog(m_runs).list().at(0).state == RunState::Running);
    }

    void listsARunThatCantBeReadAsLost()
    {
        const RunFolder folder = create(Dead);
        QVERIFY(writeFileAtomically(folder.runFile(), "nonsense").has_value());
        const auto run = RunCatalog(m_runs).list().at(0);
        QVERIFY(run.state == RunState::Lost);
        QVERIFY(run.reason.code == code::RunFileNotOne);
        QVERIFY(RunCatalog(m_runs).remove(folder.id()).has_value());
    }

    void removesOnlyWhatHasEnded()
    {
        const RunFolder live = create(AgentRecord::current({}));
        write(live, {RunStateChanged{.state = RunState::Running}});
        const RunFolder ended = create(Dead);
        write(ended, {RunStateChanged{.state = RunState::Succeeded}});
        const RunCatalog catalog(m_runs);
        QVERIFY(catalog.remove(live.id()).error().code == code::RunStillRunning);
        QVERIFY(catalog.remove(ended.id()).has_value());
        QVERIFY(catalog.remove(ended.id()).error().code == code::RunNotFound);
        QCOMPARE(catalog.list().size(), size_t(1));
    }

    void aHiddenRunIsGoneBeforeItsFilesAre()
    {
        const RunFolder ended = create(Dead);
        write(ended, {RunStateChanged{.state = RunState::Succeeded}});
        const RunCatalog catalog(m_runs);
        const auto hidden = catalog.hide(ended.id());
        QVERIFY(hidden.has_value());
        QVERIFY(catalog.list().empty());
        QVERIFY(catalog.find(ended.id()).error().code == code::RunNotFound);
        QVERIFY(fs::exists(*hidden / "run.ringrun"));
        // As when the process ends: the next one that prunes does the rest.
        std::stop_source stop;
        stop.request_stop();
        RunCatalog::discard(*hidden, stop.get_token());
        QVERIFY(fs::exists(*hidden / "run.ringrun"));
        fs::last_write_time(*hidden, fs::file_time_type::clock::now() - std::chrono::hours(1));
        (void)catalog.prune({});
        QVERIFY(entriesOf(m_runs).empty());
    }

    void whoeverEndsDoesNotWaitForARunThatIsWritten()
    {
        const RunFolder ended = create(Dead);
        write(ended, {RunStateChanged{.state = RunState::Succeeded}});
        const auto lock = RunLock::acquire(ended.path());
        QVERIFY(lock.has_value());
        const RunCatalog catalog(m_runs);
        std::stop_source stop;
        stop.request_stop();
        QElapsedTimer time;
        time.start();
        QVERIFY(catalog.hide(ended.id(), stop.get_token()).error().code == code::RunFileLocked);
        QVERIFY(time.elapsed() < RunCatalog::LockPatience.count());
        QCOMPARE(catalog.list().size(), size_t(1));
    }

    void whoeverEndsPrunesNoMore()
    {
        for (int i = 0; i < 3; ++i)
            write(create(Dead), {RunStarted{}, RunStateChanged{.state = RunState::Succeeded}},
                  100 + i);
        const RunCatalog catalog(m_runs);
        std::stop_source stop;
        const auto removed = catalog.prune(
            {.runs = 0}, [&](const RunSummary&) { stop.request_stop(); }, stop.get_token());
        QCOMPARE(removed.size(), size_t(1));
        QCOMPARE(catalog.list().size(), size_t(2));
    }

    /// As on NFS, where a file that somebody has open stays for now.
    void aRunOfWhichSomethingIsLeftIsRemovedAllTheSame()
    {
        const RunFolder ended = create(Dead);
        write(ended, {RunStateChanged{.state = RunState::Succeeded}});
        fs::path deep = ended.logs();
        for (int level = 0; level < 60; ++level)
            deep /= "x";
        fs::create_directories(deep);
        const RunCatalog catalog(m_runs);
        {
            // Each level takes a descriptor while what is in it is removed.
            const FewDescriptors few(30);
            QVERIFY(catalog.remove(ended.id()).has_value());
        }
        QVERIFY(catalog.list().empty());
        const std::vector<fs::path> left = entriesOf(m_runs);
        QCOMPARE(left.size(), size_t(1));
        fs::last_write_time(left.front(), fs::file_time_type::clock::now() - std::chrono::hours(1));
        (void)catalog.prune({});
        QVERIFY(entriesOf(m_runs).empty());
    }

    void removesWhatAKillLeftHalfRemoved()
    {
        const RunFolder ended = create(Dead);
        write(ended, {RunStateChanged{.state = RunState::Succeeded}});
        const fs::path left = m_runs / (".gone.removed");
        fs::create_directories(left / "logs");
        fs::last_write_time(left, fs::file_time_type::clock::now() - std::chrono::hours(1));
        const fs::path busy = m_runs / (".busy.removed");
        fs::create_directories(busy);
        (void)RunCatalog(m_runs).prune({});
        QVERIFY(!fs::exists(left));
        QVERIFY(fs::exists(busy)); // somebody is at it
        QCOMPARE(RunCatalog(m_runs).list().size(), size_t(1));
    }

    void recordsAnEndForWhichThereWasNoSpace()
    {
        const RunFolder folder = create(Dead);
        write(folder, {RunStarted{.name = "job"}, RunStateChanged{.state = RunState::Running}});
        RunSnapshot snapshot = folder.openReader()->snapshot().value();
        Event end = samples::event(snapshot.lastSequence + 1,
                                   RunStateChanged{.state = RunState::Succeeded});
        end.at.wallNs = 77;
        snapshot.apply(end);
        QVERIFY(folder.writeSummary(snapshot, {.events = 3, .logBytes = 12'000'000}).has_value());
        const RunCatalog catalog(m_runs);
        for (int look = 0; look < 2; ++look) {
            const auto runs = catalog.list();
            QCOMPARE(runs.size(), size_t(1));
            QCOMPARE(runs[0].state, RunState::Succeeded);
            QVERIFY(runs[0].unrecorded == Unrecorded{});
            const auto reader = folder.openReader();
            QCOMPARE(reader->snapshot()->state, RunState::Succeeded);
            QCOMPARE(reader->snapshot()->endedAt.wallNs, std::int64_t(77));
            QCOMPARE(reader->gaps()->size(), size_t(1));
            QCOMPARE(reader->gaps()->at(0).bytes, std::uint64_t(12'000'000));
        }
    }

    void keepsTheNewestTheLiveAndThePinned()
    {
        std::vector<RunFolder> folders;
        for (int i = 0; i < 6; ++i) {
            folders.push_back(create(i == 0 ? AgentRecord::current({}) : Dead));
            const auto state = i == 0 ? RunState::Running : RunState::Succeeded;
            write(folders.back(), {RunStarted{}, RunStateChanged{.state = state}}, 100 + i);
        }
        QVERIFY(folders[1].setPinned(true).has_value());
        const RunCatalog catalog(m_runs);
        QVERIFY(catalog.prune({}).empty());
        const std::vector<std::string> two{folders[2].id(), folders[3].id()};
        QVERIFY(catalog.prune({.runs = 4}) == two);
        const std::vector<std::string> rest{folders[4].id(), folders[5].id()};
        QVERIFY(catalog.prune({.bytes = 1}) == rest);
        QCOMPARE(catalog.list().size(), size_t(2));
    }

    void labelsAreKeptBesideTheRun()
    {
        const auto folder = RunFolder::create(m_runs, "train", Dead, {1, 1});
        write(*folder, {RunStarted{.name = "train"},
                        RunStateChanged{RunState::Succeeded, {code::None, {}, {}}, 0}});
        QVERIFY(folder->labels().isEmpty());
        QCOMPARE(folder->summary().shownName(), std::string("train"));
        QVERIFY(folder
                    ->setLabels({.name = " wide net ",
                                 .note = "diverged\nlater",
                                 .tags = {"lr", " lr", "", "wide"}})
                    .has_value());
        const RunSummary summary = folder->summary();
        QCOMPARE(summary.shownName(), std::string("wide net"));
        QCOMPARE(summary.name, std::string("train"));
        QCOMPARE(summary.labels.note, std::string("diverged\nlater"));
        QVERIFY((summary.labels.tags == std::vector<std::string>{"lr", "wide"}));
        // Nobody's run is lost because of what is written on it.
        QVERIFY(writeFileAtomically(folder->path() / "labels.json", "{ no json").has_value());
        QVERIFY(folder->summary().labels.isEmpty());
    }

    void saysWhatARunWasFor()
    {
        const auto purposeOf = [this](const std::string& name, const std::string& jobFile) {
            const auto folder = RunFolder::create(m_runs, "x", Dead, {1, 1});
            write(*folder, {RunStarted{.jobFile = jobFile, .name = name},
                            RunStateChanged{RunState::Succeeded, {code::None, {}, {}}, 0}});
            return folder->summary().purpose;
        };
        QVERIFY(purposeOf("train", "program = \"train.py\"\n") == RunPurpose::Job);
        QVERIFY(purposeOf("sweep all_reduce gloo", "program = \"x\"\n") == RunPurpose::Sweep);
        QVERIFY(purposeOf("calibration all_reduce gloo", "") == RunPurpose::Sweep);
        QVERIFY(purposeOf("ring", "program = '/home/x/state/lessons/ring/ring.py'\n") ==
                RunPurpose::Lesson);
    }

    void severalMayTidyUpAtOnce()
    {
        std::string newest;
        for (int i = 0; i < 40; ++i) {
            const RunFolder folder = create(Dead);
            newest = folder.id();
            write(folder, {RunStarted{}, RunStateChanged{.state = RunState::Succeeded}}, 100 + i);
        }
        const fs::path log = m_runs.parent_path() / "log";
        log::toFile(log, log::Level::Warning);
        {
            std::vector<std::jthread> others;
            for (int i = 0; i < 6; ++i)
                others.emplace_back(
                    [this] { (void)RunCatalog(m_runs).prune({.runs = 1, .bytes = 1ULL << 40U}); });
        }
        log::toStandardError(log::Level::Warning);
        const auto left = RunCatalog(m_runs).list();
        QCOMPARE(left.size(), size_t(1));
        QCOMPARE(left.front().id, newest);
        const std::string said = readFile(log).value_or("");
        QVERIFY2(said.empty(), said.c_str());
    }

    void importsAFileAsAFinishedRunOnce()
    {
        const RunFolder folder = create(Dead);
        write(folder, {RunStarted{.name = "sent"}, RunStateChanged{.state = RunState::Running}});
        const RunCatalog other(m_runs.parent_path() / "other");
        const auto id = other.import(folder.runFile());
        QVERIFY2(id.has_value(), id ? "" : describe(id.error()).c_str());
        QCOMPARE(*id, folder.id());
        QCOMPARE(other.import(folder.runFile()).value(), *id);
        const auto runs = other.list();
        QCOMPARE(runs.size(), size_t(1));
        QCOMPARE(runs[0].name, std::string("sent"));
        QVERIFY2(runs[0].state == RunState::Lost, "nobody runs it any more");
        QVERIFY(other.find(*id)->isImported());
        QVERIFY(other.import("/etc/hostname").error().code == code::RunFileNotOne);
    }

    /// A dashboard and a command.
    void aFileThatTwoImportAtOnceIsOneRun()
    {
        const RunFolder folder = create(Dead);
        write(folder, {RunStarted{.name = "sent"}, RunStateChanged{.state = RunState::Running}});
        for (int round = 0; round < 10; ++round) {
            const fs::path runs = m_runs.parent_path() / std::to_string(round);
            const RunCatalog catalog(runs);
            const auto take = [&] { return catalog.import(folder.runFile()); };
            auto other = std::async(std::launch::async, take);
            for (const auto& id : {take(), other.get()}) {
                QVERIFY2(id.has_value(), id ? "" : describe(id.error()).c_str());
                QCOMPARE(*id, folder.id());
            }
            QCOMPARE(entriesOf(runs).size(), size_t(1));
            QVERIFY(catalog.list().at(0).state == RunState::Lost);
        }
    }

private:
    RunFolder create(const AgentRecord& agent) const
    {
        return RunFolder::create(m_runs, "demo", agent, SystemClock().now()).value();
    }

    std::unique_ptr<QTemporaryDir> m_temporary;
    fs::path m_runs;
};

QTEST_GUILESS_MAIN(tst_run_folder)
#include "tst_run_folder.moc"
