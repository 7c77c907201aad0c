#include "tests/cli/Ringmaster.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

/// `ringmaster export --otlp`: a run as OpenTelemetry's traces and logs. packaging/check has
/// OpenTelemetry's own messages read them.
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

    static QJsonValue statusOf(const QJsonObject& span) { return span["status"]; }

private Q_SLOTS:
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
};

QTEST_GUILESS_MAIN(tst_otlp)
#include "tst_otlp.moc"
