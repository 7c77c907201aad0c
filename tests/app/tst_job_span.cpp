#include "app/jobs/BandwidthChart.h"
#include "app/jobs/LogView.h"
#include "app/jobs/SpanBar.h"
#include "app/jobs/TimelineView.h"
#include "app/model/LogModel.h"
#include "app/model/OperationTableModel.h"
#include "app/model/TimelineModel.h"
#include "tests/app/JobTest.h"
#include "tests/app/ToldHosts.h"

#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

/// A job over time: the one span that all drawings, tables and the log of its page show, and the
/// hosts that come and go.
class tst_job_span : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    void aSpanChosenInOneDrawingIsShownInTheOther()
    {
        openWithCollectives();
        QTRY_COMPARE(table("Operations")->model()->rowCount(), 3);
        auto* chart = page().findChild<BandwidthChart*>();
        auto* timeline = page().findChild<TimelineView*>();
        TimeSpan& span = *page().findChild<TimeSpan*>();
        QVERIFY(span.showsAll());
        QTRY_VERIFY(chart->plotRect().isValid());
        const QRect plot = chart->plotRect();
        drag(chart->canvas(), plot.left() + plot.width() / 2, plot.left() + plot.width() * 3 / 4);
        QVERIFY(!span.showsAll());
        const double part = double(span.shown().length()) / double(span.end() - span.begin());
        QVERIFY2(part > 0.2 && part < 0.3, qPrintable(QString::number(part)));
        QVERIFY(button("Timeline", "Whole run")->isVisible());
        const TimeSpan::Range chosen = span.shown();
        timeline->setFocus();
        QTest::keyClick(timeline, Qt::Key_Left);
        QVERIFY(span.shown().from < chosen.from);
        QCOMPARE(span.shown().length(), chosen.length());
        // Back: the small steps are one, then the selection.
        QTest::keyClick(chart, Qt::Key_Backspace);
        QCOMPARE(span.shown(), chosen);
        QTest::keyClick(timeline, Qt::Key_Escape);
        QVERIFY(span.showsAll());
        span.show(chosen);
        QTest::keyClick(chart, Qt::Key_Plus);
        QVERIFY(span.shown().length() < chosen.length());
        QTest::mouseDClick(chart->canvas(), Qt::LeftButton, {}, chart->plotRect().center());
        QCOMPARE(span.shown(), chosen);
        QTest::keyClick(chart, Qt::Key_0);
        QVERIFY(span.showsAll());
        QVERIFY(!button("Timeline", "Whole run")->isVisible());
    }

    void eventsLogAndOperationsFollowTheSpan()
    {
        openWithCollectives();
        QTRY_COMPARE(table("Operations")->model()->rowCount(), 3);
        const QString wholeCount = cell(0, OperationTableModel::Count);
        auto* log = page().findChild<LogView*>();
        auto* events = table("Events of the run");
        QTRY_COMPARE(log->model()->rowCount(), 260);
        const QString lastLine = log->model()->index(259, 0).data().toString();
        const int allEvents = events->model()->rowCount();
        TimeSpan& span = *page().findChild<TimeSpan*>();
        span.show({Scenario::ago(60.5).monotonicNs, Scenario::ago(39.5).monotonicNs});
        // Lines from its beginning on, those of it marked: of 260 in two minutes about 45.
        const auto isMarked = [&](int row) {
            return log->model()->index(row, 0).data(LogModel::SpanRole).toBool();
        };
        QTRY_VERIFY2(log->model()->rowCount() < 200 && isMarked(0),
                     qPrintable(QString::number(log->model()->rowCount())));
        int marked = 0;
        while (isMarked(marked))
            ++marked;
        QVERIFY2(marked > 40 && marked < 50, qPrintable(QString::number(marked)));
        for (int row = marked; row < log->model()->rowCount(); ++row)
            QVERIFY(!isMarked(row));
        QCOMPARE(log->indexAt({1, 1}).row(), 0);
        QVERIFY(events->model()->rowCount() < allEvents);
        QTRY_VERIFY(cell(0, OperationTableModel::Count) != wholeCount);
        // The way back is in each card, and the keyboard reaches it.
        for (const char* card : {"Log", "Collectives"}) {
            QVERIFY2(button(card, "Whole run")->isVisible(), card);
            QVERIFY2(button(card, "Whole run")->focusPolicy() & Qt::TabFocus, card);
        }
        button("Log", "Whole run")->setFocus();
        QTest::keyClick(button("Log", "Whole run"), Qt::Key_Space);
        QVERIFY(span.showsAll());
        QCOMPARE(events->model()->rowCount(), allEvents);
        QTRY_COMPARE(cell(0, OperationTableModel::Count), wholeCount);
        QTRY_VERIFY(!isMarked(0) && log->isAtEnd());
        const int last = log->model()->rowCount() - 1;
        QCOMPARE(log->model()->index(last, 0).data().toString(), lastLine);
        QVERIFY(!button("Collectives", "Whole run")->isVisible());
    }

    void theTimelinesTableHasWhatItsDrawingShows()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        TimeSpan& span = *page().findChild<TimeSpan*>();
        const auto* rows = table("Timeline as a table");
        press("Timeline", "Table");
        QTRY_VERIFY(rows->model() != nullptr && rows->model()->rowCount() > 0);
        const int all = rows->model()->rowCount();
        const TimeSpan::Range late{Scenario::ago(5).monotonicNs, Scenario::ago(1).monotonicNs};
        span.show(late);
        const int shown = rows->model()->rowCount();
        QVERIFY2(shown > 0 && shown < all, qPrintable(QString::number(shown)));
        for (int row = 0; row < shown; ++row) {
            const QModelIndex index = rows->model()->index(row, 0);
            QVERIFY(index.data(TimelineModel::FromRole).toLongLong() <= late.to);
            QVERIFY(index.data(TimelineModel::ToRole).toLongLong() >= late.from);
        }
        // Chosen before the table is looked at, it holds as well.
        press("Timeline", "Table");
        press("Timeline", "Table");
        QCOMPARE(rows->model()->rowCount(), shown);
        span.showAll();
        QCOMPARE(rows->model()->rowCount(), all);
    }

    void aSpanWithoutOutputSaysSo()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->cluster.print(run, Scenario::ago(100), 0, "early\n");
        open(run);
        auto* log = page().findChild<LogView*>();
        QTRY_VERIFY(log->model()->rowCount() > 0);
        page().findChild<TimeSpan*>()->show(
            {Scenario::ago(5).monotonicNs, Scenario::ago(1).monotonicNs});
        const auto bars = [&] {
            QStringList texts;
            for (SpanBar* bar : page().findChildren<SpanBar*>())
                texts << bar->text();
            return texts.join(QLatin1Char('|'));
        };
        QTRY_VERIFY2(bars().contains(QStringLiteral("no line of it is here")), qPrintable(bars()));
        QVERIFY(log->model()->rowCount() > 0);
    }

    void hostsThatJoinLeaveAndStandByAreShown()
    {
        open(m_dashboard->scenario.onHosts());
        const auto hosts = [this] { return toldHosts(page()).join(u'|'); };
        QTRY_COMPARE(hosts(), QStringLiteral("gpu1  connected|gpu2  connection lost|"
                                             "gpu3  standing by|gpu4  connected|gpu5  connecting"));
        QCOMPARE(page().run().snapshot().workers.size(), size_t{6});
        // It takes the place of the one that is gone.
        m_dashboard->cluster.publish(
            "on-hosts", Scenario::ago(1),
            HostChanged{.agent = "2", .host = "gpu2", .state = HostChanged::State::Gone});
        m_dashboard->cluster.publish(
            "on-hosts", Scenario::ago(0.7),
            HostChanged{.agent = "3", .host = "gpu3", .state = HostChanged::State::Connected});
        AttemptStarted attempt{.attempt = 1, .worldSize = 6};
        for (const int local : {0, 1})
            attempt.workers.push_back({local, 2 + local, 2 + local, 6, "default", "/tmp/none"});
        m_dashboard->cluster.publish("on-hosts", {{Scenario::ago(0.5), attempt}}, {"3", "gpu3"});
        QTRY_COMPARE(hosts(), QStringLiteral("gpu1  connected|gpu2  gone|gpu3  connected|"
                                             "gpu4  connected|gpu5  connecting"));
    }

private:
    static void drag(QWidget* widget, int from, int to)
    {
        const int y = widget->height() / 2;
        QTest::mousePress(widget, Qt::LeftButton, {}, {from, y});
        for (int step = 1; step <= 4; ++step) {
            const QPointF at(from + (to - from) * step / 4.0, y);
            QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton,
                             Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(widget, &move);
        }
        QTest::mouseRelease(widget, Qt::LeftButton, {}, {to, y});
    }
};

QTEST_MAIN(tst_job_span)
#include "tst_job_span.moc"
