#include "engine/base/LoopThread.h"
#include "engine/control/Codes.h"
#include "engine/control/LiveSamples.h"
#include "engine/control/MetricsEndpoint.h"
#include "engine/control/PrometheusText.h"
#include "engine/control/RunMetrics.h"
#include "tests/TestMain.h"

#include <QProcess>
#include <QStandardPaths>
#include <QtTest>

#include <atomic>
#include <cmath>
#include <future>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace ringmaster;
using namespace std::chrono_literals;

namespace {

/// One of each kind of figure.
RunMetrics everything()
{
    RunMetrics metrics;
    RunSnapshot& run = metrics.snapshot;
    run.run = "train-7";
    run.started = {.name = "a \"wide\" net", .ringmasterVersion = "1.0"};
    run.state = RunState::Running;
    run.startedAt = {1, 1'700'000'000'000'000'000};
    run.attempt = 1;
    run.restartsUsed = 1;
    run.restartBudget = 3;
    run.worldSize = 2;
    for (int rank = 0; rank < 2; ++rank)
        run.workers.push_back({.assignment = {.localRank = rank, .globalRank = rank, .role = "r"},
                               .node = "gpu1",
                               .attempt = 1,
                               .state = WorkerState::Healthy});
    run.verdicts.push_back(
        {.verdict = {
             .id = 1, .attempt = 1, .kind = Verdict::Kind::Hang, .guilty = {1}, .waiting = {0}}});
    metrics.workers[0] = {.attempt = 1, .cpuFraction = 0.5, .residentBytes = 1'000'000};
    metrics.nodes["gpu1"] = {.processors = 8,
                             .cpuFraction = 0.25,
                             .network = {10, 20},
                             .loopback = 30,
                             .gpus = {{.index = 0,
                                       .name = "H100",
                                       .utilisation = 0.75,
                                       .usedBytes = 5,
                                       .totalBytes = 10,
                                       .nvlink = Traffic{1, 2},
                                       .pcie = Traffic{3, 4}}}};
    OperationSummary operations;
    operations.attempt = 1;
    operations.spanNs = 1'000'000'000;
    diagnose::BandwidthRow row;
    row.kind = ledger::OperationKind::AllReduce;
    row.group.members = {0, 1};
    row.count = 4;
    row.bytes = 4000;
    row.transferNs = 2'000'000'000;
    row.feltNs = 3'000'000'000;
    operations.rows.push_back(row);
    operations.series.push_back({.kind = ledger::OperationKind::AllReduce,
                                 .points = {{.fromNs = 95'000'000'000,
                                             .count = 4,
                                             .bytes = 4000,
                                             .busBytes = 4000,
                                             .transferNs = 2'000'000'000}}});
    operations.steps = diagnose::StepRate{
        .operations = 1, .steps = 9, .periodNs = 500'000'000, .measuredNs = 99'000'000'000};
    metrics.recorded.operations = operations;
    metrics.recorded.nowNs = 100'000'000'000;
    metrics.recorded.numbers.latest = {{.name = "loss", .rank = 0, .value = 0.5},
                                       {.name = "odd", .rank = 1, .value = std::nan("")},
                                       {.name = "api_token", .rank = 0, .value = 123456}};
    metrics.recorded.numbers.progress = NumberSummary::Progress{.part = 0.4};
    return metrics;
}

QByteArray textOf(const RunMetrics& metrics)
{
    return QByteArray::fromStdString(prometheusText(metrics));
}

/// A client that does what it likes.
class Client
{
public:
    explicit Client(int port) : m_socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0))
    {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(static_cast<std::uint16_t>(port));
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        m_isConnected = ::connect(m_socket.get(), reinterpret_cast<sockaddr*>(&address), // NOLINT
                                  sizeof address) == 0;
    }

    bool isConnected() const { return m_isConnected; }

    void send(const std::string& bytes)
    {
        (void)::send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    }

    /// Until the other end closes.
    QByteArray rest()
    {
        QByteArray all;
        std::array<char, 4096> buffer{};
        for (;;) {
            const ssize_t got = ::recv(m_socket.get(), buffer.data(), buffer.size(), 0);
            if (got <= 0)
                return all;
            all.append(buffer.data(), static_cast<qsizetype>(got));
        }
    }

    QByteArray ask(const std::string& request)
    {
        send(request);
        return rest();
    }

private:
    FileDescriptor m_socket;
    bool m_isConnected = false;
};

/// An endpoint on a loop of its own.
class Served
{
public:
    explicit Served(MetricsEndpoint::Limits limits = {}, std::string text = "figure 1\n")
        : m_text(std::move(text))
    {
        std::promise<void> opened;
        m_thread.post([&] {
            m_endpoint = MetricsEndpoint::open(
                             m_thread.loop(), 0,
                             [this] {
                                 ++asked;
                                 if (!isLate)
                                     m_endpoint->show(m_text);
                             },
                             limits)
                             .value();
            opened.set_value();
        });
        opened.get_future().get();
    }

    ~Served()
    {
        std::promise<void> closed;
        m_thread.post([&] {
            m_endpoint.reset();
            closed.set_value();
        });
        closed.get_future().get();
    }
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;

    int port() const { return m_endpoint->port(); }
    EventLoop& loop() { return m_thread.loop(); }

    /// The text that is late.
    void show()
    {
        m_thread.post([this] { m_endpoint->show(m_text); });
    }

    std::atomic<int> asked = 0;
    std::atomic<bool> isLate = false;

private:
    std::string m_text;
    LoopThread m_thread{"test"};
    std::unique_ptr<MetricsEndpoint> m_endpoint;
};

const std::string Get = "GET /metrics HTTP/1.1\r\nHost: localhost:9400\r\n\r\n";

} // namespace

/// A run's figures for Prometheus: their text, and the port that serves it.
class tst_metrics : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void figuresHaveTheirNamesAndLabels()
    {
        const QByteArray text = textOf(everything());
        for (const char* line :
             {"# TYPE ringmaster_worker_restarts_total counter\n",
              "ringmaster_run_info{run=\"train-7\",name=\"a \\\"wide\\\" net\",version=\"1.0\"} "
              "1\n",
              "ringmaster_run_health{run=\"train-7\",health=\"hanging\"} 1\n",
              "ringmaster_run_health{run=\"train-7\",health=\"running\"} 0\n",
              "ringmaster_run_start_time_seconds{run=\"train-7\"} 1700000000\n",
              "ringmaster_run_restarts_total{run=\"train-7\"} 1\n",
              "ringmaster_worker_restarts_total{run=\"train-7\",rank=\"1\"} 1\n",
              "ringmaster_worker_up{run=\"train-7\",rank=\"0\",node=\"gpu1\",role=\"r\"} 1\n",
              "ringmaster_verdicts{run=\"train-7\",kind=\"hang\"} 1\n",
              "ringmaster_verdict_guilty_ranks{run=\"train-7\",kind=\"hang\",rank=\"1\"} 1\n",
              "ringmaster_operation_bytes_total{run=\"train-7\",operation=\"all_reduce\"} 4000\n",
              "ringmaster_operation_bus_bytes_total{run=\"train-7\",operation=\"all_reduce\"} "
              "4000\n",
              "ringmaster_operation_busbw_bytes_per_second{run=\"train-7\",operation=\"all_"
              "reduce\"} 2000\n",
              "ringmaster_steps_per_second{run=\"train-7\"} 2\n",
              "ringmaster_printed_value{run=\"train-7\",name=\"loss\",rank=\"0\"} 0.5\n",
              "ringmaster_printed_value{run=\"train-7\",name=\"odd\",rank=\"1\"} NaN\n",
              "ringmaster_worker_cpu_cores{run=\"train-7\",rank=\"0\"} 0.5\n",
              "ringmaster_gpu_utilization_ratio{run=\"train-7\",node=\"gpu1\",gpu=\"0\",model="
              "\"H100\"} 0.75\n"})
            QVERIFY2(text.contains(line), line + text);
    }

    void whatASecretIsCalledIsNotThere() { QVERIFY(!textOf(everything()).contains("token")); }

    void whatWasNotMeasuredIsNotThere()
    {
        RunMetrics metrics = everything();
        metrics.workers.clear();
        metrics.nodes["gpu1"].gpus[0].utilisation.reset();
        metrics.recorded = {};
        const QByteArray text = textOf(metrics);
        for (const char* name : {"operation", "steps", "printed", "worker_cpu", "utilization"})
            QVERIFY2(!text.contains(name), name);
        QVERIFY(text.contains("ringmaster_gpu_memory_used_bytes"));
    }

    void labelsAreEscapedAndValid()
    {
        PrometheusText writer({"run", "r"});
        writer.family("one", PrometheusText::Type::Gauge, "One.");
        writer.family("two", PrometheusText::Type::Gauge, "Two.");
        writer.sample(std::numeric_limits<double>::infinity(), {{"name", "a\\b\"c\nd"}});
        writer.sample(-1, {{"name", "caf\xe9"}});
        writer.sample(2, {{"name", std::string(199, 'x') + "é"}});
        const std::string text = std::move(writer).text();
        QCOMPARE(text, "# HELP two Two.\n# TYPE two gauge\n"
                       "two{run=\"r\",name=\"a\\\\b\\\"c\\nd\"} +Inf\n"
                       "two{run=\"r\",name=\"caf?\"} -1\n"
                       "two{run=\"r\",name=\"" +
                           std::string(199, 'x') + "\"} 2\n");
    }

    void promtoolFindsNothingToSay()
    {
        const QString promtool = QStandardPaths::findExecutable("promtool");
        if (promtool.isEmpty())
            QSKIP("promtool is missing (Debian's package prometheus)");
        QProcess check;
        check.start(promtool, {"check", "metrics"});
        check.write(textOf(everything()));
        check.closeWriteChannel();
        QVERIFY(check.waitForFinished(240'000));
        const QByteArray said = check.readAllStandardOutput() + check.readAllStandardError();
        QVERIFY2(check.exitCode() == 0 && said.isEmpty(), said);
    }

    void samplesOfOthersAndOldOnesAreNotTold()
    {
        const LiveSamples::Time now{};
        LiveSamples samples;
        Event event{.node = "gpu1", .body = ProcessSample{.globalRank = 0, .residentBytes = 5}};
        samples.happened(event, now);
        event.body = ProcessSample{.globalRank = 1, .residentBytes = 6};
        samples.happened(event, now);
        event.body = DeviceSample{.processors = 3};
        samples.happened(event, now);
        QCOMPARE(samples.workers(now).at(1).residentBytes, std::int64_t(6));
        event.body = WorkerExited{.globalRank = 1};
        samples.happened(event, now);
        QCOMPARE(samples.workers(now).size(), size_t(1));
        QCOMPARE(samples.nodes(now).at("gpu1").processors, 3);
        QVERIFY(samples.workers(now + 1min).empty());
        QVERIFY(samples.nodes(now + 1min).empty());
    }

    void thePortServesTheText()
    {
        Served served;
        const QByteArray reply = Client(served.port()).ask(Get);
        QVERIFY2(reply.startsWith("HTTP/1.1 200 OK\r\nContent-Type: text/plain; version=0.0.4"),
                 reply);
        QVERIFY2(reply.contains("Content-Length: 9\r\n") && reply.endsWith("\r\n\r\nfigure 1\n"),
                 reply);
        QVERIFY(Client(served.port())
                    .ask("HEAD /metrics?x HTTP/1.0\r\n\r\n")
                    .endsWith("Connection: close\r\n\r\n"));
    }

    void onlyLoopbackIsListenedOn()
    {
        Served served;
        QProcess listeners;
        const QByteArray port = QByteArray::number(served.port(), 16).rightJustified(4, '0');
        QFile table("/proc/net/tcp");
        QVERIFY(table.open(QIODevice::ReadOnly));
        const QByteArray sockets = table.readAll();
        QVERIFY(sockets.contains(" 0100007F:" + port.toUpper() + " 00000000:0000 0A"));
        QVERIFY(!sockets.contains(" 00000000:" + port.toUpper()));
    }

    void othersAreToldWhatIsThere_data()
    {
        QTest::addColumn<QByteArray>("request");
        QTest::addColumn<QByteArray>("status");
        QTest::newRow("path") << QByteArray("GET / HTTP/1.1\r\n\r\n") << QByteArray("404");
        QTest::newRow("method") << QByteArray("DELETE /metrics HTTP/1.1\r\n\r\n")
                                << QByteArray("405");
        QTest::newRow("host") << QByteArray("GET /metrics HTTP/1.1\r\nHOST: evil.example\r\n\r\n")
                              << QByteArray("403");
        QTest::newRow("noise") << QByteArray("\x16\x03\x01 hello\r\n\r\n") << QByteArray("400");
        QTest::newRow("nothing") << QByteArray("\r\n\r\n") << QByteArray("400");
        QTest::newRow("long") << QByteArray("GET /metrics HTTP/1.1\r\nX: ") + QByteArray(8192, 'x')
                              << QByteArray("431");
    }

    void othersAreToldWhatIsThere()
    {
        QFETCH(QByteArray, request);
        QFETCH(QByteArray, status);
        MetricsEndpoint::Limits limits;
        limits.requestBytes = static_cast<size_t>(std::max<qsizetype>(request.size(), 100));
        Served served(limits);
        const QByteArray reply = Client(served.port()).ask(request.toStdString());
        QVERIFY2(reply.startsWith("HTTP/1.1 " + status), reply);
        QCOMPARE(served.asked.load(), 0);
    }

    void whoeverSaysNothingIsLetGo()
    {
        MetricsEndpoint::Limits limits;
        limits.patience = 50ms;
        Served served(limits);
        Client silent(served.port());
        silent.send("GET /met");
        QCOMPARE(silent.rest(), QByteArray());
    }

    void manyWhoWaitKeepNobodyOut()
    {
        MetricsEndpoint::Limits limits;
        limits.connections = 4;
        limits.patience = 1h;
        Served served(limits);
        std::vector<std::unique_ptr<Client>> slow;
        for (int i = 0; i < 20; ++i) {
            slow.push_back(std::make_unique<Client>(served.port()));
            QVERIFY(slow.back()->isConnected());
            slow.back()->send("GET ");
        }
        QVERIFY(Client(served.port()).ask(Get).endsWith("figure 1\n"));
        QCOMPARE(slow.front()->rest(), QByteArray());
    }

    void aBurstOfQuestionsIsAnsweredFromOneLook()
    {
        MetricsEndpoint::Limits limits;
        limits.textAge = 1h;
        Served served(limits);
        for (int i = 0; i < 50; ++i)
            QVERIFY(Client(served.port()).ask(Get).endsWith("figure 1\n"));
        QCOMPARE(served.asked.load(), 1);
    }

    /// It is made of what is read from a disk.
    void aTextThatIsLateHoldsUpOnlyThoseWhoAskForIt()
    {
        MetricsEndpoint::Limits limits;
        limits.patience = 1h;
        limits.textAge = 1h;
        Served served(limits);
        served.isLate = true;
        Client first(served.port());
        Client second(served.port());
        first.send(Get);
        second.send(Get);
        QTRY_COMPARE(served.asked.load(), 1);
        QVERIFY(Client(served.port()).ask("GET / HTTP/1.1\r\n\r\n").startsWith("HTTP/1.1 404"));
        served.show();
        QVERIFY(first.rest().endsWith("figure 1\n"));
        QVERIFY(second.rest().endsWith("figure 1\n"));
        QCOMPARE(served.asked.load(), 1);
    }

    void whoWaitsForATextThatDoesNotComeIsLetGo()
    {
        MetricsEndpoint::Limits limits;
        limits.patience = 50ms;
        Served served(limits);
        served.isLate = true;
        QCOMPARE(Client(served.port()).ask(Get), QByteArray());
        served.show(); // nobody waits for it any more
    }

    void aLongTextComesWhole()
    {
        const std::string text(8U << 20U, 'x');
        Served served({}, text);
        QVERIFY(Client(served.port()).ask(Get).endsWith(QByteArray::fromStdString(text)));
    }

    void aPortThatIsTakenIsSaid()
    {
        Served served;
        const int port = served.port();
        std::promise<Result<void>> answer;
        served.loop().post([&] {
            answer.set_value(MetricsEndpoint::open(served.loop(), port, [] {
                             }).map([](const auto& /*endpoint*/) {}));
        });
        const auto taken = answer.get_future().get();
        QVERIFY(!taken);
        QVERIFY(taken.error().code == code::MetricsPortTaken);
        QVERIFY(describe(taken.error()).find("Port " + std::to_string(port) + " is taken") == 0);
    }
};

QTEST_GUILESS_MAIN(tst_metrics)
#include "tst_metrics.moc"
