#include "engine/lesson/Choices.h"

#include <QtTest>

using namespace ringmaster::lesson;

namespace {

std::vector<std::string> textsOf(const Choices& choices)
{
    std::vector<std::string> texts;
    for (const Choice& choice : choices.all)
        texts.push_back(describe(choice));
    return texts;
}

} // namespace

class tst_choices : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void orderDoesNotGiveTheRightOneAway()
    {
        const Choices choices =
            choicesWith(numberChoice("6.0"), {numberChoice("12.0"), numberChoice("3.0")});
        QCOMPARE(textsOf(choices), (std::vector<std::string>{"3.0", "6.0", "12.0"}));
        QCOMPARE(choices.right, size_t{1});
    }

    void twoTextsOfOneNumberAreOneAnswer()
    {
        const Choices choices = choicesWith(
            numberChoice("6.0"), {numberChoice("6"), numberChoice("6.00"), numberChoice("7.0")});
        QCOMPARE(textsOf(choices), (std::vector<std::string>{"6.0", "7.0"}));
    }

    void areFourAtMost()
    {
        std::vector<Choice> others;
        for (const int rank : {0, 1, 2, 3, 4, 5})
            others.push_back({.kind = Choice::Kind::Ranks, .number = {}, .ranks = {rank}});
        const Choices choices = choicesWith(others.back(), others);
        QCOMPARE(textsOf(choices),
                 (std::vector<std::string>{"rank 0", "rank 1", "rank 2", "rank 5"}));
        QCOMPARE(choices.right, size_t{3});
    }

    void wrongOnesAreWrittenAsTheRightOneIs()
    {
        QCOMPARE(writtenLike("6.0", 7.5), std::string("7.5"));
        QCOMPARE(writtenLike("6.0", 7), std::string("7.0"));
        QCOMPARE(writtenLike("6", 7.2), std::string("7"));
    }
};

QTEST_GUILESS_MAIN(tst_choices)
#include "tst_choices.moc"
