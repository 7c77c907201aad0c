#include "OutputFixture.h"
#include "engine/base/Codes.h"
#include "engine/base/Console.h"
#include "engine/base/PseudoTerminal.h"
#include "engine/worker/Subreaper.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>
#include <map>

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <termios.h>

using namespace ringmaster;
using namespace ringmaster::test;

class tst_output_hub : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QVERIFY(becomeSubreaper().has_value()); }

    void capturesAndCopiesEveryByte()
    {
        OutputBench bench;
        QVERIFY(bench.run({{"both", "a\\xff\\x00\\rb\\n\\nend", "problem"}}));
        const std::string expected("a\xff\0\rb\n\nend", 10);
        QCOMPARE(bench.console(), expected);
        QCOMPARE(bench.errors(), std::string("problem"));
        QCOMPARE(bench.captured("attempt_0/0/stdout.log"), expected);
        QCOMPARE(bench.captured("attempt_0/0/stderr.log"), std::string("problem"));
        QCOMPARE(bench.sink.text(0), expected);
        QCOMPARE(bench.sink.text(0, OutputStream::Stderr), std::string("problem"));
        QVERIFY(bench.sink.inOrder() && bench.sink.allKept());
        QCOMPARE(bench.exitReport[0].stderrTail, std::string("problem"));
    }

    void redirectsIntoTheUsersFolderAndFollowsTheFile()
    {
        OutputBench bench;
        bench.settings.logs.folder = bench.path("user").string();
        bench.settings.logs.redirects.all = 1;
        bench.settings.rendezvousId = "job/7";
        QVERIFY(bench.run({{"both", "to the file\\n", "to the console\\n"}}));
        QCOMPARE(bench.console(), std::string());
        QCOMPARE(bench.errors(), std::string("to the console\n"));
        QCOMPARE(bench.log(bench.path("user"), "attempt_0/0/stdout.log"),
                 std::string("to the file\n"));
        // What wasn't redirected isn't in the user's folder.
        QVERIFY(!std::filesystem::exists(bench.hub->logFolder() / "attempt_0/0/stderr.log"));
        QCOMPARE(bench.captured("attempt_0/0/stderr.log"), std::string("to the console\n"));
        QCOMPARE(bench.sink.text(0), std::string("to the file\n"));
        QVERIFY(bench.hub->logFolder().filename().string().starts_with("job_7_"));
        QCOMPARE(bench.output.workers[0].errorFile,
                 (bench.hub->logFolder() / "attempt_0/0/error.json").string());
        QCOMPARE(bench.output.folder, bench.hub->logFolder() / "attempt_0");
    }

    void teesWithAPrefixAndUniversalNewlines()
    {
        OutputBench bench;
        bench.settings.logs.tee.all = 3;
        QVERIFY(bench.run({{"both", "one\\ntwo\\rthree\\r\\nend", "error\\n"}}));
        QCOMPARE(bench.console(), std::string("[default0]:one\n[default0]:two\n"
                                              "[default0]:three\n[default0]:end"));
        QCOMPARE(bench.errors(), std::string("[default0]:error\n"));
        QCOMPARE(bench.captured("attempt_0/0/stdout.log"), std::string("one\ntwo\rthree\r\nend"));
        QCOMPARE(bench.sink.text(0), std::string("one\ntwo\rthree\r\nend"));
    }

    void keepsUnfinishedLinesOfTwoRanksApart()
    {
        OutputBench bench;
        bench.settings.logs.tee.all = 1;
        QVERIFY(bench.run({{"out", "first"}, {"out", "second"}}));
        const std::string text = bench.console();
        QVERIFY2(text == "[default0]:first\n[default1]:second" ||
                     text == "[default1]:second\n[default0]:first",
                 text.c_str());
    }

    void usesTheUsersPrefix()
    {
        OutputBench bench;
        bench.settings.logs.tee.all = 1;
        bench.settings.linePrefixTemplate = "${role_name}/${rank}/$local_rank ";
        QVERIFY(bench.run({{"out", "x\\n"}}));
        QCOMPARE(bench.console(), std::string("default/10/0 x\n"));
    }

    void showsTheRanksThatTheFilterNames()
    {
        OutputBench bench;
        bench.settings.logs.localRanksFilter = {1};
        bench.settings.logs.tee.byLocalRank = {{2, 1}};
        QVERIFY(bench.run({{"out", "hidden\n"}, {"out", "shown\n"}, {"out", "hidden too\n"}}));
        QCOMPARE(bench.console(), std::string("shown\n"));
        QCOMPARE(bench.captured("attempt_0/0/stdout.log"), std::string("hidden\n"));
        QCOMPARE(bench.captured("attempt_0/2/stdout.log"), std::string("hidden too\n"));
    }

    void copiesTeedLinesThatMatchAFilter()
    {
        OutputBench bench;
        bench.settings.logs.tee.all = 1;
        bench.settings.logs.duplicateStdoutFilters = {"loss", "accuracy"};
        QVERIFY(bench.run({{"out", "loss 1\\nnoise\\naccuracy 2\\nloss unfinished"}}));
        QCOMPARE(bench.captured("attempt_0/filtered_stdout.log"),
                 std::string("[default0]:loss 1\n[default0]:accuracy 2\n"
                             "[default0]:loss unfinished"));
        QVERIFY(!std::filesystem::exists(bench.output.folder / "filtered_stderr.log"));
    }

    void keepsNothingIfToldSo()
    {
        OutputBench bench;
        bench.settings.logs.folder = "/dev/null";
        bench.settings.logs.tee.all = 3;
        bench.settings.logs.localRanksFilter = {5};
        QVERIFY(bench.run({{"out", "as it is\n"}}));
        QCOMPARE(bench.console(), std::string("as it is\n"));
        QVERIFY(!std::filesystem::exists(bench.path("run")));
        QVERIFY(bench.hub->logFolder().empty() && bench.output.folder.empty());
        QCOMPARE(bench.output.workers[0].errorFile, std::string());
        QCOMPARE(bench.sink.text(0), std::string("as it is\n"));
        QCOMPARE(bench.sink.files(), std::set<std::filesystem::path>{{}});
        QVERIFY(bench.sink.losses().empty());
    }

    void neverDeletesAnAttemptsLogs()
    {
        OutputBench bench;
        QVERIFY(bench.run({{"out", "one"}}));
        QVERIFY(bench.run({{"out", "two"}}));
        QCOMPARE(bench.captured("attempt_0/0/stdout.log"), std::string("one"));
        QCOMPARE(bench.captured("attempt_0_1/0/stdout.log"), std::string("two"));
        QCOMPARE(bench.output.folder.filename().string(), std::string("attempt_0_1"));
        QVERIFY(bench.open(1, 2, 1));
        QCOMPARE(bench.output.folder.filename().string(), std::string("attempt_1"));
    }

    void aUmaskOfNothingLetsNobodyElseWrite()
    {
        const mode_t before = ::umask(0);
        const auto restore = qScopeGuard([before] { ::umask(before); });
        OutputBench bench;
        bench.settings.logs.folder = bench.path("user").string();
        bench.settings.logs.tee.all = 1;
        bench.settings.logs.duplicateStdoutFilters = {"loss"};
        QVERIFY(bench.run({{"both", "loss 1\\n", "problem"}}));
        std::map<std::string, int> files;
        for (const auto& root : {bench.path("user"), bench.path("run")}) {
            for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
                const auto mode = static_cast<int>(entry.status().permissions());
                if (entry.is_regular_file())
                    files[entry.path().filename().string()] = mode;
                else
                    QVERIFY2((mode & 0022) == 0, entry.path().c_str());
            }
        }
        const std::map<std::string, int> wanted{
            {"filtered_stdout.log", 0644}, {"stderr.log", 0644}, {"stdout.log", 0644}};
        QVERIFY(files == wanted);
    }

    void refusesALogFolderThatIsAFile()
    {
        OutputBench bench;
        bench.settings.logs.folder = bench.path("console").string();
        QVERIFY(!bench.open(1));
        QCOMPARE(bench.error->code, code::FolderNotWritable);
    }

    void givesAPipeWhereTheAgentHasNoTerminal()
    {
        OutputBench bench;
        QVERIFY(bench.run({{"report"}}));
        QVERIFY(bench.output.workers[0].pipesOutput);
        const auto report =
            QJsonDocument::fromJson(QByteArray::fromStdString(bench.sink.text(0))).object();
        QCOMPARE(report["terminals"].toArray(), (QJsonArray{0, 0, 0}));
        QCOMPARE(report["descriptors"].toArray(), (QJsonArray{0, 1, 2}));
    }

    void givesATerminalWhereTheAgentHasOne()
    {
        auto terminal = openPseudoTerminal();
        QVERIFY(terminal.has_value());
        winsize size{.ws_row = 40, .ws_col = 123, .ws_xpixel = 0, .ws_ypixel = 0};
        QCOMPARE(::ioctl(terminal->master.get(), TIOCSWINSZ, &size), 0);
        ReadConsole console(std::move(terminal->master));
        {
            OutputBench bench;
            bench.consoleOutput = terminal->slave.get();
            QVERIFY(bench.run({{"report"}}));
            QVERIFY(!bench.output.workers[0].pipesOutput);
            const auto report =
                QJsonDocument::fromJson(QByteArray::fromStdString(bench.sink.text(0))).object();
            QCOMPARE(report["terminals"].toArray(), (QJsonArray{0, 1, 0}));
            QCOMPARE(report["columns"].toInt(), 123);
            // Line ends are the real terminal's matter: nothing is doubled on the way.
            QVERIFY(bench.sink.text(0).find('\r') == std::string::npos);
            QTRY_COMPARE(console.text(), bench.sink.text(0));
        }
        terminal->slave.close();
    }

    void passesTheSizeOfTheTerminalOn()
    {
        auto terminal = openPseudoTerminal();
        QVERIFY(terminal.has_value());
        OutputBench bench;
        bench.consoleOutput = terminal->slave.get();
        QVERIFY(bench.open(1));
        const int slave = ::dup(bench.output.workers[0].standardOutput.get());
        winsize size{.ws_row = 10, .ws_col = 77, .ws_xpixel = 0, .ws_ypixel = 0};
        QCOMPARE(::ioctl(terminal->master.get(), TIOCSWINSZ, &size), 0);
        ::kill(::getpid(), SIGWINCH);
        const auto columns = [&] {
            winsize now{};
            ::ioctl(slave, TIOCGWINSZ, &now);
            return static_cast<int>(now.ws_col);
        };
        QTRY_COMPARE(columns(), 77);
        ::close(slave);
    }

    void losesNothingOfAWorkerThatEndsAtOnce_data()
    {
        QTest::addColumn<bool>("onTerminal");
        QTest::newRow("pipe") << false;
        QTest::newRow("terminal") << true;
    }

    void losesNothingOfAWorkerThatEndsAtOnce()
    {
        QFETCH(bool, onTerminal);
        auto terminal = openPseudoTerminal();
        QVERIFY(terminal.has_value());
        ReadConsole console(std::move(terminal->master));
        {
            OutputBench bench;
            if (onTerminal)
                bench.consoleOutput = terminal->slave.get();
            for (int i = 0; i < 30; ++i) {
                const std::string before = bench.sink.text(0);
                QVERIFY(bench.run({{"out", "last words"}}));
                QCOMPARE(bench.sink.text(0), before + "last words");
            }
        }
        terminal->slave.close();
    }

    void doesNotWaitForAChildThatKeepsThePipe()
    {
        OutputBench bench;
        QVERIFY(bench.open(1));
        QVERIFY(bench.start({{"children", "3"}}));
        QVERIFY(runUntil(bench.loop, [&] { return bench.host.exits.size() == 1; }));
        QVERIFY(bench.collect(1));
        QVERIFY(bench.close() && bench.finish());
    }

    void collectsFromATerminalThatIsClosedMeanwhile()
    {
        auto terminal = openPseudoTerminal();
        QVERIFY(terminal.has_value());
        OutputBench bench;
        bench.consoleOutput = terminal->slave.get();
        QVERIFY(bench.open(1));
        bench.output.workers[0].standardError.close();
        // As what the worker has left behind holds it.
        FileDescriptor& held = bench.output.workers[0].standardOutput;
        QVERIFY(writeAll(held.get(), "last words").has_value());
        bench.hub->collect(0, [&](const WorkerExitReport& one) { bench.exitReport[0] = one; });
        bool isClosed = false;
        // There is no such worker: it is answered as soon as the other one is being read.
        bench.hub->collect(1, [&](const WorkerExitReport&) {
            held.close();
            bench.hub->closeAttempt([&] { isClosed = true; });
        });
        QVERIFY(runUntil(bench.loop, [&] { return isClosed && bench.exitReport.contains(0); }));
        QCOMPARE(bench.exitReport[0].stdoutTail, std::string("last words"));
        QVERIFY(bench.finish());
    }

    void goesOnWhileTheConsoleIsStalled()
    {
        auto pipe = makePipe();
        QVERIFY(pipe.has_value());
        constexpr std::size_t Size = 6U << 20U;
        OutputBench bench;
        bench.consoleOutput = pipe->writeEnd.get();
        bench.settings.logs.tee.byLocalRank = {{0, 1}};
        bench.settings.logs.localRanksFilter = {0};
        QVERIFY(bench.open(2));
        QVERIFY(bench.start({{"flood", std::to_string(Size)}, {"flood", std::to_string(Size)}}));
        // Nobody reads the console, and still the workers end and their logs are complete.
        QVERIFY(runUntil(bench.loop, [&] { return bench.host.exits.size() == 2; }));
        QVERIFY(bench.collect(2) && bench.close());
        QCOMPARE(bench.sink.text(0).size(), Size);
        QCOMPARE(bench.sink.text(1).size(), Size);
        {
            ReadConsole console(std::move(pipe->readEnd));
            QVERIFY(bench.finish());
            pipe->writeEnd.close();
            bench.closeConsoles();
            QTRY_COMPARE(console.text().size(), Size + std::string("[default0]:").size());
        }
    }

    void endsThoughNobodyReadsTheConsole()
    {
        auto pipe = makePipe();
        QVERIFY(pipe.has_value());
        constexpr std::size_t Size = 20U << 20U;
        OutputBench bench;
        bench.consoleOutput = pipe->writeEnd.get();
        bench.settings.logs.tee.all = 1;
        QVERIFY(bench.run({{"flood", std::to_string(Size)}}));
        QCOMPARE(bench.sink.text(0).size(), Size);
        QVERIFY(!bench.isConsoleWritten());
        // What could not wait is named to whoever reads after all.
        ReadConsole console(std::move(pipe->readEnd));
        pipe->writeEnd.close();
        bench.closeConsoles();
        QTRY_VERIFY(console.text().find("KiB were left out here") != std::string::npos);
    }

    void holdsBackAWorkerWhoseConsoleIsStalled()
    {
        auto pipe = makePipe();
        constexpr std::size_t Size = 4U << 20U;
        OutputBench bench;
        bench.consoleOutput = pipe->writeEnd.get();
        QVERIFY(bench.open(1));
        QVERIFY(bench.start({{"flood", std::to_string(Size)}}));
        QVERIFY(
            runUntil(bench.loop, [&] { return bench.sink.text(0).size() >= Console::HighWater; }));
        {
            ReadConsole console(std::move(pipe->readEnd));
            QVERIFY(runUntil(bench.loop, [&] { return bench.host.exits.size() == 1; }));
            QVERIFY(bench.collect(1) && bench.close() && bench.finish());
            QTRY_COMPARE(console.text().size(), Size);
            pipe->writeEnd.close();
            bench.closeConsoles();
        }
        QCOMPARE(bench.sink.text(0).size(), Size);
    }

    void goesOnWhenTheConsolesReaderHasGone()
    {
        auto pipe = makePipe();
        pipe->readEnd.close();
        OutputBench bench;
        bench.consoleOutput = pipe->writeEnd.get();
        QVERIFY(bench.run({{"flood", "3000000"}}));
        QCOMPARE(bench.sink.text(0).size(), size_t{3'000'000});
        QVERIFY(bench.host.exits[0].succeeded());
    }

    void hasABoundOnMemory()
    {
        const auto usage = [] { return usageOf(::getpid())->residentBytes; };
        struct CountingSink : OutputHub::Sink
        {
            void outputRead(const OutputChunk& chunk) override { bytes += chunk.bytes.size(); }
            void outputLost(const OutputLoss&) override {}
            std::atomic<std::size_t> bytes = 0;
        } counter;
        constexpr std::size_t Size = 100U << 20U;
        OutputBench bench;
        bench.settings.logs.tee.all = 1;
        bench.openConsoles();
        auto hub = OutputHub::create(bench.loop, counter, bench.settings);
        QVERIFY(hub.has_value());
        bench.hub = std::move(*hub);
        const auto before = usage();
        QVERIFY(bench.run({{"flood", std::to_string(Size)}}));
        QCOMPARE(counter.bytes.load(), Size);
        if (!IsSanitized)
            QVERIFY(usage() - before < (32 << 20));
        QVERIFY(bench.consoles[0]->waitUntilWritten(Console::Patience::Endless));
        QCOMPARE(std::filesystem::file_size(bench.path("console")),
                 Size + std::string("[default0]:").size());
    }

    void readsWhatADeadWorkerLeft()
    {
        OutputBench bench;
        bench.settings.logs.redirects.all = 2;
        QVERIFY(bench.open(2));
        std::ofstream(bench.output.workers[1].errorFile)
            << R"({"message": {"message": "ValueError: boom", "extraInfo": {"timestamp": "7"}}})";
        QVERIFY(
            bench.start({{"both", "x",
                          "Traceback (most recent call last):\\n  File \"a.py\", line 3, in f\\n"
                          "KeyError: 'k'\\n"},
                         {"exit", "1"}}));
        QVERIFY(runUntil(bench.loop, [&] { return bench.host.exits.size() == 2; }));
        QVERIFY(bench.collect(2));
        QVERIFY(!bench.exitReport[0].error.has_value());
        QCOMPARE(bench.exitReport[0].traceback->type, std::string("KeyError"));
        QCOMPARE(bench.exitReport[0].traceback->line, 3);
        QCOMPARE(bench.exitReport[1].error->type, std::string("ValueError"));
        QCOMPARE(*bench.exitReport[1].error->timestamp, std::int64_t{7});
    }
};

QTEST_GUILESS_MAIN(tst_output_hub)
#include "tst_output_hub.moc"
