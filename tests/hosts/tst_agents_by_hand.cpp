#include "tests/TestMain.h"
#include "tests/hosts/Lab.h"

namespace {

/// Connects to where the workers meet, as a process group would.
constexpr const char* Reach = "exec 3<>/dev/tcp/$MASTER_ADDR/$MASTER_PORT && echo rank $RANK of "
                              "$WORLD_SIZE reached $MASTER_ADDR";

std::unique_ptr<QProcess> startOn(const QString& host, const QStringList& options)
{
    auto process = std::make_unique<QProcess>();
    process->setStandardInputFile(QProcess::nullDevice());
    process->start(RINGMASTER_SOURCE_DIR "/tests/labs/hosts.sh",
                   QStringList{"on", host, "env", "HOME=/tmp", "XDG_STATE_HOME=/tmp/state",
                               "XDG_RUNTIME_DIR=/tmp", "XDG_CONFIG_HOME=/tmp/config"} +
                       QStringList{Ringmaster::executable(), "run"} + options +
                       QStringList{"--no-python", "/bin/bash", "-c", Reach});
    return process;
}

void rewriteNames(const QString& host, const QString& expression)
{
    Lab::on(host, {"sed", "-i", expression, "/etc/hosts"});
}

} // namespace

/// Two hosts whose agents a user starts there, as with torchrun; without ssh and without a lead.
class tst_agents_by_hand : public QObject
{
    Q_OBJECT

private:
    static void meet(const QStringList& options, const QByteArray& address)
    {
        const auto first = startOn("lab1", options + QStringList{"--node-rank", "0"});
        const auto second = startOn("lab2", options + QStringList{"--node-rank", "1"});
        QByteArray lines;
        for (QProcess* agent : {first.get(), second.get()}) {
            const auto outcome = Ringmaster::finish(*agent);
            QVERIFY2(outcome.exitCode == 0, outcome.output + outcome.error);
            lines += outcome.output;
        }
        QVERIFY2(lines.contains("rank 0 of 2 reached " + address + "\n"), lines);
        QVERIFY2(lines.contains("rank 1 of 2 reached " + address + "\n"), lines);
    }

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
            QSKIP(qgetenv("RINGMASTER_NO_LAB").constData());
    }

    void aNameThatIsLoopbackOnItsOwnHostIsReachedByTheOthers_data()
    {
        QTest::addColumn<QStringList>("options");
        QTest::addRow("c10d") << QStringList{"--nnodes",  "2", "--rdzv-backend",  "c10d",
                                             "--rdzv-id", "a", "--rdzv-endpoint", "lab1:29400"};
        QTest::addRow("static") << QStringList{"--nnodes",      "2",    "--master-addr", "lab1",
                                               "--master-port", "29501"};
    }

    void aNameThatIsLoopbackOnItsOwnHostIsReachedByTheOthers()
    {
        QFETCH(QStringList, options);
        rewriteNames("lab1", "s/^[0-9.]*\\( .*lab1\\)/127.0.1.1\\1/");
        meet(options, "lab1");
        rewriteNames("lab1", "s/^127.0.1.1 /10.77.0.11 /");
    }

    void theFirstRankIsReachedThoughNobodyKnowsItsName()
    {
        rewriteNames("lab2", "/lab1/d");
        meet({"--nnodes", "2", "--rdzv-backend", "c10d", "--rdzv-id", "b", "--rdzv-endpoint",
              "lab2:29400"},
             "10.77.0.11");
    }
};

int main_tst_agents_by_hand(int argc, char** argv)
{
    return runInLab(argc, argv, "2", [](int count, char** words) {
        QCoreApplication application(count, words);
        tst_agents_by_hand test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_agents_by_hand.moc"
