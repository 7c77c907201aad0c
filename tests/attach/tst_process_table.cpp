#include "engine/attach/ProcessTable.h"

#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace ringmaster;

/// Real processes, without torch.
class tst_process_table : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRankIsThereWithItsConnectionsAndWhatIsAboveIt()
    {
        QTemporaryDir folder;
        QProcess rank;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("RANK"), QStringLiteral("1"));
        environment.insert(QStringLiteral("WORLD_SIZE"), QStringLiteral("2"));
        environment.insert(QStringLiteral("HF_TOKEN"), QStringLiteral("secret"));
        environment.remove(QStringLiteral("RINGMASTER_RUN"));
        rank.setProcessEnvironment(environment);
        const QString output = folder.filePath(QStringLiteral("out.log"));
        rank.setStandardOutputFile(output);
        rank.start(QStringLiteral("python3"), {QStringLiteral("-c"), QStringLiteral(R"(
import socket, sys
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
print(server.getsockname()[1], flush=True)
sys.stdin.read()
)")});
        QVERIFY(rank.waitForStarted());
        QByteArray port;
        QTRY_VERIFY(!(port = firstLine(output)).isEmpty());

        const auto table = readProcessTable();
        const auto found = std::ranges::find_if(table, [&](const ForeignProcess& process) {
            return process.identity.pid == rank.processId();
        });
        QVERIFY(found != table.end());
        QCOMPARE(found->variables.at("RANK"), "1");
        QVERIFY(!found->variables.contains("HF_TOKEN"));
        QVERIFY(!found->hasTorch);
        QCOMPARE(found->output, output.toStdString());
        QVERIFY(found->about.arguments.size() == 3);
        const std::string endpoint = "127.0.0.1:" + port.toStdString();
        QCOMPARE(found->listensAt, std::vector<std::string>{endpoint});
        QVERIFY(std::ranges::any_of(found->connections, [&](const auto& connection) {
            return connection.peer == endpoint;
        }));
        QVERIFY(std::ranges::any_of(table, [](const ForeignProcess& process) {
            return process.identity.pid == QCoreApplication::applicationPid();
        }));
        rank.closeWriteChannel();
        QVERIFY(rank.waitForFinished());
    }

private:
    static QByteArray firstLine(const QString& path)
    {
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            return {};
        const QByteArray all = file.readAll();
        return all.contains('\n') ? all.left(all.indexOf('\n')) : QByteArray();
    }
};

QTEST_GUILESS_MAIN(tst_process_table)
#include "tst_process_table.moc"
