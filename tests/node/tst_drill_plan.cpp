#include "engine/event/Codes.h"
#include "engine/node/Codes.h"
#include "engine/node/DrillPlan.h"

#include <QtTest>

using namespace ringmaster;
using namespace std::chrono_literals;

class tst_drill_plan : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aKindAloneIsOfTheLastRankNow()
    {
        const auto plan = parseDrill("kill");
        QVERIFY(plan && plan->isNow());
        QVERIFY(plan->drill == BeginDrill{});
    }

    void aKindHasARankAndATime()
    {
        QVERIFY(parseDrill("kill:2")->drill == (BeginDrill{.globalRank = 2}));
        QVERIFY(parseDrill("stop:1:20s")->drill ==
                (BeginDrill{BeginDrill::Kind::Stop, 1, 20s, {}, {}, {}}));
        QVERIFY(parseDrill("slow:0:1m")->drill ==
                (BeginDrill{BeginDrill::Kind::Slow, 0, 1min, {}, {}, {}}));
    }

    void withoutATimeThereIsAUsualOne()
    {
        QVERIFY(parseDrill("stop:3")->drill.duration == 10s);
        QVERIFY(parseDrill("slow")->drill.duration == 30s);
        QCOMPARE(parseDrill("slow")->drill.globalRank, -1);
    }

    void aHostIsKilledOrCut()
    {
        const auto killed = parseDrill("kill:host=gpu2");
        QVERIFY(killed->drill == (BeginDrill{.kind = BeginDrill::Kind::KillHost, .host = "gpu2"}));
        const auto cut = parseDrill("cut:host=gpu2");
        QVERIFY(cut->drill.kind == BeginDrill::Kind::CutHost && cut->drill.duration == 15s);
        QVERIFY(parseDrill("cut:host=gpu2:1m")->drill.duration == 1min);
        const auto later = parseDrill("kill:host=ada@gpu2@step100");
        QCOMPARE(later->drill.host, std::string("ada@gpu2"));
        QCOMPARE(later->counter, std::string("step"));
        // It is given beside the text.
        QVERIFY(parseDrill("kill", "gpu2")->drill == killed->drill);
        QVERIFY(parseDrill("cut:1m", "gpu2")->drill.duration == 1min);
        QVERIFY(parseDrill("kill:2", "gpu2").error().code == code::DrillNotUnderstood);
        QVERIFY(parseDrill("kill:host=a", "gpu2").error().code == code::DrillNotUnderstood);
        QVERIFY(parseDrill("stop:1s", "gpu2").error().code == code::DrillNotOfHost);
        QVERIFY(parseDrill("slow:host=gpu2").error().code == code::DrillNotOfHost);
        QVERIFY(parseDrill("cut").error().code == code::DrillHostNotNamed);
        QVERIFY(parseDrill("kill:host=").error().code == code::DrillHostNotNamed);
    }

    void itBeginsAtAStepOrAfterATime()
    {
        const auto atStep = parseDrill("kill:2@step100");
        QVERIFY(atStep && !atStep->isNow() && !atStep->delay);
        QCOMPARE(atStep->counter, std::string("step"));
        QCOMPARE(atStep->value, 100.0);
        const auto later = parseDrill("stop:1:20s@1m30s");
        QVERIFY(later && later->delay == std::optional<std::chrono::milliseconds>(90s));
        QVERIFY(parseDrill("kill@0s")->delay.has_value());
        QCOMPARE(parseDrill("slow:0:5s@Epoch3")->counter, std::string("epoch"));
    }

    void whatIsntADrillIsRefused_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text :
             {"", "burn:1", "kill:", "kill:-1", "kill:x", "kill:1:20s", "stop:1:", "stop:1:soon",
              "kill:2@", "kill:2@step", "kill:2@-3s", "kill:1:2:3", "cut:1", "kill:host=gpu2:20s",
              "cut:host=gpu2:soon", "kill:99999999999", "kill:2@100steps", "kill 2"})
            QTest::addRow("'%s'", text) << QString(text);
    }

    void whatIsntADrillIsRefused()
    {
        QFETCH(QString, text);
        const auto plan = parseDrill(text.toStdString());
        QVERIFY(!plan);
        QVERIFY(plan.error().code == code::DrillNotUnderstood);
    }

    void timesHaveBounds()
    {
        BeginDrill drill{.limit = 60s};
        QVERIFY(checkTimes(drill));
        drill.limit = 0s;
        QVERIFY(checkTimes(drill).error().code == code::DrillTimeNotValid);
        drill = {.kind = BeginDrill::Kind::Stop, .duration = 1s, .limit = 1s};
        QVERIFY(checkTimes(drill));
        drill.duration = 999ms;
        QVERIFY(!checkTimes(drill));
        drill.duration = 2h;
        QVERIFY(!checkTimes(drill));
    }
};

QTEST_GUILESS_MAIN(tst_drill_plan)
#include "tst_drill_plan.moc"
