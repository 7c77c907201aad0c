#include "app/jobs/ArrivalLens.h"
#include "app/jobs/BandwidthChart.h"
#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "app/model/ArrivalTableModel.h"
#include "app/model/OperationTableModel.h"
#include "app/model/OperationText.h"
#include "app/model/SeriesLooks.h"
#include "app/model/SeriesTableModel.h"
#include "app/model/WorkerTableModel.h"
#include "app/widget/EmptyState.h"
#include "engine/node/Codes.h"
#include "tests/app/JobTest.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;
using ledger::OperationKind;

namespace {

/// Ranks of these agents, whose clocks are known to `boundNs`.
RankClocks clocksOf(const std::vector<std::string>& agents, std::int64_t boundNs)
{
    RunSnapshot run;
    LeadClock clock;
    for (const std::string& agent : agents) {
        WorkerSnapshot worker{.agent = agent};
        worker.assignment.globalRank = static_cast<int>(run.workers.size());
        run.workers.push_back(std::move(worker));
        (void)clock.onLead({.id = {.agent = "0"},
                            .at = {1'500'000, 1},
                            .body = ClockMeasured{.agent = agent, .boundNs = boundNs}});
    }
    return {run, clock};
}

} // namespace

/// What a job's collectives do, from the Cluster's answer to the pictures and their tables.
class tst_job_operations : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    void chartAndTableShowTheOperationsAndShareOneSelection()
    {
        openWithCollectives();
        QTRY_COMPARE(table("Operations")->model()->rowCount(), 3);
        auto* chart = page().findChild<BandwidthChart*>();
        QCOMPARE(chart->series().size(), size_t{2});
        QCOMPARE(chart->series()[0].name, QStringLiteral("all_reduce"));
        QCOMPARE(chart->series()[0].points.size(), size_t{118});
        // The backend has its colour and the collective its line, as in a sweep.
        for (const PlotSeries& line : chart->series()) {
            QCOMPARE(line.look.color, backendColor("ring"));
            QCOMPARE(line.look.line, collectiveLine(line.name.toStdString()));
        }
        QVERIFY(chart->series()[0].look.line != chart->series()[1].look.line);
        QCOMPARE(cell(0, OperationTableModel::Kind), QStringLiteral("all_reduce"));
        QCOMPARE(cell(0, OperationTableModel::BusBandwidth), QStringLiteral("21.3 GB/s"));
        QCOMPARE(cell(0, OperationTableModel::Share), QStringLiteral("31 %"));
        QVERIFY(cell(2, OperationTableModel::BusBandwidth) == QStringLiteral("–"));
        table("Operations")->selectRow(1);
        QCOMPARE(chart->selected(), 1);
        QTest::keyClick(chart, Qt::Key_Up);
        QCOMPARE(chart->selected(), 0);
        QCOMPARE(table("Operations")->selectionModel()->selectedRows().first().row(), 0);
        QTest::keyClick(chart, Qt::Key_Escape);
        QVERIFY(table("Operations")->selectionModel()->selectedRows().isEmpty());
    }

    void busbwSaysTheFactorOfNcclTests()
    {
        openWithCollectives();
        QTRY_COMPARE(table("Operations")->model()->rowCount(), 3);
        const QString words =
            tableIndex(0, OperationTableModel::BusBandwidth).data(Qt::ToolTipRole).toString();
        QVERIFY2(words.contains(QStringLiteral("2(n − 1) / n")), qPrintable(words));
        QVERIFY2(words.contains(QStringLiteral("1.75 for n = 8")), qPrintable(words));
    }

    void theChartsTwinHasTheSamePoints()
    {
        openWithCollectives();
        QTRY_COMPARE(table("Operations")->model()->rowCount(), 3);
        press("Collectives", "Table");
        auto* twin = table("Bandwidth over time as a table");
        QVERIFY(twin->isVisible());
        QCOMPARE(twin->model()->rowCount(), 236);
        QTest::mouseClick(twin->viewport(), Qt::LeftButton, {},
                          twin->visualRect(twin->model()->index(1, 1)).center());
        QCOMPARE(page().findChild<BandwidthChart*>()->selected(), 1);
    }

    void theLensNamesWhoComesLast()
    {
        openWithCollectives();
        QTRY_COMPARE(table("Operations")->model()->rowCount(), 3);
        press("Collectives", "Arrivals");
        auto* lens = page().findChild<ArrivalLens*>();
        QVERIFY(lens->isVisible());
        QCOMPARE(lens->latecomer()->rank, 2);
        QCOMPARE(lens->latecomer()->of, 64);
        QTest::keyClick(lens, Qt::Key_Down);
        QCOMPARE(page().selectedRank(), 0);
        QTest::keyClick(lens, Qt::Key_Down);
        QCOMPARE(page().selectedRank(), 1);
        press("Collectives", "Table");
        auto* twin = table("Arrivals as a table");
        QVERIFY(twin->isVisible());
        QCOMPARE(twin->model()->rowCount(), 64);
        QCOMPARE(twin->model()->index(0, ArrivalTableModel::Number).data().toString(),
                 QStringLiteral("#411"));
        QCOMPARE(twin->model()->index(0, ArrivalTableModel::Last).data().toString(),
                 QStringLiteral("rank 2"));
        QTest::mouseClick(twin->viewport(), Qt::LeftButton, {},
                          twin->visualRect(twin->model()->index(0, 0)).center());
        QCOMPARE(page().selectedRank(), 2);
    }

    /// One rank comes 17 s late: the axis stays with the others, and a sign says how late it was.
    void whatIsLaterThanTheAxisGoesHasASign()
    {
        ArrivalLens lens;
        lens.resize(600, 200);
        std::vector<OperationSummary::Collective> usual;
        for (std::uint64_t number = 1; number <= 20; ++number) {
            usual.push_back({.kind = OperationKind::AllReduce, .number = number});
            usual.back().arrivals = {{0, 1'000'000, 90'000'000}, {1, 3'000'000, 90'000'000}};
        }
        lens.show(usual);
        QVERIFY(lens.offScaleNs().empty());
        const QImage before = lens.grab().toImage();
        std::vector<OperationSummary::Collective> late = usual;
        late[9].arrivals[1].enteredNs = 17'001'000'000;
        lens.show(late);
        QCOMPARE(lens.offScaleNs(), std::vector<std::int64_t>{17'000'000'000});
        QVERIFY(lens.grab().toImage() != before);
    }

    void withinTheErrorOfTheClocksNobodyIsTheLast()
    {
        ArrivalLens lens;
        ArrivalTableModel table;
        OperationSummary::Collective collective{.kind = OperationKind::AllReduce, .number = 1};
        collective.arrivals = {{0, 1'000'000, 9'000'000}, {1, 1'500'000, 9'000'000}};
        const auto told = [&](int column) { return table.index(0, column).data().toString(); };
        const auto show = [&](const RankClocks& clocks) {
            lens.show({collective}, clocks);
            table.show({}, clocks);
            table.show({collective}, clocks);
        };
        show({});
        QCOMPARE(lens.latecomer()->rank, 1);
        QCOMPARE(told(ArrivalTableModel::Last), QStringLiteral("rank 1"));
        show(clocksOf({"1", "2"}, 200'000));
        QCOMPARE(lens.latecomer()->rank, 1);
        QVERIFY2(told(ArrivalTableModel::Skew).contains(QStringLiteral("±")),
                 qPrintable(told(ArrivalTableModel::Skew)));
        show(clocksOf({"1", "2"}, 300'000));
        QVERIFY(!lens.latecomer());
        QCOMPARE(told(ArrivalTableModel::Last), QStringLiteral("not sure"));
        // Two ranks of one far host have one clock, however badly it is known.
        show(clocksOf({"2", "2"}, 300'000));
        QCOMPARE(lens.latecomer()->rank, 1);
        QVERIFY(!told(ArrivalTableModel::Skew).contains(QStringLiteral("±")));
    }

    /// Clocks drift apart between two readings, and how far they had shows at the second one.
    void theErrorOfTheClocksGrows()
    {
        LeadClock clock;
        constexpr std::int64_t Second = 1'000'000'000;
        const auto measured = [&](std::int64_t atNs, std::int64_t offsetNs) {
            (void)clock.onLead({.id = {.agent = "0"},
                                .at = {atNs, atNs},
                                .body = ClockMeasured{.agent = "1",
                                                      .monotonicOffsetNs = offsetNs,
                                                      .boundNs = 100'000}});
        };
        measured(10 * Second, 5000);
        QCOMPARE(clock.errorNs("1", "0", 10 * Second), 100'000);
        QCOMPARE(clock.errorNs("1", "0", 20 * Second), 100'000 + Second / 1000);
        QCOMPARE(clock.errorNs("1", "1", 20 * Second), 0);
        measured(30 * Second, 405'000);
        QCOMPARE(clock.errorNs("1", "0", 30 * Second), 100'000 + 400'000);
    }

    void eachTileSaysWhatItsRankIsIn()
    {
        openWithCollectives();
        auto* workers = table("Workers as a table")->model();
        const auto note = [&](int row) {
            return workers->index(row, 0).data(WorkerTableModel::NoteRole).toString();
        };
        QTRY_VERIFY2(note(0).startsWith(QStringLiteral("all_reduce #412, ")), qPrintable(note(0)));
        // "after" it, once it has been a while.
        QVERIFY2(note(2).contains(QStringLiteral("all_reduce #411")), qPrintable(note(2)));
        const OperationSummary::Place left{.kind = OperationKind::AllReduce, .number = 7};
        QCOMPARE(placeText(left, 4'900'000'000), QStringLiteral("all_reduce #7"));
        QCOMPARE(placeText(left, 12'000'000'000), QStringLiteral("after all_reduce #7, 12 s"));
    }

    void aTileFollowsItsRankWhileTheRunGoesOn()
    {
        openWithCollectives();
        auto* workers = table("Workers as a table")->model();
        const auto note = [&](int row) {
            return workers->index(row, 0).data(WorkerTableModel::NoteRole).toString();
        };
        QTRY_VERIFY2(note(0).startsWith(QStringLiteral("all_reduce #412")), qPrintable(note(0)));
        const std::string run = page().run().run();
        m_dashboard->cluster.setPlaces(run, {1,
                                             {{.rank = 0,
                                               .kind = OperationKind::Broadcast,
                                               .number = 414,
                                               .isInside = true,
                                               .sinceNs = Scenario::ago(0.1).monotonicNs}}});
        QTRY_VERIFY2(note(0).startsWith(QStringLiteral("broadcast #414")), qPrintable(note(0)));
        // Nobody is asked when nobody looks. (A larger window has a glance at the job below the
        // list.)
        m_dashboard->window.resize(1024, 700);
        auto* feed = page().findChild<OperationFeed*>();
        m_dashboard->window.jobsPage().showList();
        m_dashboard->cluster.settle();
        QCoreApplication::processEvents();
        const int before = m_dashboard->cluster.rankLooks();
        QSignalSpy shown(feed, &OperationFeed::placesChanged);
        QVERIFY(!shown.wait(1000));
        QCOMPARE(m_dashboard->cluster.rankLooks(), before);
    }

    void theCeilingIsDrawnWhereItWasMeasured()
    {
        OperationSummary summary{.rows = {row(OperationKind::AllReduce, 1)}};
        Calibration calibration{.backend = "ring", .device = "cpu", .hosts = {"a"}, .ranks = 4};
        calibration.points = {{"all_reduce", 1024, 2e9}, {"all_reduce", 1 << 20, 7e9}};
        RunSnapshot run;
        QVERIFY(!ceilingOf({calibration}, summary, run, "gloo"));
        QVERIFY(!ceilingOf({calibration}, summary, run, ""));
        QCOMPARE(ceilingOf({calibration}, summary, run, "ring")->name,
                 QStringLiteral("ring calibrated with 4 ranks"));
        summary.rows[0].backend = ledger::Backend::Ring;
        QVERIFY(ceilingOf({calibration}, summary, run, "gloo"));
        summary.rows[0].backend = ledger::Backend::Gloo;
        QVERIFY(!ceilingOf({calibration}, summary, run, "ring"));
        QCOMPARE(ceilingOf({calibration}, "ring", "all_reduce", 4, 1 << 20)->bytesASecond, 7e9);
        QVERIFY(!ceilingOf({calibration}, "ring", "broadcast", 4, 1 << 20));

        // On several hosts it is that of the pair on which a group is, and of no other.
        const auto over = [&run](const char* host, const char* other) {
            run.hosts = {{.agent = "1", .host = host}, {.agent = "2", .host = other}};
            run.workers.clear();
            for (int rank = 0; rank < 4; ++rank)
                run.workers.push_back(
                    {.assignment = {.globalRank = rank}, .agent = rank % 2 == 0 ? "1" : "2"});
        };
        Calibration pair = calibration;
        pair.hosts = {"gpu1", "gpu2"};
        summary.rows[0].backend = ledger::Backend::Ring;
        over("gpu2", "gpu1");
        QVERIFY(!ceilingOf({calibration}, summary, run, ""));
        QCOMPARE(ceilingOf({calibration, pair}, summary, run, "")->name,
                 QStringLiteral("ring calibrated between gpu1 and gpu2 with 4 ranks"));
        over("gpu1", "gpu3");
        QVERIFY(!ceilingOf({calibration, pair}, summary, run, ""));
        over("localhost", "localhost");
        QCOMPARE(ceilingOf({calibration, pair}, summary, run, "")->name,
                 QStringLiteral("ring calibrated with 4 ranks"));
    }

    void aJobAboveItsCeilingDoubtsTheCalibration()
    {
        openWithCollectives();
        QTRY_COMPARE(table("Operations")->model()->rowCount(), 3);
        auto* chart = page().findChild<BandwidthChart*>();
        chart->setCeiling(Ceiling{QStringLiteral("ring at best"), 30e9, "ring"});
        QCOMPARE(chart->series().back().name, QStringLiteral("ring at best"));
        chart->setCeiling(Ceiling{QStringLiteral("ring at best"), 9e9, "ring"});
        QCOMPARE(chart->series().back().name, QStringLiteral("ring at best (on a busy machine?)"));
        QVERIFY(chart->series().back().isLimit);
    }

    void theChartSavesTheValuesOfItsTwin()
    {
        openWithCollectives();
        QTRY_COMPARE(table("Operations")->model()->rowCount(), 3);
        const QByteArray csv = page().findChild<BandwidthChart*>()->csv()();
        QVERIFY2(csv.startsWith("from_s,operation,count,bytes,busbw_bytes_per_s\n"),
                 csv.constData());
        QCOMPARE(csv.count('\n'), 1 + 236);
        QVERIFY(csv.contains(",all_reduce,80,2097152000,"));
    }

    void asksOnlyWhileSomebodyLooks()
    {
        openWithCollectives();
        QTRY_VERIFY(m_dashboard->cluster.operationReads() > 1);
        m_dashboard->window.hide();
        QCoreApplication::processEvents();
        m_dashboard->cluster.settle();
        const int before = m_dashboard->cluster.operationReads();
        // A second lies between two questions: by then the next one would have been asked.
        QTimer later;
        later.setSingleShot(true);
        QSignalSpy waited(&later, &QTimer::timeout);
        later.start(1500);
        QVERIFY(waited.wait());
        m_dashboard->cluster.settle();
        QCOMPARE(m_dashboard->cluster.operationReads(), before);
        m_dashboard->window.show();
        QTRY_VERIFY(m_dashboard->cluster.operationReads() > before);
    }

    void saysWhyNothingIsRecorded()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        open(run);
        auto* empty = page().findChild<EmptyState*>(QStringLiteral("noOperations"));
        QTRY_COMPARE(empty->accessibleName(), QStringLiteral("No collectives recorded yet."));
        m_dashboard->cluster.publish(
            run, Scenario::ago(0),
            Notice{Notice::Severity::Warning,
                   3,
                   {code::LedgerNotRecording, {{"rank", "3"}, {"reason", "no compiler"}}, {}}});
        QTRY_COMPARE(empty->accessibleName(), QStringLiteral("The operations aren't recorded."));
        QVERIFY2(empty->accessibleDescription().contains(QStringLiteral("no compiler")),
                 qPrintable(empty->accessibleDescription()));
    }

    void rowsKeepTheirPlaceWhileTheirValuesChange()
    {
        OperationTableModel model;
        const QAbstractItemModelTester tester(&model);
        OperationSummary summary{.attempt = 0};
        summary.rows = {row(OperationKind::AllReduce, 100), row(OperationKind::Broadcast, 50)};
        model.show(summary);
        const QPersistentModelIndex broadcast(model.index(1, OperationTableModel::Count));
        QSignalSpy removed(&model, &QAbstractItemModel::rowsRemoved);
        summary.rows = {row(OperationKind::Broadcast, 900), row(OperationKind::AllReduce, 101),
                        row(OperationKind::Barrier, 1)};
        model.show(summary);
        QCOMPARE(broadcast.data().toString(), QStringLiteral("900"));
        QCOMPARE(model.rowCount(), 3);
        QVERIFY(removed.isEmpty());
        summary.rows = {row(OperationKind::Barrier, 2)};
        model.show(summary);
        QCOMPARE(model.rowCount(), 1);
        QVERIFY(!broadcast.isValid());
    }

    void aBroadcastsTimeIsNotCalledTheWires()
    {
        const QString synchronising = timeSourceText(row(OperationKind::AllReduce, 1));
        diagnose::BandwidthRow rooted = row(OperationKind::Broadcast, 1);
        rooted.isWire = false;
        QVERIFY(synchronising.contains(QStringLiteral("the wire's own")));
        QVERIFY(timeSourceText(rooted).contains(QStringLiteral("no measure of the wire")));
    }

    void bandwidthsHaveThreeDigits()
    {
        QCOMPARE(bandwidthText(4.984e9), QStringLiteral("4.98 GB/s"));
        QCOMPARE(bandwidthText(21.34e9), QStringLiteral("21.3 GB/s"));
        QCOMPARE(bandwidthText(456.7e6), QStringLiteral("457 MB/s"));
        QCOMPARE(preciseDurationText(12'340), QStringLiteral("12.3 µs"));
        QCOMPARE(preciseDurationText(1'840'000), QStringLiteral("1.84 ms"));
    }

private:
    static diagnose::BandwidthRow row(OperationKind kind, std::uint64_t count)
    {
        return {.kind = kind,
                .type = ledger::DataType::Float32,
                .group = {"0", {0, 1}},
                .bucket = 1024,
                .count = count,
                .bytes = 1024 * count,
                .transferNs = 1000,
                .feltNs = static_cast<std::int64_t>(count),
                .isWire = true};
    }
};

QTEST_MAIN(tst_job_operations)
#include "tst_job_operations.moc"
