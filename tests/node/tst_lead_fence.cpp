#include "engine/node/Codes.h"
#include "engine/node/LeadFence.h"

#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

using namespace ringmaster;

namespace {

/// A folder of an agent, and a process that stands for the agent and what it started.
class Agent
{
public:
    Agent(const std::filesystem::path& parts, const std::string& id, std::uint64_t generation)
    {
        QProcessEnvironment environment;
        environment.insert("RINGMASTER_RUN", QString::fromStdString(id));
        for (QProcess* process : {&m_agent, &m_worker}) {
            process->setProcessEnvironment(environment);
            process->start("/bin/sleep", {"600"});
            process->waitForStarted();
        }
        AgentRecord record = AgentRecord::current("/nowhere");
        record.process = *identityOf(static_cast<pid_t>(m_agent.processId()));
        record.generation = generation;
        m_isMade = RunFolder::createNamed(parts, id, record).has_value();
    }
    ~Agent()
    {
        for (QProcess* process : {&m_agent, &m_worker}) {
            process->kill();
            process->waitForFinished();
        }
    }

    bool isMade() const { return m_isMade; }
    bool runs() { return isRunning(m_agent) && isRunning(m_worker); }
    bool hasEnded() { return !isRunning(m_agent) && !isRunning(m_worker); }

private:
    static bool isRunning(QProcess& process)
    {
        QCoreApplication::processEvents();
        return process.state() == QProcess::Running && !process.waitForFinished(0);
    }

    QProcess m_agent;
    QProcess m_worker;
    bool m_isMade = false;
};

} // namespace

class tst_lead_fence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aNewerLeadEndsWhatTheOlderOneRunsThere_data()
    {
        QTest::addColumn<QString>("name"); ///< Of the older one's agent; the newer one's is 1.2.
        QTest::newRow("that is called otherwise") << "run.1";
        QTest::newRow("that has its name") << "run.1.2";
    }

    void aNewerLeadEndsWhatTheOlderOneRunsThere()
    {
        QFETCH(QString, name);
        QTemporaryDir folder;
        const std::filesystem::path parts = folder.path().toStdString();
        Agent older(parts, name.toStdString(), 5);
        QVERIFY(older.isMade() && older.runs());
        QVERIFY(fence(parts, "1.2", 6).claim());
        QTRY_VERIFY(older.hasEnded());
        QVERIFY(Agent(parts, "run.1.2", 6).isMade());
    }

    void anOlderLeadStartsNothingBesideANewerOnes()
    {
        QTemporaryDir folder;
        const std::filesystem::path parts = folder.path().toStdString();
        Agent newer(parts, "run.2", 6);
        const auto claimed = fence(parts, "1.2", 5).claim();
        QVERIFY(!claimed);
        QCOMPARE(claimed.error().code, code::LeadReplaced);
        QVERIFY(!fence(parts, "2", 5).check());
        QVERIFY(newer.runs());
    }

    void whatIsNotTheSameHostsOrRunsStays()
    {
        QTemporaryDir folder;
        const std::filesystem::path parts = folder.path().toStdString();
        Agent otherHost(parts, "run.2", 5); // of a lab, whose hosts are one machine
        Agent otherRun(parts, "another.1", 5);
        Agent longerName(parts, "run-2.1", 7);
        QVERIFY(fence(parts, "1.2", 6).claim());
        QVERIFY(otherHost.runs() && otherRun.runs() && longerName.runs());
    }

    /// The connection had broken before its first answer: the lead starts it once more.
    void whatTheSameLeadHasNeverHeardOfGoes()
    {
        QTemporaryDir folder;
        const std::filesystem::path parts = folder.path().toStdString();
        for (int times = 0; times < 2; ++times) {
            Agent own(parts, "run.1", 5);
            QVERIFY(own.isMade());
            QVERIFY(fence(parts, "1", 5).check());
            QVERIFY(fence(parts, "1.2", 5).claim());
            QVERIFY(own.runs());
            QVERIFY(fence(parts, "1", 5).claim());
            QTRY_VERIFY(own.hasEnded());
        }
    }

private:
    static LeadFence fence(const std::filesystem::path& parts, const std::string& agent,
                           std::uint64_t generation)
    {
        return LeadFence(
            parts, AgentLaunchRequest{
                       .run = "run", .agent = agent, .host = "lab1", .generation = generation});
    }
};

QTEST_GUILESS_MAIN(tst_lead_fence)
#include "tst_lead_fence.moc"
