#include "app/jobs/BandwidthChart.h"
#include "app/jobs/BandwidthView.h"
#include "app/model/RunView.h"
#include "tests/app/Scenario.h"

#include <QTableView>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// A run with collectives, and the view of them alone: no page around it.
struct Shown
{
    Shown()
    {
        RunFeed* events = bridge.follow(run, 0, &bridge);
        QObject::connect(events, &RunFeed::eventsArrived, &view.run, &RunModel::apply);
        scenario.collectives(run);
        feed.setWatched(true);
        bandwidth.resize(900, 700);
        bandwidth.show();
    }

    bool arrives()
    {
        const bool hasCome = QTest::qWaitFor(
            [this] { return feed.hasAnswer() && view.run.snapshot().attempt == 1; }, 60'000);
        bandwidth.showFeed("ring", std::nullopt);
        return hasCome;
    }
    QTableView& table(const char* name) const
    {
        for (auto* table : bandwidth.findChildren<QTableView*>())
            if (table->accessibleName() == QLatin1String(name))
                return *table;
        qFatal("no table %s", name);
    }
    QTableView& operations() const { return table("Operations"); }
    QTableView& twin() const { return table("Bandwidth over time as a table"); }
    BandwidthChart& chart() const { return *bandwidth.findChild<BandwidthChart*>(); }

    FakeCluster cluster;
    Scenario scenario{cluster};
    EngineBridge bridge{cluster};
    std::string run = scenario.restartedAndRunning();
    RunView view{run};
    OperationFeed feed{bridge, view.run, view.span, view.attempts};
    BandwidthView bandwidth{feed, view.run, view.span, view.attempts};
};

} // namespace

class tst_bandwidth_view : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void whatTheFeedSaysIsDrawnAndListed()
    {
        Shown shown;
        QCOMPARE(shown.operations().model()->rowCount(), 0);
        QVERIFY(shown.arrives());
        QCOMPARE(shown.operations().model()->rowCount(), 3);
        QCOMPARE(shown.chart().series().size(), size_t{2});
    }

    void oneKindIsChosenInAllOfThem()
    {
        Shown shown;
        QVERIFY(shown.arrives());
        shown.operations().selectRow(1);
        QCOMPARE(shown.chart().selected(), 1);
        QTest::keyClick(&shown.chart(), Qt::Key_Up);
        QCOMPARE(shown.operations().selectionModel()->selectedRows().first().row(), 0);
        shown.operations().clearSelection();
        QCOMPARE(shown.chart().selected(), -1);
    }

    void theTwinHasThePlaceOfDrawingAndTable()
    {
        Shown shown;
        QVERIFY(shown.arrives());
        QVERIFY(shown.chart().isVisible() && shown.operations().isVisible());
        QCOMPARE(shown.twin().model(), nullptr); // nobody sees its rows
        shown.bandwidth.setTable(true);
        QVERIFY(!shown.chart().isVisible() && !shown.operations().isVisible());
        QCOMPARE(shown.twin().model()->rowCount(), 236);
        QTest::mouseClick(shown.twin().viewport(), Qt::LeftButton, {},
                          shown.twin().visualRect(shown.twin().model()->index(1, 1)).center());
        QCOMPARE(shown.chart().selected(), 1);
        shown.bandwidth.setTable(false);
        QVERIFY(shown.chart().isVisible());
        QCOMPARE(shown.twin().model(), nullptr);
    }

    void heightsThatSomebodyChoseAreKept()
    {
        Shown shown;
        QVERIFY(shown.arrives());
        QVERIFY(shown.bandwidth.heights().isEmpty());
        shown.bandwidth.restoreHeights({400, 200});
        QCOMPARE(shown.bandwidth.heights().size(), 2);
        Shown again;
        again.bandwidth.restoreHeights(shown.bandwidth.heights());
        QCOMPARE(again.bandwidth.heights(), shown.bandwidth.heights());
    }
};

QTEST_MAIN(tst_bandwidth_view)
#include "tst_bandwidth_view.moc"
