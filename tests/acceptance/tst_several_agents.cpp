#include "tests/acceptance/Tool.h"
#include "tests/support/FreePort.h"
#include "tests/support/SharedTorch.h"

#include <QRegularExpression>
#include <QtTest>

#include <csignal>

using namespace ringmaster::acceptance;
using ringmaster::test::freePort;

namespace {

QStringList elastic(int port, const char* nodes)
{
    return {text("--nnodes"),        text(nodes),
            text("--rdzv-backend"),  text("c10d"),
            text("--rdzv-endpoint"), text("localhost:%1").arg(port),
            text("--rdzv-id"),       text("z")};
}

QByteArray errors(QProcess& process)
{
    return process.readAllStandardError().right(4000);
}

bool waitForOutputs(QProcess& process, const QByteArray& text, int count)
{
    return QTest::qWaitFor(
        [&] {
            waitForOutput(process, text, 0);
            return process.property("seen").toByteArray().count(text) >= count;
        },
        180'000);
}

void endRound(const QString& marker)
{
    QFile file(marker);
    QVERIFY(file.open(QIODevice::WriteOnly));
}

} // namespace

/// Two agents on this machine, each of them ours or torchrun's.
class tst_several_agents : public QObject
{
    Q_OBJECT

private:
    const ringmaster::test::SharedTorch m_torch;
    Tool m_torchrun = Tool::torchrun(m_torch);
    Tool m_ringmaster = Tool::ringmaster();

    const Tool& tool(bool ours) const { return ours ? m_ringmaster : m_torchrun; }

    /// An agent whose workers import torch, which none of them has to do for itself.
    std::unique_ptr<QProcess> startWithTorch(bool ours, const QStringList& arguments,
                                             const QStringList& variables = {}) const
    {
        if (ours)
            return m_ringmaster.start(QStringList{text("--warm"), text("on")} + arguments,
                                      variables);
        return m_torchrun.start(arguments,
                                QStringList{text("PYTHON_EXEC=") + m_torch.python()} + variables);
    }

    /// A torchrun that comes first keeps its shared store over the rounds: workers may find there
    /// where those of the round before were, and wait for them.
    static QStringList freshStore(bool firstIsOurs)
    {
        return firstIsOurs ? QStringList()
                           : QStringList{text("TORCH_DISABLE_SHARE_RDZV_TCP_STORE=1")};
    }

    static void pairsOfAgents()
    {
        QTest::addColumn<bool>("firstIsOurs");
        QTest::addColumn<bool>("secondIsOurs");
        QTest::addRow("both ours") << true << true;
        QTest::addRow("ours and torchrun's") << true << false;
        QTest::addRow("torchrun's and ours") << false << true;
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (!Tool::torchrunIsThere())
            QSKIP("no torchrun beside the interpreter");
    }

    void oneProcessGroupOverTwoAgents_data()
    {
        QTest::addColumn<bool>("firstIsOurs");
        QTest::addColumn<bool>("secondIsOurs");
        QTest::addColumn<bool>("isElastic");
        for (const bool isElastic : {false, true}) {
            const QByteArray method = isElastic ? "c10d" : "static";
            QTest::addRow("%s, both ours", method.constData()) << true << true << isElastic;
            QTest::addRow("%s, ours and torchrun's", method.constData())
                << true << false << isElastic;
            QTest::addRow("%s, torchrun's and ours", method.constData())
                << false << true << isElastic;
        }
    }

    void oneProcessGroupOverTwoAgents()
    {
        QFETCH(bool, firstIsOurs);
        QFETCH(bool, secondIsOurs);
        QFETCH(bool, isElastic);
        const bool isCold = firstIsOurs && secondIsOurs && !isElastic;
        const int port = freePort();
        std::vector<std::unique_ptr<QProcess>> agents;
        for (int node = 0; node < 2; ++node) {
            QStringList arguments = isElastic
                                        ? elastic(port, "2")
                                        : QStringList{text("--nnodes"),      text("2"),
                                                      text("--master-port"), QString::number(port),
                                                      text("--node-rank"),   QString::number(node)};
            arguments << text("--nproc-per-node") << text("2") << program(text("group.py"));
            const bool isOurs = node == 0 ? firstIsOurs : secondIsOurs;
            agents.push_back(isCold ? tool(isOurs).start(arguments)
                                    : startWithTorch(isOurs, arguments));
        }
        QStringList lines;
        for (const auto& agent : agents) {
            const Outcome outcome = finish(*agent, 120);
            QVERIFY2(outcome.exitCode == 0, outcome.standardError.right(4000).constData());
            lines += outcome.sortedLines();
        }
        lines.sort();
        QStringList wanted;
        for (int rank = 0; rank < 4; ++rank)
            wanted << text("rank %1 of 4 sum 6.0 launched True").arg(rank);
        QCOMPARE(lines, wanted);
    }

    void rolesAreCountedOverTheAgents_data() { pairsOfAgents(); }

    void rolesAreCountedOverTheAgents()
    {
        QFETCH(bool, firstIsOurs);
        QFETCH(bool, secondIsOurs);
        const int port = freePort();
        const auto start = [&](bool ours, const char* role, const char* workers) {
            return tool(ours).start(elastic(port, "2") +
                                    QStringList{text("--nproc-per-node"), text(workers),
                                                text("--role"), text(role),
                                                program(text("elastic.py")), text("0")});
        };
        const auto trainer = start(firstIsOurs, "trainer", "1");
        const auto reader = start(secondIsOurs, "reader", "2");
        const Outcome first = finish(*trainer);
        const Outcome second = finish(*reader);
        QVERIFY2(first.exitCode == 0, first.standardError.constData());
        QVERIFY2(second.exitCode == 0, second.standardError.constData());
        QVERIFY(first.standardOutput.contains("role_name=trainer role_rank=0 role_world_size=1"));
        QVERIFY(second.standardOutput.contains("role_name=reader role_rank=0 role_world_size=2"));
        QVERIFY(second.standardOutput.contains("role_name=reader role_rank=1 role_world_size=2"));
        QVERIFY(second.standardOutput.contains("world_size=3"));
    }

    void aFailureOnOneNodeRestartsBothAndIsChargedThere()
    {
        const int port = freePort();
        const QString marker = m_ringmaster.folder() + text("/failed-once");
        const QStringList arguments = elastic(port, "2") + QStringList{text("--nproc-per-node"),
                                                                       text("2"),
                                                                       text("--max-restarts"),
                                                                       text("1"),
                                                                       program(text("elastic.py")),
                                                                       text("2"),
                                                                       text("3"),
                                                                       marker};
        const auto first = m_ringmaster.start(arguments);
        const auto second = m_ringmaster.start(arguments);
        const Outcome one = finish(*first);
        const Outcome two = finish(*second);
        QVERIFY2(one.exitCode == 0, one.standardError.constData());
        QVERIFY2(two.exitCode == 0, two.standardError.constData());
        const bool firstFailed = one.standardOutput.contains("rank=3 ");
        const Outcome& failing = firstFailed ? one : two;
        const Outcome& healthy = firstFailed ? two : one;
        QVERIFY(failing.standardOutput.contains("torchelastic_restart_count=1"));
        QVERIFY(!healthy.standardOutput.contains("torchelastic_restart_count=1"));
        QCOMPARE(healthy.standardOutput.count("rank=0 world_size=4"), 1 + 1);
    }

    /// torchrun's agents wait at their exit barrier for 300 s in any case, so who leaves is ours.
    void aNodeThatSucceedsAndLeavesEndsNobody_data()
    {
        QTest::addColumn<bool>("firstIsOurs");
        QTest::addColumn<bool>("firstLeaves");
        QTest::addRow("ours works on") << true << false;
        QTest::addRow("ours works on without the store") << true << true;
        QTest::addRow("torchrun's works on") << false << false;
    }

    void aNodeThatSucceedsAndLeavesEndsNobody()
    {
        QFETCH(bool, firstIsOurs);
        QFETCH(bool, firstLeaves);
        const int port = freePort();
        const QString gone = m_ringmaster.folder() + text("/gone-%1").arg(port);
        const auto start = [&](bool ours, bool leaves) {
            // The other one has to see before the store goes that this one has finished; it looks
            // once a second.
            const QStringList barrier =
                ours ? QStringList{text("--exit-barrier-timeout"), text(firstLeaves ? "10" : "2")}
                     : QStringList();
            const QStringList worker = leaves ? QStringList{program(text("elastic.py")), text("0")}
                                              : QStringList{program(text("outlast.py")), gone};
            return tool(ours).start(elastic(port, "2") + barrier +
                                    QStringList{text("--nproc-per-node"), text("1")} + worker);
        };
        const auto first = start(firstIsOurs, firstLeaves);
        QTRY_VERIFY(isServed(port));
        const auto second = start(true, !firstLeaves);
        QProcess& leaving = firstLeaves ? *first : *second;
        QProcess& staying = firstLeaves ? *second : *first;
        const Outcome left = finish(leaving);
        QVERIFY2(left.exitCode == 0, left.standardError.right(4000).constData());
        QCOMPARE(staying.state(), QProcess::Running);
        QFile file(gone);
        QVERIFY(file.open(QIODevice::WriteOnly));
        const Outcome stayed = finish(staying);
        QVERIFY2(stayed.exitCode == 0, stayed.standardError.right(4000).constData());
    }

    /// torchrun's agents never clear the workers' store: the new group would find the old one's
    /// addresses there.
    void aGroupMeetsAgainWithTorchrunsAgents_data()
    {
        QTest::addColumn<bool>("firstIsOurs");
        QTest::addColumn<int>("failingRank");
        QTest::addRow("ours first, theirs fails") << true << 3;
        QTest::addRow("theirs first, ours fails") << false << 3;
        QTest::addRow("theirs first and fails") << false << 0;
    }

    void aGroupMeetsAgainWithTorchrunsAgents()
    {
        QFETCH(bool, firstIsOurs);
        QFETCH(int, failingRank);
        const int port = freePort();
        const QString end = m_ringmaster.folder() + text("/met-again-%1").arg(port);
        const auto start = [&](bool ours) {
            return startWithTorch(
                ours,
                elastic(port, "2") +
                    QStringList{text("--nproc-per-node"), text("2"), text("--max-restarts"),
                                text("1"), program(text("rounds.py")), end,
                                QString::number(failingRank), end + text("-failed")},
                freshStore(firstIsOurs));
        };
        const auto first = start(firstIsOurs);
        const auto second = start(!firstIsOurs);
        for (QProcess* agent : {first.get(), second.get()})
            QVERIFY2(waitForOutputs(*agent, "world_size=4 sum=10 ", 4), errors(*agent).constData());
        endRound(end);
        for (QProcess* agent : {first.get(), second.get()}) {
            const Outcome outcome = finish(*agent);
            QVERIFY2(outcome.exitCode == 0, outcome.standardError.right(4000).constData());
        }
    }

    void theyComeOneAfterAnother_data()
    {
        QTest::addColumn<bool>("firstIsOurs");
        QTest::addRow("torchrun's, ours, torchrun's") << false;
        QTest::addRow("ours, torchrun's, ours") << true;
    }

    void theyComeOneAfterAnother()
    {
        QFETCH(bool, firstIsOurs);
        const int port = freePort();
        const QString end = m_ringmaster.folder() + text("/all-came-%1").arg(port);
        std::vector<std::unique_ptr<QProcess>> agents;
        for (const bool isOurs : {firstIsOurs, !firstIsOurs, firstIsOurs}) {
            agents.push_back(startWithTorch(
                isOurs,
                elastic(port, "1:3") + QStringList{text("--nproc-per-node"), text("1"),
                                                   text("--rdzv-conf"), text("last_call_timeout=1"),
                                                   text("--max-restarts"), text("3"),
                                                   program(text("rounds.py")), end},
                freshStore(firstIsOurs)));
            const int nodes = static_cast<int>(agents.size());
            const QByteArray met = QStringLiteral("world_size=%1 sum=%2 ")
                                       .arg(nodes)
                                       .arg(nodes * (nodes + 1) / 2)
                                       .toUtf8();
            for (const auto& agent : agents)
                QVERIFY2(waitForOutput(*agent, met, 120), errors(*agent).constData());
        }
        endRound(end);
        for (const auto& agent : agents) {
            const Outcome outcome = finish(*agent);
            QVERIFY2(outcome.exitCode == 0, outcome.standardError.right(4000).constData());
            // Those who join cost no restart.
            QVERIFY(!outcome.standardOutput.contains("restart_count=1"));
        }
    }

    /// torchrun can do this only with its store not shared; the job has to grow, shrink and go on.
    void aNodeJoinsAndLeaves_data()
    {
        QTest::addColumn<bool>("secondIsOurs");
        QTest::addRow("ours") << true;
        QTest::addRow("torchrun's") << false;
    }

    void aNodeJoinsAndLeaves()
    {
        QFETCH(bool, secondIsOurs);
        const int port = freePort();
        const auto start = [&](bool ours) {
            return tool(ours).start(elastic(port, "1:2") +
                                    QStringList{text("--nproc-per-node"), text("2"),
                                                text("--rdzv-conf"),
                                                text("last_call_timeout=1,keep_alive_interval=1"),
                                                text("--max-restarts"), text("3"),
                                                program(text("elastic.py")), text("300")});
        };
        const auto first = start(true);
        QVERIFY2(waitForOutput(*first, "world_size=2 "), errors(*first).constData());
        const auto second = start(secondIsOurs);
        QVERIFY2(waitForOutput(*first, "world_size=4 "), errors(*first).constData());
        QVERIFY2(waitForOutput(*second, "world_size=4 "), errors(*second).constData());
        ::kill(static_cast<pid_t>(second->processId()), SIGTERM);
        QCOMPARE(finish(*second).exitCode, 1);
        first->setProperty("seen", QByteArray());
        QVERIFY2(waitForOutput(*first, "world_size=2 "), errors(*first).constData());
        QVERIFY(first->property("seen").toByteArray().contains("torchelastic_restart_count=0"));
        ::kill(static_cast<pid_t>(first->processId()), SIGTERM);
        QCOMPARE(finish(*first).exitCode, 1);
    }
};

QTEST_GUILESS_MAIN(tst_several_agents)
#include "tst_several_agents.moc"
