#include "app/history/HistoryPage.h"
#include "app/history/JobComparison.h"
#include "tests/app/FakeCluster.h"

#include <QAbstractItemModelTester>
#include <QPushButton>
#include <QTableView>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

RunSummary finished(const char* id, RunState state, std::int64_t startedAt)
{
    RunSummary run;
    run.id = id;
    run.name = std::string("job ") + id;
    run.state = state;
    run.worldSize = 4;
    run.startedAt = {startedAt, startedAt};
    run.endedAt = {startedAt + 5'000'000'000, startedAt + 5'000'000'000};
    run.sizeBytes = 1'000'000;
    return run;
}

QPushButton* button(QWidget& parent, const char* text)
{
    for (QPushButton* each : parent.findChildren<QPushButton*>()) {
        if (each->text() == QLatin1String(text))
            return each;
    }
    return nullptr;
}

} // namespace

class tst_history : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void showsFinishedRunsOnly()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryModel model(bridge);
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        RunSummary live = finished("b", RunState::Running, 2);
        live.isLive = true;
        cluster.setRun(live);
        QTRY_COMPARE(model.rowCount(), 1);
        cluster.setRun(finished("b", RunState::Failed, 2));
        QTRY_COMPARE(model.rowCount(), 2);
        model.setHidden("a", true);
        QCOMPARE(model.rowCount(), 1);
        model.setHidden("a", false);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.totalBytes(), std::uint64_t{2'000'000});
    }

    void filtersByNameAndEnd()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryModel model(bridge);
        HistoryFilter filter;
        filter.setSourceModel(&model);
        const QAbstractItemModelTester tester(
            &filter, QAbstractItemModelTester::FailureReportingMode::QtTest);
        cluster.setRun(finished("alpha", RunState::Succeeded, 1));
        cluster.setRun(finished("beta", RunState::Failed, 2));
        QTRY_COMPARE(filter.rowCount(), 2);
        filter.setText(QStringLiteral("BET"));
        QCOMPARE(filter.rowCount(), 1);
        filter.setState(RunState::Succeeded);
        QCOMPARE(filter.rowCount(), 0);
        filter.setText({});
        QCOMPARE(filter.rowCount(), 1);
    }

    void deletesOnlyWhenItIsNotTakenBack()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryPage page(bridge);
        page.show();
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 1);
        std::function<void()> undo;
        connect(&page, &Page::toastRequested, this,
                [&](const QString&, const std::function<void()>& takeBack) { undo = takeBack; });
        table->selectRow(0);
        QTest::mouseClick(button(page, "Delete"), Qt::LeftButton);
        QCOMPARE(table->model()->rowCount(), 0);
        QVERIFY(undo != nullptr);
        undo();
        QCOMPARE(table->model()->rowCount(), 1);
        QVERIFY(cluster.removed().empty());
    }

    void runsAFinishedJobAgain()
    {
        FakeCluster cluster;
        EngineBridge bridge(cluster);
        HistoryPage page(bridge);
        page.show();
        cluster.setRun(finished("a", RunState::Succeeded, 1));
        cluster.publish("a", Moment{1, 1},
                        RunStarted{.jobFile = "program = \"x.py\"\n", .workingFolder = "/tmp"});
        auto* table = page.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 1);
        table->selectRow(0);
        QSignalSpy again(&page, &Page::runAgainRequested);
        QTest::mouseClick(button(page, "Run again"), Qt::LeftButton);
        QTRY_COMPARE(again.count(), 1);
        QCOMPARE(again.front().at(0).toString(), QStringLiteral("program = \"x.py\"\n"));
        QCOMPARE(again.front().at(1).toString(), QStringLiteral("/tmp"));
    }

    void comparesTheSettingsOfTwoJobs()
    {
        const auto differences = compareJobs(
            "name = \"a\"\nworkers = 4\narguments = [\n    \"x\",\n]\n\n[restart]\nmax = 3\n",
            "name = \"a\"\nworkers = 2\n\n[restart]\nmax = 3\ngrace = \"1s\"\n");
        QCOMPARE(differences.size(), size_t{3});
        QCOMPARE(differences[0].setting, QStringLiteral("workers"));
        QCOMPARE(differences[0].left, QStringLiteral("4"));
        QCOMPARE(differences[1].setting, QStringLiteral("arguments"));
        QCOMPARE(differences[1].right, QString());
        QCOMPARE(differences[2].setting, QStringLiteral("restart.grace"));
    }
};

QTEST_MAIN(tst_history)
#include "tst_history.moc"
