#include "engine/lesson/ClassSheet.h"
#include "engine/lesson/Codes.h"

#include <QtTest>

#include <algorithm>

using namespace ringmaster;
using lesson::ClassSheet;
using lesson::LearnerAnswers;

namespace {

std::filesystem::path fileIn(const QTemporaryDir& folder)
{
    return folder.filePath(QStringLiteral("lessons.json")).toStdString();
}

LearnerAnswers ada()
{
    return {.learner = "Ada",
            .lessons = {{.lesson = "deadlock", .attempts = 3, .right = 2, .questions = 3},
                        {.lesson = "ring", .attempts = 1, .right = 1, .tasks = 1}}};
}

} // namespace

/// What learners hand in, and the table that a teacher makes of it.
class tst_class_sheet : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void answersAreWhatTheLearnerGave()
    {
        const QTemporaryDir folder;
        auto progress = lesson::Progress::load(fileIn(folder));
        const auto saved = progress.change([](lesson::Progress& now) {
            now.ran("ring");
            now.answered("deadlock", 0, false);
            now.answered("deadlock", 0, true);
            now.answered("deadlock", 1, true);
            now.solved("ring", 0);
        });
        QVERIFY(saved.has_value());
        const auto again = lesson::Progress::load(fileIn(folder));
        const LearnerAnswers answers = lesson::answersOf(again, "Ada", {{"deadlock", 3}});
        const LearnerAnswers wanted{
            .learner = "Ada",
            .lessons = {{.lesson = "deadlock", .attempts = 3, .right = 2, .questions = 3},
                        {.lesson = "ring", .tasks = 1}}};
        QVERIFY(answers == wanted);
        const auto read = lesson::parseAnswers(lesson::answersText(answers));
        QVERIFY(read.has_value());
        QVERIFY(*read == answers);
    }

    /// From before attempts were counted.
    void whatWasRightOnceWasAnAttempt()
    {
        const QTemporaryDir folder;
        QFile file(QString::fromStdString(fileIn(folder)));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("{\"ring\": {\"hasRun\": true, \"questions\": [0, 2], \"tasks\": []}}");
        file.close();
        QCOMPARE(lesson::Progress::load(fileIn(folder)).attempts("ring"), size_t(2));
    }

    /// Whatever the order in which files come: a count only grows.
    void theLaterOfTwoHandsInsCounts()
    {
        LearnerAnswers later = ada();
        later.lessons[0].attempts = 5;
        later.lessons[0].right = 3;
        for (const bool isLaterFirst : {false, true}) {
            ClassSheet sheet;
            sheet.add(isLaterFirst ? later : ada());
            sheet.add(isLaterFirst ? ada() : later);
            sheet.add({.learner = "Grace", .lessons = {{.lesson = "ring"}}});
            const auto rows = sheet.rows();
            QCOMPARE(rows.size(), size_t(3));
            QCOMPARE(rows[0].learner, std::string("Ada"));
            QCOMPARE(rows[0].answers.attempts, size_t(5));
            QCOMPARE(rows[1].answers.lesson, std::string("ring"));
            QCOMPARE(rows[2].learner, std::string("Grace"));
        }
    }

    /// A name that begins like a formula is a name.
    void noCellIsAFormula()
    {
        ClassSheet sheet;
        sheet.add({.learner = "=HYPERLINK(\"http://x\", \"y\")", .lessons = {{.lesson = "ring"}}});
        sheet.add({.learner = "O, Ada", .lessons = {{.lesson = "-1"}}});
        QCOMPARE(sheet.csv(),
                 std::string("learner,lesson,attempts,right,questions,tasks\r\n"
                             "\"'=HYPERLINK(\"\"http://x\"\", \"\"y\"\")\",ring,0,0,,0\r\n"
                             "\"O, Ada\",'-1,0,0,,0\r\n"));
    }

    void jsonHasTheSameRows()
    {
        ClassSheet sheet;
        sheet.add(ada());
        const auto rows = QJsonDocument::fromJson(QByteArray::fromStdString(sheet.json())).array();
        QCOMPARE(rows.size(), 2);
        QCOMPARE(rows[0]["learner"].toString(), QStringLiteral("Ada"));
        QCOMPARE(rows[0]["questions"].toInt(), 3);
        QVERIFY(rows[1]["questions"].isUndefined());
    }

    void whatIsNoFileOfAnswersIsRefused_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("key");
        QTest::newRow("nothing") << QByteArray() << QByteArray("format");
        QTest::newRow("no JSON") << QByteArray("learner = Ada") << QByteArray("format");
        QTest::newRow("a list") << QByteArray("[1]") << QByteArray("format");
        QTest::newRow("another format") << QByteArray(R"({"format": 2})") << QByteArray("format");
        QTest::newRow("no name") << QByteArray(R"({"format": 1, "lessons": []})")
                                 << QByteArray("learner");
        QTest::newRow("two lines")
            << QByteArray(R"({"format": 1, "learner": "a\nb", "lessons": []})")
            << QByteArray("learner");
        QTest::newRow("no lessons")
            << QByteArray(R"({"format": 1, "learner": "a"})") << QByteArray("lessons");
        QTest::newRow("a lesson that is none")
            << QByteArray(R"({"format": 1, "learner": "a", "lessons": [3]})")
            << QByteArray("lessons");
        QTest::newRow("a negative count")
            << QByteArray(
                   R"({"format": 1, "learner": "a", "lessons": [{"lesson": "x", "right": -1}]})")
            << QByteArray("right");
        QTest::newRow("an endless count")
            << QByteArray(
                   R"({"format": 1, "learner": "a", "lessons": [{"lesson": "x", "attempts": 1e99}]})")
            << QByteArray("attempts");
    }

    void whatIsNoFileOfAnswersIsRefused()
    {
        QFETCH(const QByteArray, text);
        QFETCH(const QByteArray, key);
        const auto read = lesson::parseAnswers(text.toStdString());
        QVERIFY(!read.has_value());
        QVERIFY(read.error().code == code::AnswersMalformed);
        QCOMPARE(read.error().parameters.at("key"), key.toStdString());
    }
};

QTEST_GUILESS_MAIN(tst_class_sheet)
#include "tst_class_sheet.moc"
