#include "engine/cli/RunReporter.h"

#include <QtTest>

#include <array>
#include <chrono>
#include <csignal>

#include <unistd.h>

using namespace ringmaster;

/// What a person reads of one event.
class tst_run_reporter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("NO_COLOR", "1"); }

    void saysWhichWorkersAreHere_data()
    {
        QTest::addColumn<int>("here");
        QTest::addColumn<int>("all");
        QTest::addColumn<bool>("isLed");
        QTest::addColumn<QString>("text");
        QTest::newRow("all") << 4 << 4 << false << "attempt 0: 4 workers";
        QTest::newRow("a part") << 2 << 4 << false << "attempt 0: 2 workers here, 4 in all";
        QTest::newRow("one") << 1 << 2 << false << "attempt 0: 1 worker here, 2 in all";
        QTest::newRow("of a lead") << 2 << 4 << true << "attempt 0: 4 workers";
    }

    void saysWhichWorkersAreHere()
    {
        QFETCH(const int, here);
        QFETCH(const int, all);
        QFETCH(const bool, isLed);
        QFETCH(const QString, text);
        std::vector<WorkerAssignment> workers(static_cast<size_t>(here));
        for (int rank = 0; rank < here; ++rank)
            workers[static_cast<size_t>(rank)] = {.localRank = rank, .globalRank = rank};
        QCOMPARE(told(AttemptStarted{.worldSize = all, .workers = workers}, isLed), text);
    }

    void saysWhatARestartCosts_data()
    {
        QTest::addColumn<int>("left");
        QTest::addColumn<QString>("text");
        QTest::newRow("one of three") << 2 << "restarting, 2 restarts left: ";
        QTest::newRow("the last") << 1 << "restarting, 1 restart left: ";
        QTest::newRow("nothing") << 3 << "restarting, which isn't charged: ";
    }

    void saysWhatARestartCosts()
    {
        QFETCH(const int, left);
        QFETCH(const QString, text);
        const Message cause{codeOf("UserRestarted"), {}, {}};
        const QString line =
            told(GroupRestarting{.cause = cause, .budgetBefore = 3, .budgetAfter = left});
        QVERIFY2(line.startsWith(text), qPrintable(line));
        QVERIFY2(line.endsWith(QString::fromStdString(describe(cause))), qPrintable(line));
    }

    void saysHowLongTheWorkersHave_data()
    {
        QTest::addColumn<double>("askedSeconds"); // ago; below zero: not yet
        QTest::addColumn<QString>("text");
        QTest::newRow("all of it") << -1.0 << "they have 30 s to end";
        QTest::newRow("what is left of it") << 17.5 << "they have 13 s to end";
        QTest::newRow("nobody was left to be killed") << 31.0 << "they have 30 s to end";
    }

    void saysHowLongTheWorkersHave()
    {
        QFETCH(const double, askedSeconds);
        QFETCH(const QString, text);
        struct : Clock
        {
            Moment now() const override { return {0, 1'000'000'000'000}; }
        } clock;
        auto pipe = makePipe();
        QVERIFY(pipe.has_value());
        Console console(pipe->writeEnd.get());
        RunReporter reporter(
            {.consoles = {.error = &console}, .grace = std::chrono::seconds(30), .clock = &clock});
        if (askedSeconds >= 0) {
            Event asked{.id = {.run = "run", .agent = "agent", .sequence = 1},
                        .at = clock.now(),
                        .body = Notice{.message = {codeOf("WorkersAskedToEnd"), {}, {}}}};
            asked.at.wallNs -= static_cast<std::int64_t>(askedSeconds * 1e9);
            reporter.happened(asked);
        }
        reporter.signalled(SIGTERM);
        const QString first = written(console, pipe->readEnd.get());
        QVERIFY2(first.contains(text), qPrintable(first));
        QVERIFY2(first.contains("a second signal kills them now"), qPrintable(first));
        reporter.signalled(SIGTERM);
        const QString second = written(console, pipe->readEnd.get());
        QVERIFY2(second.contains("killing the workers"), qPrintable(second));
    }

private:
    static QString written(Console& console, int readEnd)
    {
        if (!console.waitUntilWritten(Console::Patience::UntilStalled))
            return "not written";
        std::array<char, 4096> text{};
        const ssize_t size = ::read(readEnd, text.data(), text.size());
        return QString::fromUtf8(text.data(), static_cast<int>(size)).trimmed();
    }

    /// Its line, without the program's name before it.
    static QString told(EventBody body, bool isLed = false)
    {
        auto pipe = makePipe();
        if (!pipe)
            return "no pipe";
        Console console(pipe->writeEnd.get());
        RunReporter reporter({.isLed = isLed, .consoles = {.error = &console}});
        reporter.happened(
            {.id = {.run = "run", .agent = "agent", .sequence = 1}, .body = std::move(body)});
        const QString line = written(console, pipe->readEnd.get());
        return line.startsWith("ringmaster: ") ? line.mid(12) : line;
    }
};

QTEST_GUILESS_MAIN(tst_run_reporter)
#include "tst_run_reporter.moc"
