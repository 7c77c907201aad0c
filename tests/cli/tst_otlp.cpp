#include "tests/cli/Ringmaster.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QtTest>

#include <algorithm>

namespace {

/// Of tests/cli/programs/otlp_server.py.
class Collector
{
public:
    Collector(const Ringmaster& ringmaster, const QString& behaviour)
        : m_file(ringmaster.folder() + "/" + behaviour + ".jsonl")
    {
        QFile::remove(m_file); // of another test
        m_process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
        m_process.start("python3", {RINGMASTER_SOURCE_DIR "/tests/cli/programs/otlp_server.py",
                                    behaviour, m_file});
        while (!m_process.canReadLine() && m_process.waitForReadyRead(60'000)) {
        }
        m_url = "http://127.0.0.1:" + QString::fromUtf8(m_process.readLine()).trimmed();
    }
    ~Collector()
    {
        m_process.kill();
        m_process.waitForFinished();
    }

    const QString& url() const { return m_url; }
    const QString& file() const { return m_file; }
    QList<QJsonObject> requests() const
    {
        QList<QJsonObject> all;
        QFile file(m_file);
        if (file.open(QIODevice::ReadOnly))
            while (!file.atEnd())
                all.append(QJsonDocument::fromJson(file.readLine()).object());
        return all;
    }

private:
    QString m_file;
    QString m_url;
    QProcess m_process;
};

} // namespace

/// `ringmaster export --otlp`: a run as OpenTelemetry's traces and logs, in a file or sent to a
/// collector. packaging/check has OpenTelemetry's own messages read the file.
class tst_otlp : public QObject
{
    Q_OBJECT

private:
    /// What is in the file: spans by name, and the bodies of the log records.
    struct Read
    {
        QMap<QString, QJsonObject> spans;
        QStringList bodies;
        QJsonArray records;
    };

    static Read read(const QString& path)
    {
        Read all;
        QFile file(path);
        if (!file.open(QIODevice::ReadOnly))
            qFatal("%s", qPrintable(file.errorString()));
        while (!file.atEnd()) {
            const QJsonDocument line = QJsonDocument::fromJson(file.readLine());
            for (const QJsonValue& span :
                 line["resourceSpans"][0]["scopeSpans"][0]["spans"].toArray())
                all.spans[span["name"].toString()] = span.toObject();
            for (const QJsonValue& record :
                 line["resourceLogs"][0]["scopeLogs"][0]["logRecords"].toArray()) {
                all.bodies += record["body"]["stringValue"].toString();
                all.records.append(record);
            }
        }
        return all;
    }

    /// The run that has 1200 lines of output.
    Ringmaster::Outcome send(const QStringList& options, const QStringList& variables = {})
    {
        const QProcessEnvironment before = m_ringmaster.environment();
        for (const QString& variable : variables)
            m_ringmaster.environment().insert(variable.section('=', 0, 0),
                                              variable.section('=', 1));
        auto sent = m_ringmaster.run(QStringList{"export", "long"} + options);
        m_ringmaster.environment() = before;
        return sent;
    }

    Ringmaster m_ringmaster;

    static QJsonValue statusOf(const QJsonObject& span) { return span["status"]; }

private Q_SLOTS:
    void initTestCase()
    {
        const auto done = m_ringmaster.run({"run", "--standalone", "--name", "long", "--env",
                                            "MY_PASSWORD=hidden-word", "--no-python", "/bin/sh",
                                            "-c", "echo it says $MY_PASSWORD; seq 1 1199"});
        QVERIFY2(done.exitCode == 0, done.error);
    }

    void aRunWithARestartIsATrace()
    {
        const Ringmaster ringmaster;
        const auto done =
            ringmaster.run({"run", "--standalone", "--max-restarts", "1", "--name", "twice",
                            "--env", "MY_PASSWORD=hidden-word", "--no-python", "/bin/sh", "-c",
                            "echo it says $MY_PASSWORD; test $TORCHELASTIC_RESTART_COUNT = 1"});
        QVERIFY2(done.exitCode == 0, done.error);
        const QString path = ringmaster.folder() + "/twice.jsonl";
        const auto written = ringmaster.run({"export", "twice", "--otlp", path});
        QVERIFY2(written.exitCode == 0 && written.error.contains("Wrote " + path.toUtf8()),
                 written.error);
        const Read all = read(path);
        const QJsonObject root = all.spans["twice"];
        QCOMPARE(root["traceId"].toString().size(), 32);
        QCOMPARE(root["spanId"].toString().size(), 16);
        QVERIFY(!root.contains("parentSpanId"));
        QCOMPARE(statusOf(root)["code"].toInt(), 1);
        for (const char* name : {"attempt 0", "attempt 1", "restart"}) {
            const QJsonObject span = all.spans[name];
            QCOMPARE(span["parentSpanId"], root["spanId"]);
            QVERIFY(span["startTimeUnixNano"].toString().toLongLong() > 0);
            QVERIFY(span["endTimeUnixNano"].toString().toLongLong() >=
                    span["startTimeUnixNano"].toString().toLongLong());
        }
        QCOMPARE(statusOf(all.spans["attempt 0"])["code"].toInt(), 2);
        QCOMPARE(all.spans["rank 0"]["parentSpanId"], all.spans["attempt 1"]["spanId"]);
        QCOMPARE(all.bodies.count("it says ***********"), 2);
        QVERIFY(!all.bodies.join("\n").contains("hidden"));
        for (const QJsonValue& record : all.records)
            QCOMPARE(record["traceId"], root["traceId"]);
    }

    void theLogCanStayBehind()
    {
        const Ringmaster ringmaster;
        const auto done = ringmaster.run({"run", "--standalone", "--name", "one", "--no-python",
                                          "/bin/sh", "-c", "echo said; exit 3"});
        QCOMPARE(done.exitCode, 1);
        const QString path = ringmaster.folder() + "/one.jsonl";
        const auto written =
            ringmaster.run({"export", "one", "--otlp", path, "--without-logs", "--json"});
        QVERIFY2(written.exitCode == 0, written.error);
        QVERIFY(QJsonDocument::fromJson(written.output)["spans"].toInt() >= 3);
        const Read all = read(path);
        QVERIFY(!all.bodies.contains("said"));
        QCOMPARE(statusOf(all.spans["one"])["code"].toInt(), 2);
        QVERIFY(statusOf(all.spans["rank 0"])["message"].toString().contains("exit code 3"));
    }

    void aCollectorIsSentAllOfIt()
    {
        const Collector collector(m_ringmaster, "good");
        const auto sent = send({"--otlp-http", collector.url() + "/", "--json"},
                               {"OTEL_EXPORTER_OTLP_HEADERS=api-key=it%20is%20me , other=1"});
        QVERIFY2(sent.exitCode == 0, sent.error);
        const QJsonDocument told = QJsonDocument::fromJson(sent.output);
        int spans = 0;
        QStringList bodies;
        for (const QJsonObject& request : collector.requests()) {
            QCOMPARE(request["type"].toString(), QString("application/json"));
            QCOMPARE(request["key"].toString(), QString("it is me"));
            const QJsonValue body = request["body"];
            const bool isTraces = request["path"].toString() == "/v1/traces";
            QVERIFY(isTraces || request["path"].toString() == "/v1/logs");
            const QJsonArray list =
                isTraces ? body["resourceSpans"][0]["scopeSpans"][0]["spans"].toArray()
                         : body["resourceLogs"][0]["scopeLogs"][0]["logRecords"].toArray();
            QVERIFY(!list.isEmpty() && list.size() <= 512);
            spans += isTraces ? int(list.size()) : 0;
            for (const QJsonValue& record : list)
                bodies += record["body"]["stringValue"].toString();
        }
        QCOMPARE(spans, told["spans"].toInt());
        QVERIFY(told["records"].toInt() >= 1200);
        QVERIFY(bodies.contains("1199") && bodies.contains("it says ***********"));
        QVERIFY(!bodies.join("\n").contains("hidden"));
    }

    /// In the environment that packaging/check has set up.
    void openTelemetrysOwnMessagesReadWhatIsSent()
    {
        const QString tools = QStringLiteral(RINGMASTER_SOURCE_DIR "/build/tools/bin/python");
        const QString python = QFile::exists(tools) ? tools : QStringLiteral("python3");
        if (QProcess::execute(python, {"-c", "import opentelemetry.proto.trace.v1.trace_pb2"}) != 0)
            QSKIP("opentelemetry-proto isn't there");
        const Collector collector(m_ringmaster, "good");
        const auto sent = send({"--otlp-http"}, {"OTEL_EXPORTER_OTLP_ENDPOINT=" + collector.url()});
        QVERIFY2(sent.exitCode == 0, sent.error);
        QFile lines(m_ringmaster.folder() + "/bodies.jsonl");
        QVERIFY(lines.open(QIODevice::WriteOnly));
        for (const QJsonObject& request : collector.requests())
            lines.write(QJsonDocument(request["body"].toObject()).toJson(QJsonDocument::Compact) +
                        "\n");
        lines.close();
        QProcess reader;
        reader.start(python,
                     {RINGMASTER_SOURCE_DIR "/tests/cli/programs/check_otlp.py", lines.fileName()});
        QVERIFY(reader.waitForFinished(60'000));
        QVERIFY2(reader.exitCode() == 0, reader.readAllStandardError());
    }

    void whatACollectorDoesInsteadIsSaid_data()
    {
        QTest::addColumn<QByteArray>("said");
        QTest::newRow("refuse") << QByteArray("answered 400: no such ?[31mfield of OTLP");
        QTest::newRow("forbid") << QByteArray("401: who are you?; what it asks for is put into "
                                              "OTEL_EXPORTER_OTLP_HEADERS");
        QTest::newRow("full") << QByteArray("answered 429: later");
        QTest::newRow("hang") << QByteArray("hasn't answered within 2 s");
        QTest::newRow("close") << QByteArray("ended the connection without an answer");
        QTest::newRow("garbage") << QByteArray("doesn't speak HTTP");
        QTest::newRow("endless") << QByteArray("answered 400: ?[31mendless");
        QTest::newRow("early") << QByteArray("answered 400: too much");
    }

    void whatACollectorDoesInsteadIsSaid()
    {
        QFETCH(QByteArray, said);
        const QString behaviour = QTest::currentDataTag();
        const Collector collector(m_ringmaster, behaviour);
        QStringList variables{"OTEL_EXPORTER_OTLP_HEADERS=api-key=secret-key"};
        if (behaviour == "hang")
            variables += "OTEL_EXPORTER_OTLP_TIMEOUT=2000";
        const auto sent = send({"--otlp-http", collector.url()}, variables);
        QCOMPARE(sent.exitCode, 2);
        QVERIFY2(sent.error.contains(said), sent.error);
        QVERIFY(sent.error.contains(collector.url().toUtf8() + "/v1/"));
        QVERIFY(!sent.error.contains("secret-key") && sent.error.size() < 700);
        if (behaviour == "full")
            QCOMPARE(collector.requests().size(), qsizetype(5));
    }

    void whatIsTooMuchForItNowIsSentAgain()
    {
        const Collector collector(m_ringmaster, "busy");
        const auto sent = send({"--without-logs", "--otlp-http", collector.url()});
        QVERIFY2(sent.exitCode == 0, sent.error);
        const auto requests = collector.requests();
        QVERIFY(requests.size() >= 3);
        QCOMPARE(requests[0]["body"], requests[2]["body"]);
        QCOMPARE(requests[0]["path"], requests[2]["path"]);
    }

    void whatItDoesNotKeepIsSaid()
    {
        const Collector collector(m_ringmaster, "part");
        const auto sent = send({"--otlp-http", collector.url()});
        QVERIFY2(sent.exitCode == 0, sent.error);
        const auto logs = std::ranges::count_if(collector.requests(), [](const QJsonObject& each) {
            return each["path"].toString() == "/v1/logs";
        });
        const QByteArray said =
            "didn't keep " + QByteArray::number(qlonglong(2 * logs)) + " of them: too old";
        QVERIFY2(sent.error.contains(said), sent.error);
    }

    void aWrongAddressIsSaid_data()
    {
        QTest::addColumn<QString>("url");
        QTest::addColumn<QString>("variable");
        QTest::addColumn<QByteArray>("said");
        const QString none;
        QTest::newRow("nobody there")
            << "http://127.0.0.1:1" << none << QByteArray("http://127.0.0.1:1/v1/");
        QTest::newRow("TLS") << "https://otel.example" << none << QByteArray("only http is spoken");
        QTest::newRow("no address") << "localhost:4318" << none << QByteArray("isn't a collector");
        QTest::newRow("a password")
            << "http://me:word@localhost" << none << QByteArray("isn't a collector");
        QTest::newRow("a port") << "http://localhost:70000" << none
                                << QByteArray("isn't a collector");
        QTest::newRow("headers") << "http://127.0.0.1:1"
                                 << "OTEL_EXPORTER_OTLP_HEADERS=a=b%0d%0ac"
                                 << QByteArray("OTEL_EXPORTER_OTLP_HEADERS isn't");
        QTest::newRow("timeout") << "http://127.0.0.1:1"
                                 << "OTEL_EXPORTER_OTLP_TIMEOUT=soon"
                                 << QByteArray("OTEL_EXPORTER_OTLP_TIMEOUT is");
    }

    void aWrongAddressIsSaid()
    {
        QFETCH(QString, url);
        QFETCH(QString, variable);
        QFETCH(QByteArray, said);
        const QStringList variables = variable.isEmpty() ? QStringList() : QStringList{variable};
        const auto sent = send({"--otlp-http", url}, variables);
        QCOMPARE(sent.exitCode, 2);
        QVERIFY2(sent.error.contains(said), sent.error);
    }
};

QTEST_GUILESS_MAIN(tst_otlp)
#include "tst_otlp.moc"
