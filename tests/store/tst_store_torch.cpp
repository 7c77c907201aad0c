#include "Await.h"
#include "ServedStore.h"
#include "engine/store/Codes.h"
#include "engine/store/TcpStoreClient.h"
#include "tests/support/TorchInterpreter.h"

#include <QFile>
#include <QProcess>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::test;
using namespace std::chrono_literals;

namespace {

using Strings = std::vector<std::string>;

QString script(const char* name)
{
    return QString(RINGMASTER_SOURCE_DIR "/tests/store/") + name;
}

QByteArray outcome(QProcess& process)
{
    process.waitForFinished(120'000);
    return "exit code " + QByteArray::number(process.exitCode()) + "\n" +
           process.readAllStandardOutput() + process.readAllStandardError();
}

/// torch's own server in a child, which ends with its standard input.
class TorchServer
{
public:
    explicit TorchServer(const QString& backend)
    {
        m_process.start(torchInterpreter(), {script("torch_server.py"), backend});
        m_process.setReadChannel(QProcess::StandardOutput);
        while (!m_process.canReadLine() && m_process.waitForReadyRead(120'000)) {
        }
        m_port = m_process.readLine().trimmed().toUShort();
    }
    ~TorchServer()
    {
        m_process.closeWriteChannel();
        m_process.waitForFinished(30'000);
    }

    std::uint16_t port() const { return m_port; }

private:
    QProcess m_process;
    std::uint16_t m_port = 0;
};

} // namespace

class tst_store_torch : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (torchInterpreter().isEmpty())
            QSKIP("there is no interpreter with torch");
    }

    void torchsClientAgreesWithEveryMethod()
    {
        ServedStore store;
        QProcess client;
        client.start(torchInterpreter(),
                     {script("torch_client.py"), QString::number(store.port())});
        const QByteArray said = outcome(client);
        QVERIFY2(said.startsWith("exit code 0\nall methods agree"), said.constData());
        QCOMPARE(store.counters().refused, size_t{0});
    }

    void torchsClientFindsTheStoreUnderTheMachinesOwnName()
    {
        ServedStore store;
        QProcess client;
        client.start(torchInterpreter(),
                     {"-c",
                      "import socket, sys, torch.distributed as d\n"
                      "name = socket.gethostname()\n"
                      "loopback = socket.gethostbyname(name).startswith('127.')\n"
                      "print(loopback and d.TCPStore(name, int(sys.argv[1])).add('n', 1))",
                      QString::number(store.port())});
        const QByteArray said = outcome(client);
        if (said.startsWith("exit code 0\nFalse"))
            QSKIP("the machine's name has another address than loopback");
        QVERIFY2(said.startsWith("exit code 0\n1"), said.constData());
    }

    void aGlooJobRunsOnOurStore()
    {
        ServedStore store;
        std::array<QProcess, 2> workers;
        for (int rank = 0; rank < 2; ++rank) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("RANK", QString::number(rank));
            environment.insert("WORLD_SIZE", "2");
            environment.insert("MASTER_ADDR", "localhost");
            environment.insert("MASTER_PORT", QString::number(store.port()));
            environment.insert("TORCHELASTIC_USE_AGENT_STORE", "True");
            environment.insert("TORCHELASTIC_RESTART_COUNT", "0");
            QProcess& worker = workers.at(static_cast<size_t>(rank));
            worker.setProcessEnvironment(environment);
            worker.start(torchInterpreter(), {script("gloo_worker.py")});
        }
        for (int rank = 0; rank < 2; ++rank) {
            const QByteArray said = outcome(workers.at(static_cast<size_t>(rank)));
            const QByteArray expected =
                "exit code 0\nrank " + QByteArray::number(rank) + " of 2 agrees";
            QVERIFY2(said.startsWith(expected), said.constData());
        }
        QCOMPARE(store.counters().refused, size_t{0});
    }

    void ourClientUsesTorchsServer_data()
    {
        QTest::addColumn<QString>("backend");
        QTest::newRow("libuv") << "libuv";
        QTest::newRow("legacy") << "legacy";
    }

    void ourClientUsesTorchsServer()
    {
        QFETCH(QString, backend);
        const TorchServer server(backend);
        QVERIFY(server.port() != 0);
        EventLoop loop;
        TcpStoreClient store(loop,
                             {.host = "localhost", .port = server.port(), .announcesItself = true});
        const auto get = [&](std::string key, auto timeout) {
            return await<std::string>(loop, [&](auto done) { store.get(key, timeout, done); });
        };
        QVERIFY(await<void>(loop, [&](auto done) { store.connect(done); }));
        QVERIFY(await<void>(loop, [&](auto done) { store.set("k", "val", done); }));
        QCOMPARE(get("k", 5s), std::string("val"));
        QCOMPARE(get("zz", 100ms).error().code, code::StoreKeyMissing);
        QCOMPARE(await<std::int64_t>(loop, [&](auto done) { store.add("n", -7, done); }), -7);
        QCOMPARE(await<bool>(loop, [&](auto done) { store.check({"k", "n"}, done); }), true);
        QCOMPARE(await<bool>(loop, [&](auto done) { store.check({"k", "zz"}, done); }), false);
        QVERIFY(await<void>(loop, [&](auto done) { store.append("k", "ue", done); }));
        QCOMPARE(get("k", 5s), std::string("value"));
        QCOMPARE(
            await<std::string>(loop, [&](auto done) { store.compareSet("cs", "", "A", done); }),
            std::string("A"));
        QCOMPARE(
            await<std::string>(loop, [&](auto done) { store.compareSet("cs", "A", "B", done); }),
            std::string("B"));
        QCOMPARE(
            await<std::string>(loop, [&](auto done) { store.compareSet("cs", "A", "C", done); }),
            std::string("B"));
        QVERIFY(await<void>(loop, [&](auto done) {
            store.multiSet({{"m1", "x"}, {"m2", ""}}, done);
        }));
        QCOMPARE(await<Strings>(loop,
                                [&](auto done) {
                                    store.multiGet({"m1", "m2"}, 5s, done);
                                }),
                 (Strings{"x", ""}));
        QCOMPARE(await<bool>(loop, [&](auto done) { store.deleteKey("m2", done); }), true);
        QCOMPARE(await<bool>(loop, [&](auto done) { store.deleteKey("m2", done); }), false);
        Strings keys = await<Strings>(loop, [&](auto done) { store.listKeys(done); }).value();
        std::sort(keys.begin(), keys.end());
        QCOMPARE(keys, (Strings{"cs", "k", "m1", "n"}));
        // "init/", which torch's own client made too, is counted.
        QCOMPARE(await<std::int64_t>(loop, [&](auto done) { store.keyCount(done); }), 5);
        const std::string big(7U << 20U, 'z');
        QVERIFY(await<void>(loop, [&](auto done) { store.set("big", big, done); }));
        QVERIFY(get("big", 10s) == big);
        int answers = 0;
        store.wait({"later"}, 10s, [&](const Result<void>& there) { answers += there ? 1 : 9; });
        store.get("later", 10s,
                  [&](const Result<std::string>& value) { answers += value == "v" ? 1 : 9; });
        QCOMPARE(get("never", 50ms).error().code, code::StoreKeyMissing);
        store.set("later", "v", [](const Result<void>&) {});
        QVERIFY(runUntil(loop, [&] { return answers >= 2; }));
        QCOMPARE(answers, 2);
    }
};

QTEST_GUILESS_MAIN(tst_store_torch)
#include "tst_store_torch.moc"
