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
