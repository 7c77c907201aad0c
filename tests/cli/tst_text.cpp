#include "engine/cli/Codes.h"
#include "engine/cli/RankList.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"

#include <QtTest>

using namespace ringmaster;

class tst_text : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tellsDurationsAndSizesAsPeopleDo()
    {
        QCOMPARE(durationText(30'000'000), std::string("0.03 s"));
        QCOMPARE(durationText(12'400'000'000), std::string("12 s"));
        QCOMPARE(durationText(185'000'000'000), std::string("3 min 5 s"));
        QCOMPARE(durationText(7'620'000'000'000), std::string("2 h 7 min"));
        QCOMPARE(sizeText(812), std::string("812 B"));
        QCOMPARE(sizeText(1'468'006), std::string("1.4 MiB"));
        QCOMPARE(counted(1, "worker"), std::string("1 worker"));
        QCOMPARE(counted(0, "worker"), std::string("0 workers"));
    }

    void cutsAndFillsBetweenCharacters()
    {
        QCOMPARE(padded("ab", 4), std::string("ab  "));
        QCOMPARE(padded("学習する", 2), std::string("学習"));
        QCOMPARE(padded("学", 3), std::string("学  "));
    }

    void readsListsOfRanks()
    {
        QCOMPARE(parseRanks("").value(), std::vector<int>());
        QCOMPARE(parseRanks("3,0-2,1").value(), (std::vector{0, 1, 2, 3}));
        for (const char* bad : {"a", "1-", "-1", "2-1", "1,,2", "1;2", "9999999999"})
            QVERIFY2(parseRanks(bad).error().code == code::RankInvalid, bad);
    }

    void letsNothingDriveTheTerminal()
    {
        QCOMPARE(harmless("a\x1b[31mb\x7f\n"), std::string("a?[31mb? "));
        QCOMPARE(harmless("a\r\n\tb"), std::string("a b"));
        QCOMPARE(harmlessLines("a\x1b\nb\nc\n"), std::string("a?\n  b\n  c"));
        QCOMPARE(harmless("学"), std::string("学"));
    }
};

QTEST_GUILESS_MAIN(tst_text)
#include "tst_text.moc"
