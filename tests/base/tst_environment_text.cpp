#include "engine/base/EnvironmentText.h"

#include <QtTest>

using namespace ringmaster;

/// Variables in the environment of another process.
class tst_environment_text : public QObject
{
    Q_OBJECT

private:
    using Values = std::vector<std::string>;

private Q_SLOTS:
    void findsAVariableByItsWholeName()
    {
        const std::string text("RANKS=9\0PATH=/bin\0RANK=3\0A=RANK=4\0RANK\0", 39);
        QCOMPARE(valuesIn(text, "RANK"), Values{"3"});
        QCOMPARE(valuesIn(text, "PATH"), Values{"/bin"});
        QCOMPARE(valuesIn(text, "A"), Values{"RANK=4"});
        QCOMPARE(valuesIn(text, "B"), Values{});
    }

    void keepsTheOrderOfSeveral()
    {
        QCOMPARE(valuesIn(std::string("A=2\0B=\0A=1", 10), "A"), (Values{"2", "1"}));
        QCOMPARE(valuesIn(std::string("A=2\0B=\0A=1", 10), "B"), Values{""});
    }

    void whatIsNoneHasNone()
    {
        QCOMPARE(valuesIn("", "A"), Values{});
        QCOMPARE(valuesIn(std::string(3, '\0'), "A"), Values{});
        QCOMPARE(valuesIn("no variables", "no"), Values{});
    }
};

QTEST_GUILESS_MAIN(tst_environment_text)
#include "tst_environment_text.moc"
