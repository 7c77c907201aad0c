#include "engine/control/TraceWriter.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <sstream>

using namespace ringmaster;

class tst_trace_writer : public QObject
{
    Q_OBJECT

private:
    static QJsonArray eventsOf(const std::ostringstream& out)
    {
        const QJsonDocument json = QJsonDocument::fromJson(QByteArray::fromStdString(out.str()));
        return json["traceEvents"].toArray();
    }

private Q_SLOTS:
    void whatOverlapsStandsInLanes()
    {
        std::ostringstream out;
        TraceWriter writer(out, 1000);
        const TraceWriter::Row row{1, "collectives"};
        writer.write(row, {.name = "a", .fromNs = 2000, .untilNs = 6000});
        writer.write(row, {.name = "b", .fromNs = 4000, .untilNs = 5000});
        writer.write(row, {.name = "c", .fromNs = 5000, .untilNs = 9000});
        writer.write({1, "process"}, {.name = "d", .fromNs = 1000, .untilNs = 9500});
        writer.finish();
        QStringList told;
        for (const QJsonValue& event : eventsOf(out))
            if (event["ph"] == "X")
                told += QString("%1 %2 %3+%4")
                            .arg(event["name"].toString())
                            .arg(event["tid"].toInt())
                            .arg(event["ts"].toDouble())
                            .arg(event["dur"].toDouble());
        QCOMPARE(told, (QStringList{"a 1 1+4", "b 2 3+1", "c 2 4+4", "d 3 0+8.5"}));
    }

    void anyTextAndAnyTimesAreAFile()
    {
        std::ostringstream out;
        TraceWriter writer(out, 0);
        writer.name(1, "\xff\"\n", 0);
        writer.write({1, "x"}, {.name = "\xc3", .fromNs = 5, .untilNs = 1});
        for (int i = 0; i < 1000; ++i) // more than there are lanes
            writer.write({1, "x"}, {.name = "at once", .fromNs = 0, .untilNs = 10});
        writer.mark(1, "restart", -1, {{"cause", "\x80"}});
        writer.finish();
        const QJsonArray events = eventsOf(out);
        QVERIFY(events.size() > 1000);
        for (const QJsonValue& event : events)
            QVERIFY(event["dur"].toDouble() >= 0 && event["tid"].toInt() <= 64);
    }

    void anEmptyTraceIsAFile()
    {
        std::ostringstream out;
        TraceWriter(out, 0).finish();
        QVERIFY(
            QJsonDocument::fromJson(QByteArray::fromStdString(out.str()))["traceEvents"].isArray());
    }
};

QTEST_GUILESS_MAIN(tst_trace_writer)
#include "tst_trace_writer.moc"
