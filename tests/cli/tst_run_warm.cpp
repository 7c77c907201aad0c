#include "tests/cli/Ringmaster.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>

namespace {

constexpr const char* Meeting = R"(
import os, sys, time, torch, torch.distributed as dist
dist.init_process_group("gloo")
value = torch.tensor([float(dist.get_rank() + 1)])
dist.all_reduce(value)
print("sum", value.item(), "argument", sys.argv[1:], "loaded", "torch._dynamo" in sys.modules, flush=True)
if os.environ["TORCHELASTIC_RESTART_COUNT"] == "0" and "fail" in sys.argv and dist.get_rank() == 1:
    raise ValueError("boom on 1")
if "learn" in sys.argv:
    print("known", "mailbox" in sys.modules, "mine" in sys.modules, flush=True)
    import mailbox, mine
if "wait" in sys.argv:
    sys.stdin.read()
    while not os.path.exists("go on"):
        time.sleep(0.01)
dist.destroy_process_group()
)";

} // namespace

/// `ringmaster run --warm on` with torch, as a user runs it.
class tst_run_warm : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_python = torchInterpreter();
        if (m_python.isEmpty())
            QSKIP("no interpreter with torch");
        QVERIFY(QDir().mkpath(m_ringmaster.folder() + "/runtime"));
        QFile::setPermissions(m_ringmaster.folder() + "/runtime",
                              QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        QFile file(m_ringmaster.folder() + "/program.py");
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(Meeting);
    }

    void cleanupTestCase()
    {
        if (!m_python.isEmpty())
            m_ringmaster.run({"stop", "--warm"});
    }

    void theFirstRunStartsAStarterForTheNext()
    {
        const auto first = run({"--warm", "on"}, {"a", "b"});
        QVERIFY2(first.exitCode == 0, first.error);
        QCOMPARE(first.output.count("sum 3.0 argument ['a', 'b'] loaded True"), 2);
        QVERIFY2(eventsOfLast().contains("\"WarmStartFirst\""), eventsOfLast());
        const auto second = run({"--warm", "on"}, {});
        QVERIFY2(second.exitCode == 0, second.error);
        QVERIFY2(eventsOfLast().contains("\"WarmStart\""), eventsOfLast());
        QCOMPARE(starters().size(), 1);
        const QJsonObject starter = starters().first().toObject();
        QCOMPARE(starter["interpreter"].toString(), m_python);
        QVERIFY(starter["modules"].toInt() > 1000);
        QVERIFY(starter["memory_bytes"].toInteger() > 1'000'000);
        const auto table = m_ringmaster.run({"ps", "--warm"});
        QVERIFY2(table.output.contains(m_python.toUtf8()), table.output);
    }

    void aGroupThatFailedStartsAgainFromTheSameStarter()
    {
        const auto done = run({"--warm", "on", "--max-restarts", "1"}, {"fail"});
        QVERIFY2(done.exitCode == 0, done.error);
        QCOMPARE(done.output.count("sum 3.0"), 4);
        QVERIFY2(done.error.contains("boom on 1"), done.error);
        // Not one frame of ours in the traceback.
        QVERIFY2(!done.error.contains("_ringmaster"), done.error);
    }

    void whoNeedntBeWarmStartsCold()
    {
        QCOMPARE(run({"--warm", "on"}, {}).exitCode, 0);
        // Nobody is at a terminal, and nobody has asked.
        const auto done = run({}, {});
        QVERIFY2(done.exitCode == 0, done.error);
        QVERIFY2(!eventsOfLast().contains("WarmStart"), eventsOfLast());
        const auto plain = run({"--warm", "on", "--plain"}, {});
        QVERIFY2(plain.exitCode == 0, plain.error);
        QVERIFY2(plain.error.contains("Cold start: the job is plain"), plain.error);
    }

    void theNextStarterImportsWhatARunHasUsed()
    {
        QFile mine(m_ringmaster.folder() + "/mine.py");
        QVERIFY(mine.open(QIODevice::WriteOnly));
        mine.close();
        const auto first = run({"--warm", "on"}, {"learn"});
        QVERIFY2(first.exitCode == 0, first.error);
        QCOMPARE(first.output.count("known False False"), 2);
        m_ringmaster.run({"stop", "--warm"});
        QTRY_VERIFY(starters().isEmpty());
        const auto second = run({"--warm", "on"}, {"learn"});
        QVERIFY2(second.exitCode == 0, second.error);
        // The standard library's, never the user's own.
        QCOMPARE(second.output.count("known True False"), 2);
    }

    void aRestartTellsWhereItsTimeWent()
    {
        const auto done = run({"--warm", "on", "--max-restarts", "1"}, {"fail"});
        QVERIFY2(done.exitCode == 0, done.error);
        const QByteArray events = eventsOfLast();
        QVERIFY2(events.contains("\"FirstCollective\""), events);
        QVERIFY2(events.contains("\"FirstCollectiveAgain\""), events);
        QVERIFY2(events.contains("\"import\": \"0.00\""), events);
    }

    void aStarterThatIsEndedLeavesTheRunAlone()
    {
        const auto process = m_ringmaster.start(arguments({"--warm", "on"}, {"wait"}));
        QVERIFY(waitForText(*process, "sum 3.0", QProcess::StandardOutput));
        const auto stopped = m_ringmaster.run({"stop", "--warm"});
        QVERIFY2(stopped.error.contains("Ended 1 warm starter"), stopped.error);
        QTRY_VERIFY(starters().isEmpty());
        QFile goOn(m_ringmaster.folder() + "/go on");
        QVERIFY(goOn.open(QIODevice::WriteOnly));
        const auto done = Ringmaster::finish(*process);
        QVERIFY2(done.exitCode == 0, done.error);
    }

    void stoppingTheRunLeavesTheStarterAlone()
    {
        QFile::remove(m_ringmaster.folder() + "/go on");
        const auto process = m_ringmaster.start(arguments({"--warm", "on"}, {"wait"}));
        QVERIFY(waitForText(*process, "sum 3.0", QProcess::StandardOutput));
        ::kill(static_cast<pid_t>(process->processId()), SIGKILL);
        QVERIFY(process->waitForFinished());
        const QByteArray token = "RINGMASTER_RUN=" + m_ringmaster.runs().first().toUtf8();
        QTRY_COMPARE(processesWith(token), 0);
        QTRY_COMPARE(starters().size(), 1);
    }

private:
    QStringList arguments(const QStringList& options, const QStringList& words) const
    {
        return QStringList{"run", "--standalone", "--nproc-per-node", "2", "--python", m_python} +
               options + QStringList{"program.py"} + words;
    }

    Ringmaster::Outcome run(const QStringList& options, const QStringList& words) const
    {
        return Ringmaster::finish(*m_ringmaster.start(arguments(options, words)), 180'000);
    }

    QByteArray eventsOfLast() const
    {
        return m_ringmaster.run({"show", "--events", "--json"}).output;
    }

    QJsonArray starters() const
    {
        return QJsonDocument::fromJson(m_ringmaster.run({"ps", "--warm", "--json"}).output).array();
    }

    const Ringmaster m_ringmaster;
    QString m_python;
};

QTEST_GUILESS_MAIN(tst_run_warm)
#include "tst_run_warm.moc"
