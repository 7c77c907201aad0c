#include "engine/node/AgentSetup.h"
#include "engine/record/RunFolder.h"

#include <QTemporaryDir>
#include <QtTest>

using namespace ringmaster;

class tst_agent_setup : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void countsTheWorkersOfEachRole()
    {
        NodeOptions options = jobOf({1, 3});
        const auto told = agentOptionsOf(options, *folder());
        QVERIFY(told.has_value());
        QCOMPARE(told->workers, (std::vector<int>{1, 3}));
        QVERIFY(!told->isLed);
    }

    void marksItsProcessesUnlessTheJobIsPlain()
    {
        NodeOptions options = jobOf({1});
        const auto run = folder();
        QCOMPARE(agentOptionsOf(options, *run)->token, run->id());
        options.spec.plain = true;
        QCOMPARE(agentOptionsOf(options, *run)->token, std::string());
    }

    void isLedWhereALeadHasOrderedIt()
    {
        NodeOptions options = jobOf({1});
        options.order = AgentLaunchRequest{.run = "run", .agent = "1"};
        QVERIFY(agentOptionsOf(options, *folder())->isLed);
    }

    void learnsTheModulesOfPythonProgramsAlone()
    {
        NodeOptions options = jobOf({1});
        options.spec.roles[0].program = "train.py";
        options.interpreter = "/usr/bin/python3";
        QVERIFY(!learntModulesOf(options).empty());
        options.spec.warm = WarmMode::Off;
        QVERIFY(learntModulesOf(options).empty());
        options.spec.warm = WarmMode::Auto;
        options.spec.roles[0].kind = ProgramKind::Command;
        QVERIFY(learntModulesOf(options).empty());
    }

private:
    static NodeOptions jobOf(const std::vector<int>& workers)
    {
        NodeOptions options;
        options.spec.roles.clear();
        for (const int count : workers) {
            Role role;
            role.workers.number = count;
            options.spec.roles.push_back(std::move(role));
        }
        return options;
    }

    Result<RunFolder> folder() const
    {
        return RunFolder::create(m_runs.path().toStdString(), "job",
                                 AgentRecord::current("/nowhere"), SystemClock().now());
    }

    QTemporaryDir m_runs;
};

QTEST_GUILESS_MAIN(tst_agent_setup)
#include "tst_agent_setup.moc"
