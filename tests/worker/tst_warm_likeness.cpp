#include "WarmFixture.h"
#include "engine/worker/Codes.h"
#include "engine/worker/Subreaper.h"

#include <QRegularExpression>
#include <QtTest>

#include <array>

#include <fcntl.h>
#include <pty.h>
#include <unistd.h>

using namespace ringmaster;
using namespace ringmaster::test;

namespace {

constexpr const char* Programs = RINGMASTER_SOURCE_DIR "/tests/worker/programs";

struct Outcome
{
    int code = -1;
    int signal = 0;
    QStringList output;
    QStringList error;
};

FileDescriptor opened(const std::filesystem::path& path)
{
    return FileDescriptor(
        ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_APPEND, 0600));
}

/// Without what differs from one process to the next in a cold start, too.
QStringList linesOf(const std::filesystem::path& path)
{
    QString text = QString::fromStdString(readFile(path).value_or(""));
    static const QRegularExpression address("0x[0-9a-f]+");
    return text.replace(address, "0x").split('\n');
}

} // namespace

/// The same programs, started cold and forked from a starter that has imported torch: whatever they
/// can see of their process is the same.
class tst_warm_likeness : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (torchInterpreter().isEmpty())
            QSKIP("there is no interpreter with torch to start");
        QVERIFY(becomeSubreaper().has_value());
        std::filesystem::copy(Programs, m_place.folder() / "work",
                              std::filesystem::copy_options::recursive);
        std::filesystem::copy_file(std::filesystem::path(Programs) / "observe.py",
                                   m_place.folder() / "work/package/observe.py");
        std::filesystem::create_symlink("package/observe.py", m_place.folder() / "work/link.py");
    }

    void behavesAsInAColdStart_data()
    {
        QTest::addColumn<QStringList>("command");
        QTest::addColumn<QStringList>("environment");
        const auto row = [](const char* name, const QStringList& command,
                            const QStringList& environment = {}) {
            QTest::newRow(name) << command << environment;
        };
        row("what a script sees", {"observe.py", "a", "--b=c", "", "ä"});
        row("what a script elsewhere sees", {"../work/package/observe.py"});
        row("what a script with an absolute path sees", {"@/observe.py"});
        row("what a linked script sees", {"link.py"});
        row("what a module sees", {"-m", "observe", "-m", "-c"});
        row("what a module in a package sees", {"-m", "package.observe", "x"});
        row("what a script sees with variables of Python", {"observe.py"},
            {"PYTHONUNBUFFERED=1", "PYTHONDONTWRITEBYTECODE=1", "PYTHONFAULTHANDLER=1",
             "PYTHONIOENCODING=latin-1:replace", "PYTHONWARNINGS=error::BytesWarning",
             "PYTHONHASHSEED=7", "PYTHONPATH=/nowhere:relative", "OMP_NUM_THREADS=1"});
        row("safe path", {"observe.py"}, {"PYTHONSAFEPATH=1"});
        row("optimised", {"observe.py"}, {"PYTHONOPTIMIZE=1", "LANG=C", "LC_ALL=C"});
        row("what a script with torch sees", {"observe.py"}, {"SEES_TORCH=1", "OMP_NUM_THREADS=1"});
        row("what a module with torch sees", {"-m", "observe"},
            {"SEES_TORCH=1", "OMP_NUM_THREADS=1", "PYTHONHASHSEED=7"});
        row("a module that isn't there", {"-m", "no_such_module"});
        row("a package without a main", {"-m", "package"});
        row("a program that isn't Python", {"syntax_error.py"});
        row("a program in another encoding", {"latin.py"});
        for (const char* way : {"end",
                                "exit 3",
                                "exit text",
                                "exit none",
                                "raise",
                                "raise from",
                                "interrupt",
                                "terminate",
                                "_exit",
                                "abort",
                                "crash",
                                "crash told",
                                "thread",
                                "thread raises",
                                "stack",
                                "hook",
                                "exec",
                                "exec in child",
                                "fork",
                                "daemonise",
                                "close everything",
                                "use too much memory",
                                "warn",
                                "read the terminal"})
            row(way, {"ending.py", way});
        if (::getuid() == 0)
            row("change user", {"ending.py", "change user"});
        for (const char* way : {"fork", "spawn", "forkserver"})
            row(qPrintable(QString("multiprocessing by ") + way), {"processes.py", way});
    }

    void behavesAsInAColdStart()
    {
        QFETCH(QStringList, command);
        QFETCH(QStringList, environment);
        compare(command, environment);
    }

    void writesAsInAColdStart_data()
    {
        QTest::addColumn<bool>("isTerminal");
        QTest::newRow("to a pipe") << false;
        QTest::newRow("to a terminal") << true;
    }

    void writesAsInAColdStart()
    {
        QFETCH(bool, isTerminal);
        QByteArray cold;
        QByteArray warm;
        write(isTerminal, false, cold);
        write(isTerminal, true, warm);
        QVERIFY(!cold.isEmpty());
        QCOMPARE(warm, cold);
        QCOMPARE(cold.contains("True True"), isTerminal);
    }

    void behavesWithTorchAsInAColdStart_data()
    {
        QTest::addColumn<QStringList>("environment");
        QTest::newRow("one thread") << QStringList{"OMP_NUM_THREADS=1"};
        QTest::newRow("threads as there are processors") << QStringList{};
    }

    void behavesWithTorchAsInAColdStart()
    {
        QFETCH(QStringList, environment);
        compare({"with_torch.py"}, environment);
    }

    void chanceIsEachWorkersOwn()
    {
        WarmRequest request = requestFor({"chance.py"}, {});
        WarmBench bench(request);
        std::vector<WorkerLaunch> launches;
        for (int rank = 0; rank < 2; ++rank)
            launches.push_back(
                launchFor(request, {"chance.py"}, rank, "rank" + std::to_string(rank)));
        QVERIFY(bench.keeper.start(std::move(launches), &request).has_value());
        QVERIFY(bench.untilExit(0) && bench.untilExit(1));
        QVERIFY(isWarm(bench));
        const QStringList one = linesOf(file("rank0", "out"));
        const QStringList other = linesOf(file("rank1", "out"));
        QCOMPARE(one.size(), 9);
        for (int line = 0; line < 7; ++line)
            QVERIFY2(one[line] != other[line], qPrintable(one[line]));
        // torch's generator begins with the same seed in each process.
        QCOMPARE(one[7], other[7]);
        QVERIFY(bench.endAll());
    }

private:
    void compare(const QStringList& command, const QStringList& environment)
    {
        Outcome cold;
        Outcome warm;
        run(command, environment, false, cold);
        if (QTest::currentTestFailed())
            return;
        run(command, environment, true, warm);
        if (QTest::currentTestFailed())
            return;
        QCOMPARE(warm.output, cold.output);
        QCOMPARE(warm.error, cold.error);
        QCOMPARE(warm.code, cold.code);
        QCOMPARE(warm.signal, cold.signal);
    }

    void run(const QStringList& command, const QStringList& environment, bool isToBeWarm,
             Outcome& outcome)
    {
        WarmRequest request = requestFor(command, environment);
        WarmBench bench(request);
        std::vector<WorkerLaunch> launches;
        launches.push_back(launchFor(request, command, 0, "one"));
        QVERIFY(
            bench.keeper.start(std::move(launches), isToBeWarm ? &request : nullptr).has_value());
        QVERIFY(bench.untilExit(0));
        QCOMPARE(bench.host.explanations.empty(), !isToBeWarm);
        if (isToBeWarm)
            QVERIFY2(isWarm(bench), describe(bench.host.explanations.front()).c_str());
        outcome.code = bench.host.exits[0].code;
        outcome.signal = bench.host.exits[0].signal;
        QVERIFY(bench.endAll());
        outcome.output = linesOf(file("one", "out"));
        outcome.error = linesOf(file("one", "err"));
    }

    /// What comes at the other end of standard output and error.
    void write(bool isTerminal, bool isToBeWarm, QByteArray& said)
    {
        std::array<int, 2> ends{-1, -1}; // To read from, to write to.
        if (isTerminal)
            QCOMPARE(::openpty(&ends[0], &ends[1], nullptr, nullptr, nullptr), 0);
        else
            QCOMPARE(::pipe2(ends.data(), O_CLOEXEC), 0);
        const FileDescriptor reading(ends[0]);
        FileDescriptor writing(ends[1]);
        WarmRequest request = requestFor({"streams.py"}, {});
        WarmBench bench(request);
        std::vector<WorkerLaunch> launches;
        launches.push_back(launchFor(request, {"streams.py"}, 0, "one"));
        launches.front().standardOutput = FileDescriptor(::dup(writing.get()));
        launches.front().standardError = std::move(writing);
        QVERIFY(
            bench.keeper.start(std::move(launches), isToBeWarm ? &request : nullptr).has_value());
        QVERIFY(bench.untilExit(0));
        QCOMPARE(isWarm(bench), isToBeWarm);
        QByteArray some(4096, '\0');
        for (ssize_t got = 1; got > 0;) {
            got = ::read(reading.get(), some.data(), static_cast<size_t>(some.size()));
            said += some.left(std::max<ssize_t>(got, 0));
        }
        QVERIFY(bench.endAll());
    }

    static bool isWarm(const WarmBench& bench)
    {
        return bench.how() == code::WarmStart || bench.how() == code::WarmStartFirst;
    }

    std::filesystem::path file(const std::string& name, const std::string& stream) const
    {
        return m_place.folder() / (name + "." + stream);
    }

    WarmRequest requestFor(const QStringList& command, const QStringList& environment) const
    {
        const bool isModule = command.first() == "-m";
        WarmRequest request = m_place.request(wordOf(command[isModule ? 1 : 0]));
        // What the program doesn't import itself can be seen: torch changes the environment.
        const bool isWithTorch = command.first() == "with_torch.py" ||
                                 command.first() == "chance.py" ||
                                 environment.contains("SEES_TORCH=1");
        request.settings.preload = {"decimal", "multiprocessing"};
        if (isWithTorch)
            request.settings.preload = {"torch", "torch.distributed", "torch._dynamo",
                                        "numpy.random"};
        request.programs.front().isModule = isModule;
        request.programs.front().folder = m_place.folder() / "work";
        request.title = "warm-test";
        for (const QString& line : environment)
            request.environment.push_back(line.toStdString());
        return request;
    }

    WorkerLaunch launchFor(const WarmRequest& request, const QStringList& command, int rank,
                           const std::string& name) const
    {
        WorkerLaunch launch = m_place.launch(request, rank);
        launch.arguments = {request.interpreter, "-u"};
        for (const QString& word : command)
            launch.arguments.push_back(wordOf(word));
        launch.workingFolder = m_place.folder() / "work";
        launch.standardOutput = opened(file(name, "out"));
        launch.standardError = opened(file(name, "err"));
        return launch;
    }

    std::string wordOf(QString word) const
    {
        return word.replace("@", QString::fromStdString(m_place.folder() / "work")).toStdString();
    }

    const WarmPlace m_place;
};

QTEST_GUILESS_MAIN(tst_warm_likeness)
#include "tst_warm_likeness.moc"
