#include "app/main/Tour.h"
#include "engine/base/Codes.h"
#include "tests/app/JobTest.h"

#include <QLabel>
#include <QPushButton>
#include <QSettings>
#include <QtTest>

#include <csignal>

using namespace ringmaster;
using namespace ringmaster::app;

/// The three steps of somebody's first start.
class tst_tour : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    void leadsFromTheExampleToTheCause()
    {
        m_dashboard->window.offerTour();
        QTRY_VERIFY(tour()->isVisible());
        QVERIFY(says("1 of 3"));
        // As the example would go: four ranks, one is killed, and the group starts again.
        const std::string run = m_dashboard->scenario.large(4, "ddp digits");
        open(run);
        QTRY_COMPARE(tour()->step(), 2);
        QTRY_VERIFY(button("Kill rank 2")->isEnabled());
        QTest::mouseClick(button("Kill rank 2"), Qt::LeftButton);
        QTRY_COMPARE(m_dashboard->cluster.commands().size(), size_t{1});
        const SignalWorker wanted{.globalRank = 2, .signal = SIGKILL};
        QVERIFY(std::get<SignalWorker>(m_dashboard->cluster.commands().front().second) == wanted);
        FirstCause cause;
        cause.globalRank = 2;
        m_dashboard->cluster.publish(run, Scenario::ago(0), cause);
        QTRY_COMPARE(tour()->step(), 3);
        QVERIFY(says("3 of 3") && button("Skip") == nullptr);
        QTest::mouseClick(button("Done"), Qt::LeftButton);
        QTRY_VERIFY(tour() == nullptr);
        m_dashboard->window.offerTour();
        QVERIFY(tour() == nullptr);
    }

    void nobodyIsAskedToEndAWorkerOfTheirOwn()
    {
        m_dashboard->window.offerTour();
        const std::string run = m_dashboard->scenario.large(4);
        open(run);
        QCOMPARE(tour()->step(), 1);
        QVERIFY(tour()->isVisible() && button("Kill rank 2") == nullptr);
        const std::string example = m_dashboard->scenario.large(4, "ddp digits");
        open(example);
        QTRY_COMPARE(tour()->step(), 2);
        QVERIFY(tour()->isVisible());
        open(run);
        QTRY_VERIFY(!tour()->isVisible());
        open(example);
        QTRY_VERIFY(tour()->isVisible());
    }

    void itsFirstButtonRunsTheExample()
    {
        m_dashboard->window.offerTour();
        QTest::mouseClick(button("Run the example"), Qt::LeftButton);
        QTRY_COMPARE(m_dashboard->cluster.launched().size(), size_t{1});
        QCOMPARE(m_dashboard->cluster.launched().front().name, std::string("ddp digits"));
    }

    void whoSkipsItNeverSeesItAgain()
    {
        m_dashboard->window.offerTour();
        QTest::mouseClick(button("Skip"), Qt::LeftButton);
        QTRY_VERIFY(tour() == nullptr);
        Window next;
        next.window.offerTour();
        QVERIFY(next.window.findChild<Tour*>() == nullptr);
    }

    void whoHasRunsAlreadyIsNotShownIt()
    {
        m_dashboard->window.offerTour();
        m_dashboard->scenario.finished();
        QTRY_VERIFY(tour() == nullptr);
        QVERIFY(QSettings().value(QStringLiteral("tour/over")).toBool());
    }

private:
    Tour* tour() { return m_dashboard->window.findChild<Tour*>(); }

    bool says(const char* part)
    {
        return tour()->findChild<QLabel*>()->text().contains(QLatin1String(part));
    }

    /// That is shown; null: none.
    QPushButton* button(const char* text)
    {
        for (QPushButton* button : tour()->findChildren<QPushButton*>()) {
            if (button->text() == QLatin1String(text) && !button->isHidden())
                return button;
        }
        return nullptr;
    }
};

QTEST_MAIN(tst_tour)
#include "tst_tour.moc"
