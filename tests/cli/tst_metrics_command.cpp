#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchTest.h"

#include <QFile>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTcpServer>
#include <QTcpSocket>
#include <QtTest>

/// The figures of a run that goes on, for Prometheus: `ringmaster metrics`, `run --metrics`.
class tst_metrics_command : public ringmaster::test::TorchTest
{
    Q_OBJECT

private:
    /// Two ranks that reduce and print until `end` is there.
    static QString program(const Ringmaster& ringmaster)
    {
        const QString path = ringmaster.folder() + "/train.py";
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly))
            qFatal("%s", qPrintable(file.errorString()));
        file.write(R"(
import os, sys, time, torch, torch.distributed as dist
dist.init_process_group("gloo")
step = 0
more = torch.ones(1)
while more.item() > 0:
    step += 1
    dist.all_reduce(torch.ones(100_000))
    print(f"step {step} loss: {1 / step:.3f} api_token={step}", flush=True)
    time.sleep(0.02)
    more = torch.tensor([0.0 if os.path.exists(sys.argv[1]) else 1.0])
    dist.broadcast(more, 0)
dist.destroy_process_group()
)");
        return path;
    }

    std::unique_ptr<QProcess> train(const Ringmaster& ringmaster, const QStringList& options) const
    {
        return ringmaster.start(QStringList{"run", "--standalone", "--nproc-per-node", "2",
                                            "--python", python(), "--warm", "on", "--env",
                                            "MY_PASSWORD=hidden-word"} +
                                options + QStringList{program(ringmaster), end(ringmaster)});
    }

    static QString end(const Ringmaster& ringmaster) { return ringmaster.folder() + "/end"; }

    static void endOf(const Ringmaster& ringmaster, QProcess& process)
    {
        QFile file(end(ringmaster));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.close();
        const auto done = Ringmaster::finish(process);
        QVERIFY2(done.exitCode == 0, done.error);
    }

    static QByteArray fetched(int port)
    {
        QTcpSocket socket;
        socket.connectToHost(QHostAddress::LocalHost, static_cast<quint16>(port));
        if (!socket.waitForConnected(60'000))
            return {};
        socket.write("GET /metrics HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
        while (socket.waitForReadyRead(60'000)) {
        }
        return socket.readAll();
    }

    static double valueOf(const QByteArray& text, const QString& name, const QString& labels)
    {
        const QRegularExpression line("^ringmaster_" + name + "\\{.*" + labels + ".*\\} (\\S+)$",
                                      QRegularExpression::MultilineOption);
        return line.match(QString::fromUtf8(text)).captured(1).toDouble();
    }

    static void check(const QByteArray& text)
    {
        const QString promtool = QStandardPaths::findExecutable("promtool");
        if (promtool.isEmpty())
            QSKIP("promtool is missing (Debian's package prometheus)");
        QProcess tool;
        tool.start(promtool, {"check", "metrics"});
        tool.write(text);
        tool.closeWriteChannel();
        QVERIFY(tool.waitForFinished(240'000));
        const QByteArray said = tool.readAllStandardOutput() + tool.readAllStandardError();
        QVERIFY2(tool.exitCode() == 0 && said.isEmpty(), said + text);
    }

    static bool hasAll(const QByteArray& text)
    {
        const QString reduce = "operation=\"all_reduce\"";
        return valueOf(text, "worker_up", "rank=\"1\"") == 1 &&
               valueOf(text, "operation_bytes_total", reduce) >= 400'000 &&
               valueOf(text, "operation_busbw_bytes_per_second", reduce) > 0 &&
               valueOf(text, "printed_value", "name=\"loss\",rank=\"0\"") > 0 &&
               valueOf(text, "worker_resident_memory_bytes", "rank=\"1\"") > 1'000'000 &&
               text.contains("ringmaster_node_cpu_ratio{");
    }

    /// Of a run that has ended.
    static void checkTable(const Ringmaster& ringmaster)
    {
        const QString path = ringmaster.folder() + "/figures.csv";
        const auto shown = ringmaster.run({"show", "--csv", path});
        QVERIFY2(shown.exitCode == 0, shown.error);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QList<QByteArray> lines = file.readAll().split('\n');
        QCOMPARE(lines.takeFirst(), QByteArray("seconds,attempt,rank,node,figure,detail,value\r"));
        QVERIFY(lines.takeLast().isEmpty());
        QSet<QByteArray> figures;
        for (const QByteArray& line : lines) {
            const QList<QByteArray> cells = line.trimmed().split(',');
            QVERIFY2(cells.size() == 7, line);
            bool isNumber = false;
            QVERIFY2(cells[0].toDouble(&isNumber) > -60 && isNumber, line);
            (void)cells[6].toDouble(&isNumber);
            QVERIFY2(isNumber, line);
            figures.insert(cells[4] + " " + cells[2] + " " + cells[5]);
        }
        for (const char* figure :
             {"printed_value 0 loss", "printed_value 1 step", "worker_cpu_cores 1 ",
              "worker_resident_memory_bytes 0 ", "node_cpu_ratio  ", "operations  all_reduce",
              "operation_bytes  all_reduce", "operation_busbw_bytes_per_second  all_reduce"})
            QVERIFY2(figures.contains(figure), figure);
        QVERIFY(!figures.contains("printed_value 0 api_token"));
    }

private Q_SLOTS:
    void theAgentTellsTheFiguresOfARunThatGoesOn()
    {
        Ringmaster ringmaster(runtime());
        const auto process = train(ringmaster, {});
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(hasAll(text = ringmaster.run({"metrics"}).output), text, 240'000);
        check(text);
        QVERIFY2(!text.contains("hidden") && !text.contains("token"), text);
        endOf(ringmaster, *process);
        const auto over = ringmaster.run({"metrics"});
        QVERIFY2(over.exitCode == 2 && over.output.isEmpty() && !over.error.isEmpty(), over.error);
    }

    void thePortServesThemAsLongAsItGoesOn()
    {
        Ringmaster ringmaster(runtime());
        const auto process = train(ringmaster, {"--metrics", "0"});
        QVERIFY(waitForText(*process, "/metrics.", QProcess::StandardError));
        const auto recordedPort = [&ringmaster] {
            return QRegularExpression("http://127\\.0\\.0\\.1:(\\d+)/metrics")
                .match(QString::fromUtf8(ringmaster.run({"show", "--events"}).output))
                .captured(1)
                .toInt();
        };
        int port = 0; // It is told before it is recorded.
        QTRY_VERIFY((port = recordedPort()) > 0);
        QByteArray text;
        QTRY_VERIFY2_WITH_TIMEOUT(hasAll(text = fetched(port)), text, 240'000);
        QVERIFY(text.startsWith("HTTP/1.1 200 OK\r\n"));
        check(text.mid(text.indexOf("\r\n\r\n") + 4));
        QVERIFY2(!text.contains("hidden") && !text.contains("token"), text);
        endOf(ringmaster, *process);
        QVERIFY(fetched(port).isEmpty());
        checkTable(ringmaster);
    }

    void aPortThatIsTakenIsSaidAndTheJobRuns()
    {
        QTcpServer other;
        QVERIFY(other.listen(QHostAddress::LocalHost));
        const Ringmaster ringmaster;
        const QByteArray port = QByteArray::number(other.serverPort());
        const auto done =
            ringmaster.run({"run", "--standalone", "--metrics", port, "--no-python", "/bin/true"});
        QCOMPARE(done.exitCode, 0);
        QVERIFY2(done.error.contains("Port " + port + " is taken by another program"), done.error);
        const auto wrong = ringmaster.run(
            {"run", "--standalone", "--metrics", "70000", "--no-python", "/bin/true"});
        QVERIFY2(wrong.exitCode == 2 && wrong.error.contains("65535"), wrong.error);
    }
};

QTEST_GUILESS_MAIN(tst_metrics_command)
#include "tst_metrics_command.moc"
