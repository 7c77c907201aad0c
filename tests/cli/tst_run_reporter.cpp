#include "engine/cli/RunReporter.h"

#include <QtTest>

#include <array>

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

private:
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
        if (!console.waitUntilWritten(Console::Patience::UntilStalled))
            return "not written";
        std::array<char, 4096> text{};
        const ssize_t size = ::read(pipe->readEnd.get(), text.data(), text.size());
        const QString line = QString::fromUtf8(text.data(), static_cast<int>(size)).trimmed();
        return line.startsWith("ringmaster: ") ? line.mid(12) : line;
    }
};

QTEST_GUILESS_MAIN(tst_run_reporter)
#include "tst_run_reporter.moc"
