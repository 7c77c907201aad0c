#include "tests/acceptance/Tool.h"
#include "tests/support/FreePort.h"
#include "tests/support/FrozenGroup.h"
#include "tests/support/SharedTorch.h"

#include <QRegularExpression>
#include <QtTest>

#include <csignal>

using namespace ringmaster::acceptance;
using ringmaster::test::freePort;
using ringmaster::test::isNewestTorch;

namespace {

/// The process of an agent's only worker, once it says that it is there; -1: it never does.
pid_t workerOf(QProcess& agent)
{
    static const QRegularExpression ready(QStringLiteral("ready (\\d+)\\n"));
    if (!waitForOutput(agent, "ready ") || !waitForOutput(agent, "\n"))
        return -1;
    const auto match = ready.match(QString::fromUtf8(agent.property("seen").toByteArray()));
    return match.hasMatch() ? match.captured(1).toInt() : -1;
}

/// Not so one that only waits until somebody takes notice of its end.
bool isAlive(pid_t pid)
{
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (!file.open(QIODevice::ReadOnly))
        return false;
    const QByteArray text = file.readAll();
    return !text.isEmpty() && text.mid(text.lastIndexOf(')') + 2, 1) != "Z";
}

void sendSignal(const QProcess& agent, int signal)
{
    if (agent.state() == QProcess::Running)
        ::kill(static_cast<pid_t>(agent.processId()), signal);
}

} // namespace

/// With what torchrun and Ringmaster end, whatever ends them: side by side, with the same program.
class tst_exit_codes : public QObject
{
    Q_OBJECT

private:
    /// What a shell starts in the background ignores these, and so would all that is started here.
    struct DefaultSignals
    {
        DefaultSignals()
        {
            (void)std::signal(SIGINT, SIG_DFL);
            (void)std::signal(SIGQUIT, SIG_DFL);
        }
    };

    const DefaultSignals m_defaultSignals;
    const ringmaster::test::SharedTorch m_torch;
    Tool m_torchrun = Tool::torchrun(m_torch);
    Tool m_ringmaster = Tool::ringmaster();

    static std::unique_ptr<QProcess> start(const Tool& tool, const QString& how,
                                           const QStringList& options = {})
    {
        return tool.start(QStringList{QStringLiteral("--standalone")} + options +
                          QStringList{program(QStringLiteral("ends.py")), how});
    }

    /// The grace, in seconds: both know it since 2.12.
    static QStringList grace(const char* seconds)
    {
        return {QStringLiteral("--shutdown-timeout"), QString::fromUtf8(seconds)};
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!Tool::torchrunIsThere())
            QSKIP("no torchrun beside the interpreter");
    }

    void aWorkerThatEndsByItself_data()
    {
        QTest::addColumn<QString>("how");
        QTest::addColumn<int>("code");
        // The kernel keeps eight bits of it.
        for (const int code : {0, 1, 2, 7, 130, 143, 255, 256})
            QTest::addRow("exit code %d", code)
                << QString::number(code) << (code % 256 == 0 ? 0 : 1);
        for (const char* signal :
             {"SIGHUP", "SIGINT", "SIGABRT", "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGPIPE", "SIGTERM"})
            QTest::addRow("%s", signal) << signal << 1;
    }

    void aWorkerThatEndsByItself()
    {
        QFETCH(QString, how);
        QFETCH(int, code);
        const auto theirs = start(m_torchrun, how);
        const auto ours = start(m_ringmaster, how);
        const Outcome outcome = finish(*ours);
        QCOMPARE(finish(*theirs).exitCode, code);
        QVERIFY2(outcome.exitCode == code, outcome.standardError.constData());
    }

    /// Its worker dies of the signal, or, where there is a grace, stays until that is over.
    void anAgentThatIsSignalled_data()
    {
        QTest::addColumn<QList<int>>("sent");
        QTest::addColumn<QString>("how");
        QTest::addColumn<QStringList>("options");
        QTest::newRow("SIGTERM") << QList<int>{SIGTERM} << "wait" << QStringList();
        QTest::newRow("SIGINT") << QList<int>{SIGINT} << "wait" << QStringList();
        QTest::newRow("SIGHUP") << QList<int>{SIGHUP} << "wait" << QStringList();
        QTest::newRow("SIGQUIT") << QList<int>{SIGQUIT} << "wait" << QStringList();
        QTest::newRow("SIGTERM, which its worker survives")
            << QList<int>{SIGTERM} << "stay" << grace("1");
        QTest::newRow("SIGINT, and SIGTERM within the grace")
            << QList<int>{SIGINT, SIGTERM} << "stay" << grace("2");
    }

    void anAgentThatIsSignalled()
    {
        QFETCH(QList<int>, sent);
        QFETCH(QString, how);
        QFETCH(QStringList, options);
        std::vector<std::unique_ptr<QProcess>> agents;
        agents.push_back(start(m_ringmaster, how, options));
        if (options.isEmpty() || isNewestTorch())
            agents.push_back(start(m_torchrun, how, options));
        std::vector<pid_t> workers;
        for (const auto& agent : agents) {
            workers.push_back(workerOf(*agent));
            QVERIFY2(workers.back() > 0, agent->readAllStandardError().constData());
        }
        for (const auto& agent : agents)
            sendSignal(*agent, sent.front());
        for (const auto& agent : agents) {
            if (sent.size() == 1)
                continue;
            QVERIFY(waitForOutput(*agent, "told SIGINT"));
            sendSignal(*agent, sent.back());
        }
        for (const auto& agent : agents) {
            const Outcome outcome = finish(*agent);
            QVERIFY2(outcome.exitCode == 1, outcome.standardError.constData());
        }
        for (const pid_t worker : workers)
            QTRY_VERIFY(!isAlive(worker));
    }

    /// Both die of it, and only torchrun leaves its worker behind.
    void anAgentThatIsSentASignalWhichItDoesntHandle()
    {
        const auto theirs = start(m_torchrun, QStringLiteral("wait"));
        const auto ours = start(m_ringmaster, QStringLiteral("wait"));
        const pid_t left = workerOf(*theirs);
        const pid_t ended = workerOf(*ours);
        QVERIFY(left > 0);
        QVERIFY(ended > 0);
        for (const QProcess* agent : {theirs.get(), ours.get()})
            sendSignal(*agent, SIGUSR1);
        const int code = finish(*theirs).exitCode;
        const bool isLeft = isAlive(left);
        ::kill(left, SIGKILL);
        QVERIFY(isLeft);
        QCOMPARE(code, 128 + SIGUSR1);
        QCOMPARE(finish(*ours).exitCode, code);
        QTRY_VERIFY(!isAlive(ended));
    }

    void anAgentThatIsSignalledBeforeItHasStartedAnything_data()
    {
        QTest::addColumn<int>("signal");
        QTest::newRow("SIGTERM") << SIGTERM;
        QTest::newRow("SIGINT") << SIGINT;
    }

    void anAgentThatIsSignalledBeforeItHasStartedAnything()
    {
        QFETCH(int, signal);
        for (const Tool* tool : {&m_torchrun, &m_ringmaster}) {
            const int port = freePort();
            const auto agent = tool->start(
                {QStringLiteral("--nnodes"), QStringLiteral("2"), QStringLiteral("--rdzv-backend"),
                 QStringLiteral("c10d"), QStringLiteral("--rdzv-endpoint"),
                 QStringLiteral("localhost:%1").arg(port), QStringLiteral("--rdzv-id"),
                 QStringLiteral("a"), program(QStringLiteral("ends.py")), QStringLiteral("0")});
            QTRY_VERIFY(isServed(port));
            sendSignal(*agent, signal);
            const Outcome outcome = finish(*agent);
            QVERIFY2(outcome.exitCode == 128 + signal, outcome.standardError.constData());
        }
    }

    /// Until 2.11 torchrun waits for it without end; now for the grace, and once more for as long.
    /// Ours names it, and where it waits.
    void aWorkerThatCantBeKilled()
    {
        ringmaster::test::FrozenGroup group;
        if (!group.isUsable())
            QSKIP("freezer cgroups can't be made here");
        const auto ours = start(m_ringmaster, QStringLiteral("wait"), grace("1"));
        const auto theirs =
            isNewestTorch() ? start(m_torchrun, QStringLiteral("wait"), grace("1")) : nullptr;
        QList<pid_t> workers{workerOf(*ours)};
        if (theirs != nullptr)
            workers.append(workerOf(*theirs));
        QVERIFY(!workers.contains(-1));
        QVERIFY(group.freeze(workers));
        sendSignal(*ours, SIGTERM);
        if (theirs != nullptr)
            sendSignal(*theirs, SIGTERM);
        const Outcome outcome = finish(*ours);
        QVERIFY2(outcome.exitCode == 1, outcome.standardError.constData());
        QVERIFY2(outcome.standardError.contains("can't be killed: its control group"),
                 outcome.standardError.constData());
        if (theirs != nullptr) {
            const Outcome other = finish(*theirs);
            QVERIFY2(other.exitCode == 1, other.standardError.constData());
            QVERIFY2(other.standardError.contains("abandoning and continuing teardown"),
                     other.standardError.constData());
        }
        for (const pid_t worker : workers)
            QVERIFY(isAlive(worker));
        group.thaw();
        for (const pid_t worker : workers)
            QTRY_VERIFY(!isAlive(worker));
    }
};

QTEST_GUILESS_MAIN(tst_exit_codes)
#include "tst_exit_codes.moc"
