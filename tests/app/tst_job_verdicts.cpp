#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "app/model/EventTableModel.h"
#include "app/model/EventText.h"
#include "app/widget/Banner.h"
#include "engine/diagnose/Codes.h"
#include "engine/record/Codes.h"
#include "tests/app/Window.h"

#include <QAbstractButton>
#include <QPlainTextEdit>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

/// What the diagnosis says of a job, from its events to the banner.
class tst_job_verdicts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        useTemporarySettings();
        m_dashboard = std::make_unique<Window>();
        m_dashboard->language.choose(Language::Choice::English);
        m_dashboard->window.show();
        m_run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->cluster.settle();
        QTRY_VERIFY(m_dashboard->bridge.find(m_run) != nullptr);
        m_dashboard->window.showRun(QString::fromStdString(m_run));
        QTRY_COMPARE(page().run().snapshot().workers.size(), size_t{8});
    }

    void cleanup() { m_dashboard.reset(); }

    void waitingIsANeutralLineUntilItIsOver()
    {
        m_dashboard->scenario.waits(m_run);
        QTRY_VERIFY2(banner().text().startsWith(QStringLiteral("Waiting. Ranks 0-1, 3-7 have")),
                     qPrintable(banner().text()));
        QCOMPARE(banner().severity(), Notice::Severity::Info);
        QVERIFY(!details().isVisible());
        QTest::mouseClick(button("Show evidence"), Qt::LeftButton);
        QVERIFY(details().isVisible());
        QVERIFY2(details().toPlainText().contains(QStringLiteral("Rank 2 computes")),
                 qPrintable(details().toPlainText()));
        m_dashboard->scenario.waitIsOver(m_run, 412);
        QTRY_VERIFY2(isAboutThePast(), qPrintable(banner().text()));
    }

    void anotherOperationsEndDoesNotEndTheWait()
    {
        m_dashboard->scenario.waits(m_run);
        m_dashboard->scenario.waitIsOver(m_run, 411);
        seen();
        QVERIFY(banner().text().startsWith(QStringLiteral("Waiting.")));
    }

    void aHangTakesTheWaitsPlaceAndSaysWhatHelps()
    {
        m_dashboard->scenario.waits(m_run);
        m_dashboard->scenario.hangs(m_run);
        QTRY_VERIFY2(banner().text().startsWith(QStringLiteral("The job hangs. Ranks 0-1, 3-7")),
                     qPrintable(banner().text()));
        QCOMPARE(banner().severity(), Notice::Severity::Error);
        QVERIFY(banner().text().contains(QStringLiteral("kill -CONT 41322")));
        QCOMPARE(page().run().verdicts().standing().size(), size_t{1});
        m_dashboard->scenario.waitIsOver(m_run, 412);
        QTRY_VERIFY2(isAboutThePast(), qPrintable(banner().text()));
    }

    void aHangWithoutEvidenceOfItsOwnKeepsTheWaits()
    {
        RunVerdicts verdicts;
        verdicts.apply(notice(code::RanksWait, Operation));
        verdicts.apply(notice(code::AbsentOutside, {{"rank", "2"}}));
        verdicts.apply(notice(code::HangDead, Operation));
        QCOMPARE(verdicts.standing().size(), size_t{1});
        QCOMPARE(verdicts.standing().front().evidence.size(), size_t{1});
        verdicts.apply(notice(code::AbsentDead, {{"rank", "2"}}));
        QCOMPARE(verdicts.standing().front().evidence.size(), size_t{1});
        QVERIFY(verdicts.standing().front().evidence.front().code == code::AbsentDead);
    }

    void aCircleIsOverWithOneOfItsWaits()
    {
        RunVerdicts verdicts;
        verdicts.apply(notice(code::HangCycle,
                              {{"ranks", "0, 1"},
                               {"waits", "rank 0 in all_reduce #4 of group a for rank 1; rank 1 in "
                                         "broadcast #40 of group b for rank 0"}}));
        QVERIFY(!verdicts.apply(
            notice(code::WaitOver, {{"operation", "broadcast"}, {"number", "4"}, {"group", "b"}})));
        QVERIFY(verdicts.apply(notice(
            code::WaitOver, {{"operation", "broadcast"}, {"number", "40"}, {"group", "b"}})));
        QVERIFY(verdicts.standing().empty());
    }

    void aMismatchComesFirstAndStaysUntilTheNextAttempt()
    {
        RunVerdicts verdicts;
        verdicts.apply(notice(code::RanksWait, Operation));
        verdicts.apply(notice(code::HangStopped, Operation));
        verdicts.apply(notice(code::MismatchRanks, {{"group", "default"}, {"number", "9"}}));
        QVERIFY(verdicts.standing().front().kind == RunVerdicts::Kind::Mismatch);
        verdicts.apply(Event{.body = GroupRestarting{}});
        QCOMPARE(verdicts.standing().size(), size_t{1});
        verdicts.apply(Event{.body = AttemptStarted{}});
        QVERIFY(verdicts.standing().empty());
    }

    void manyWaitsAndMuchEvidenceAreBounded()
    {
        RunVerdicts verdicts;
        for (int i = 0; i < 1000; ++i) {
            Parameters parameters = Operation;
            parameters["number"] = std::to_string(i);
            verdicts.apply(notice(code::RanksWait, parameters));
        }
        QCOMPARE(verdicts.standing().size(), RunVerdicts::MaxStanding);
        QCOMPARE(verdicts.standing().back().statement.parameters.at("number"), std::string("999"));
        for (int i = 0; i < 1000; ++i)
            verdicts.apply(notice(code::AbsentDead, {{"rank", std::to_string(i)}}));
        QCOMPARE(verdicts.standing().back().evidence.size(), RunVerdicts::MaxEvidence);
    }

    void theListTellsEvidenceAndRemediesFromWarnings()
    {
        const EventText wait = describeEvent(notice(code::RanksWait, Operation));
        QCOMPARE(wait.kind, QStringLiteral("Waiting"));
        QVERIFY(wait.severity == Notice::Severity::Info);
        QCOMPARE(describeEvent(notice(code::HangDead, Operation)).kind, QStringLiteral("Verdict"));
        QCOMPARE(describeEvent(notice(code::AbsentIdle, Operation)).kind,
                 QStringLiteral("Evidence"));
        QCOMPARE(describeEvent(notice(code::RemedyResume, Operation)).kind,
                 QStringLiteral("Remedy"));
        QCOMPARE(describeEvent(notice(code::RecordResumed, {})).kind, QStringLiteral("Warning"));
    }

    void theBannerSpeaksJapanese()
    {
        m_dashboard->language.choose(Language::Choice::Japanese);
        m_dashboard->scenario.waits(m_run);
        QTRY_VERIFY2(banner().text().contains(QString::fromUtf8("ランク 2 を待っています")),
                     qPrintable(banner().text()));
        m_dashboard->scenario.hangs(m_run);
        QTRY_VERIFY2(banner().text().startsWith(QString::fromUtf8("ジョブがハングしています。")),
                     qPrintable(banner().text()));
        static const QRegularExpression english(QStringLiteral("[a-z]{3,} [a-z0-9]+"));
        QVERIFY2(!english.match(banner().text()).hasMatch(), qPrintable(banner().text()));
        QVERIFY(button("根拠を表示") != nullptr);
    }

private:
    static inline const Parameters Operation{
        {"operation", "all_reduce"}, {"number", "412"}, {"group", "default"}};

    static Event notice(Code code, Parameters parameters)
    {
        return {.body = Notice{Notice::Severity::Warning, 2, {code, std::move(parameters), {}}}};
    }

    JobPage& page() { return *m_dashboard->window.jobsPage().jobPage(); }
    Banner& banner() { return *page().findChild<Banner*>(); }
    QPlainTextEdit& details() { return *banner().findChild<QPlainTextEdit*>(); }

    bool isAboutThePast()
    {
        return banner().text().startsWith(QStringLiteral("Restarted after attempt 1."));
    }

    void seen()
    {
        m_dashboard->cluster.settle();
        const std::uint64_t last = m_dashboard->cluster.sequenceOf(m_run);
        QTRY_COMPARE(page().run().snapshot().lastSequence, last);
    }

    QAbstractButton* button(const char* text)
    {
        for (QAbstractButton* button : banner().findChildren<QAbstractButton*>()) {
            if (button->text() == QString::fromUtf8(text))
                return button;
        }
        return nullptr;
    }

    std::unique_ptr<Window> m_dashboard;
    std::string m_run;
};

QTEST_MAIN(tst_job_verdicts)
#include "tst_job_verdicts.moc"
