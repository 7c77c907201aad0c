#include "engine/cli/Codes.h"
#include "engine/cli/RunChoice.h"
#include "engine/record/Codes.h"

#include <QtTest>

using namespace ringmaster;

class tst_run_choice : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void findsARunByIdBeginningAndName()
    {
        QCOMPARE(chosen("2026-b-1"), std::string("2026-b-1"));
        QCOMPARE(chosen("2026-c"), std::string("2026-c-1"));
        QCOMPARE(chosen("digits"),
                 std::string("2026-b-1")); // the running one, though not the latest
        QCOMPARE(chosen("speech"), std::string("2026-d-1"));
    }

    void refusesWhatCouldBeSeveral()
    {
        const auto refused = chooseRun(runs(), "2026-", RunScope::All);
        QVERIFY(refused.error().code == code::RunAmbiguous);
        QVERIFY(refused.error().parameters.at("runs").starts_with("2026-d-1, 2026-c-1"));
    }

    void suggestsWhatWasMeant()
    {
        const auto refused = chooseRun(runs(), "digitz", RunScope::All);
        QVERIFY(refused.error().code == code::RunNotFoundNear);
        QCOMPARE(refused.error().parameters.at("nearest"), std::string("digits"));
        QVERIFY(chooseRun(runs(), "something else", RunScope::All).error().code ==
                code::RunNotFound);
    }

    void withoutAWordTakesTheOnlyOneRunningOrTheLatest()
    {
        QCOMPARE(chosen(""), std::string("2026-b-1"));
        auto all = runs();
        for (RunSummary& run : all)
            run.isLive = false;
        QCOMPARE(chooseRun(all, "", RunScope::All)->id, std::string("2026-d-1"));
        QVERIFY(chooseRun(all, "", RunScope::Running).error().code == code::NoRunningRun);
        all[0].isLive = all[1].isLive = true;
        QVERIFY(chooseRun(all, "", RunScope::Running).error().code == code::SeveralRunning);
        QVERIFY(chooseRun({}, "", RunScope::All).error().code == code::NoRuns);
    }

private:
    static std::vector<RunSummary> runs()
    {
        return {{.id = "2026-d-1", .name = "speech"},
                {.id = "2026-c-1", .name = "digits"},
                {.id = "2026-b-1", .name = "digits", .isLive = true},
                {.id = "2026-a-1", .name = "speech"}};
    }

    static std::string chosen(const std::string& text)
    {
        return chooseRun(runs(), text, RunScope::All).value().id;
    }
};

QTEST_GUILESS_MAIN(tst_run_choice)
#include "tst_run_choice.moc"
