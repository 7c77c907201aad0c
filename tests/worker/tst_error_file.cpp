#include "engine/base/Codes.h"
#include "engine/base/Files.h"
#include "engine/worker/ErrorFile.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

using namespace ringmaster;

class tst_error_file : public QObject
{
    Q_OBJECT

private:
    /// The form that torch's @record gives it; both texts with JSON's escapes.
    static std::string recorded(const std::string& message, const std::string& stack)
    {
        return "{\"message\": {\"message\": \"" + message +
               "\", \"extraInfo\": {\"py_callstack\": \"" + stack +
               "\", \"timestamp\": \"1763701628\"}}}";
    }

private Q_SLOTS:
    void readsWhatRecordWrites()
    {
        const auto report = parseErrorFile(
            recorded("ValueError: boom on 1",
                     "Traceback (most recent call last):\\n  File \\\"/x/rec.py\\\", "
                     "line 12, in main\\n    raise\\nValueError: boom on 1\\n"));
        QVERIFY(report.has_value());
        QCOMPARE(report->type, std::string("ValueError"));
        QCOMPARE(report->text, std::string("boom on 1"));
        QCOMPARE(report->file, std::string("/x/rec.py"));
        QCOMPARE(report->line, 12);
        QCOMPARE(*report->timestamp, std::int64_t{1763701628});
        QVERIFY(report->traceback.ends_with("ValueError: boom on 1\n"));
    }

    void readsAPlainTextMessage()
    {
        const auto report = parseErrorFile(R"({"message": "it broke", "timestamp": 12})");
        QCOMPARE(report->text, std::string("it broke"));
        QCOMPARE(report->type, std::string());
        QCOMPARE(*report->timestamp, std::int64_t{12});
        // Unlike torchrun, a missing time isn't the oldest one.
        QVERIFY(!parseErrorFile(R"({"message": "it broke"})")->timestamp.has_value());
    }

    /// In whatever form it stands there.
    void aMessageGoesWithoutTheStackThatTorchAppends()
    {
        const std::string stack = "Exception raised from f at a.cpp:1 (most recent call first):";
        const auto plain = parseErrorFile("RuntimeError: boom\n" + stack + "\nframe #0: main\n");
        QCOMPARE(plain->text, std::string("RuntimeError: boom"));
        QVERIFY(plain->traceback.starts_with(stack));
        const std::string message = "\"message\": \"RuntimeError: boom\\n" + stack + "\"";
        const auto text = parseErrorFile("{" + message + "}");
        QCOMPARE(text->text, std::string("boom"));
        const auto whole = parseErrorFile("{\"message\": {" + message +
                                          ", \"extraInfo\": {\"py_callstack\": \"Traceback\"}}}");
        QCOMPARE(whole->text, std::string("boom"));
        QCOMPARE(whole->traceback, std::string("Traceback"));
    }

    void isNeverUpsetByContent_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("no JSON") << QByteArray("half a li");
        QTest::newRow("cut off") << QByteArray("{\"message\": {\"message\": \"Va");
        QTest::newRow("a list") << QByteArray("[1, 2]");
        QTest::newRow("numbers") << QByteArray(R"({"message": 5})");
        QTest::newRow("null") << QByteArray(R"({"message": {"message": null, "extraInfo": []}})");
        QTest::newRow("odd time") << QByteArray(
            R"({"message": {"extraInfo": {"timestamp": 1e300}}})");
        QTest::newRow("deep") << QByteArray(200'000, '[');
        QTest::newRow("bytes") << QByteArray("{\"message\": \"\xff\xfe\"}");
    }

    void isNeverUpsetByContent()
    {
        QFETCH(QByteArray, content);
        const auto report = parseErrorFile(content.toStdString());
        QVERIFY(report.has_value());
        QVERIFY(!report->timestamp.has_value());
        QVERIFY(report->text.size() < 20'000);
    }

    void takesAnEmptyOrAbsentFileForNone()
    {
        QVERIFY(!parseErrorFile("").has_value());
        QVERIFY(!parseErrorFile(" \n").has_value());
        QVERIFY(!readErrorFile("/nowhere/error.json").has_value());
        QVERIFY(!readErrorFile({}).has_value());
    }

    void boundsALongTraceback()
    {
        const std::string stack(5'000'000, 'x');
        const auto report = parseErrorFile(recorded("E: t", stack));
        QVERIFY(report->traceback.size() <= 300'000);
    }

    void copiesTheRootCauseWithItsExitCode()
    {
        QTemporaryDir folder;
        const auto source = folder.filePath("source.json").toStdString();
        const auto target = folder.filePath("target.json").toStdString();
        QVERIFY(writeFileAtomically(
                    source, R"({"message": {"message": "E: t", "extraInfo": {"timestamp": "5"}}})")
                    .has_value());
        QVERIFY(copyErrorFile(source, {}, -9, target).has_value());
        const auto json =
            QJsonDocument::fromJson(QByteArray::fromStdString(*readFile(target))).object();
        QCOMPARE(json["message"]["errorCode"].toInt(), -9);
        QCOMPARE(json["message"]["message"].toString(), QString("E: t"));
        QCOMPARE(json["message"]["extraInfo"]["timestamp"].toString(), QString("5"));
    }

    void copiesWhatIsNestedDeepWithoutItsDepth()
    {
        QTemporaryDir folder;
        const auto source = folder.filePath("source.json").toStdString();
        const auto target = folder.filePath("target.json").toStdString();
        constexpr size_t Depth = 1'000'000;
        QVERIFY(writeFileAtomically(source, R"({"message": "E: t", "deep": )" +
                                                std::string(Depth, '[') + std::string(Depth, ']') +
                                                "}")
                    .has_value());
        QCOMPARE(readErrorFile(source)->text, std::string("t"));
        QVERIFY(copyErrorFile(source, {}, 1, target).has_value());
        QCOMPARE(readErrorFile(target)->text, std::string("t"));
    }

    void makesUpAFileWhereTheWorkerWroteNone()
    {
        QTemporaryDir folder;
        const auto target = folder.filePath("target.json").toStdString();
        QVERIFY(
            copyErrorFile("/nowhere", {.type = "KeyError", .text = "x", .timestamp = 4}, 1, target)
                .has_value());
        const auto report = readErrorFile(target);
        QCOMPARE(report->type, std::string("KeyError"));
        QCOMPARE(*report->timestamp, std::int64_t{4});
        QCOMPARE(copyErrorFile("/nowhere", {}, 1, "/nowhere/at/all").error().code,
                 code::FileNotWritable);
    }
};

QTEST_GUILESS_MAIN(tst_error_file)
#include "tst_error_file.moc"
