#include "engine/base/Codes.h"
#include "engine/base/Result.h"

#include <QtTest>

using namespace ringmaster;

class tst_error : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void rendersEveryCodeAsASentence()
    {
        for (const Code code : allCodes()) {
            const std::string sentence = describe(Message{code});
            QVERIFY2(sentence.size() > 3, std::string(codeName(code)).c_str());
            QVERIFY2(codeFromName(codeName(code)) == code, "the name leads back to the code");
        }
        QVERIFY(!codeFromName("NoSuchCode"));
    }

    void putsParametersAndContextIntoOneLine()
    {
        const Error error = Error{{code::FileNotFound, {{"path", "a.py"}}, {}}, {}}.during(
            code::TimedOut, {{"what", "start"}, {"seconds", "3"}});
        QCOMPARE(describe(error),
                 std::string("start did not happen within 3 s.: a.py does not exist."));
    }

    void leavesUnknownPlacesAsTheyAre()
    {
        QCOMPARE(substitute("{a} {b} {", {{"a", "1"}}), std::string("1 {b} {"));
    }

    void ranksAreWrittenWithTheirNoun_data()
    {
        QTest::addColumn<QByteArray>("ranks");
        QTest::addColumn<QByteArray>("sentence");
        QTest::newRow("one") << QByteArray("2") << QByteArray("Rank 2 waits for rank 2.");
        QTest::newRow("two") << QByteArray("0, 2")
                             << QByteArray("Ranks 0 and 2 wait for ranks 0 and 2.");
        QTest::newRow("ranges") << QByteArray("0-1, 3-7, 9")
                                << QByteArray(
                                       "Ranks 0-1, 3-7 and 9 wait for ranks 0-1, 3-7 and 9.");
        QTest::newRow("one range")
            << QByteArray("0-3") << QByteArray("Ranks 0-3 wait for ranks 0-3.");
        QTest::newRow("a record made before")
            << QByteArray("ranks 0-2, 5")
            << QByteArray("Ranks 0-2 and 5 wait for ranks 0-2 and 5.");
    }

    void ranksAreWrittenWithTheirNoun()
    {
        QFETCH(QByteArray, ranks);
        QFETCH(QByteArray, sentence);
        QCOMPARE(substitute("{who|Rank} {who|waits|wait} for {who|rank}.",
                            {{"who", ranks.toStdString()}}),
                 sentence.toStdString());
    }

    void tryReturnsTheErrorOfTheInnerCall()
    {
        const auto inner = []() -> Result<int> {
            return fail(code::NotSupported, {{"what", "x"}});
        };
        const auto outer = [&]() -> Result<std::string> { return std::to_string(RM_TRY(inner())); };
        QVERIFY(outer().error().code == code::NotSupported);
    }
};

QTEST_GUILESS_MAIN(tst_error)
#include "tst_error.moc"
