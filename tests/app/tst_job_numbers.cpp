#include "app/jobs/JobPage.h"
#include "app/jobs/NumberChart.h"
#include "app/jobs/NumbersPanel.h"
#include "app/model/NumberTableModel.h"
#include "app/model/RunListModel.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/PanelGrid.h"
#include "tests/app/JobTest.h"

#include <QAbstractItemModelTester>
#include <QMenu>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

/// What a job's workers print of their training: its chart and table, and how far the job is.
class tst_job_numbers : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    void aRunThatPrintsNoneHasNoPanel()
    {
        const std::string run = m_dashboard->scenario.large(2);
        m_dashboard->cluster.print(run, Scenario::ago(5), 0, "nothing to count\n");
        open(run);
        m_dashboard->cluster.settle();
        QVERIFY(!panel().isAvailable());
        m_dashboard->cluster.print(run, Scenario::ago(1), 0, "loss 0.5\n");
        QTRY_VERIFY(panel().isAvailable());
    }

    void aLineARankOverTheTimeOfThePage()
    {
        openNumbers(twoAttempts());
        QTRY_COMPARE(chart().series().size(), size_t{2});
        const PlotSeries first = chart().series()[0];
        QCOMPARE(first.name, QStringLiteral("rank 0"));
        QCOMPARE(chooser().text(), QStringLiteral("loss ▾"));
        QCOMPARE(first.points.size(), size_t{4});
        QCOMPARE(first.points[3].y(), 0.5);
        // A gap where the run was restarted.
        QCOMPARE(first.breaks.size(), size_t{1});
        QVERIFY(first.breaks[0] > first.points[1].x() && first.breaks[0] < first.points[2].x());
        QVERIFY(chart().series()[1].look.color != first.look.color);
        QVERIFY(chart().vertical().from < 0.5 && chart().vertical().to > 2);

        const TimeSpan::Range all = span().shown();
        span().show({all.from + all.length() / 4, all.to});
        QCOMPARE(chart().horizontal().from, static_cast<double>(span().shown().from));
    }

    void severalNumbersAreDrawnTogether()
    {
        openNumbers(twoAttempts());
        QTRY_COMPARE(chart().series().size(), size_t{2});
        QTRY_COMPARE(names().join(u','), QStringLiteral("loss,lr,step"));
        action("lr")->trigger();
        QTRY_COMPARE(chart().series().size(), size_t{4});
        QCOMPARE(chooser().text(), QStringLiteral("loss, lr ▾"));
        QCOMPARE(chart().series()[2].name, QStringLiteral("lr, rank 0"));
        QVERIFY(chart().series()[2].look.line != chart().series()[0].look.line);
        action("loss")->trigger();
        QTRY_COMPARE(chart().series().size(), size_t{2});
        QTRY_COMPARE(chart().series()[0].points.size(), size_t{4});
        QCOMPARE(chart().series()[0].points[0].y(), 0.25);
        // The choice is kept with the page.
        const QVariantMap state = page().saveState();
        action("lr")->trigger();
        QTRY_COMPARE(chooser().text(), QStringLiteral("loss ▾"));
        page().restoreState(state);
        QTRY_COMPARE(chooser().text(), QStringLiteral("lr ▾"));
    }

    void theTableHasTheSame()
    {
        openNumbers(twoAttempts());
        QTRY_COMPARE(chart().series().size(), size_t{2});
        panel().showTable(true);
        const QAbstractItemModel* rows = panel().table()->model();
        QVERIFY(rows != nullptr);
        QTRY_COMPARE(rows->rowCount(), 8);
        QCOMPARE(rows->index(0, NumberTableModel::Attempt).data().toString(), QStringLiteral("2"));
        QCOMPARE(rows->index(7, NumberTableModel::Value).data().toString(), QStringLiteral("2"));
        const QList<QByteArray> csv = chart().csv()().split('\n');
        QCOMPARE(csv[0], QByteArray("at_s,name,attempt,rank,value"));
        QVERIFY2(csv[1].endsWith(",loss,0,0,2"), csv[1]);
        QCOMPARE(csv.size(), 10);
        panel().showTable(false);
        QVERIFY(panel().table()->model() == nullptr);
    }

    void theChosenRankIsChosenHereToo()
    {
        openNumbers(twoAttempts());
        QTRY_COMPARE(chart().series().size(), size_t{2});
        page().selectRank(1);
        QCOMPARE(chart().selected(), 1);
        Q_EMIT chart().seriesChosen(0);
        QCOMPARE(page().selectedRank(), 0);
    }

    void ofManyRanksTheLowestAndTheChosenAreDrawn()
    {
        const std::string run = m_dashboard->scenario.large(40);
        for (int rank = 0; rank < 40; ++rank)
            m_dashboard->cluster.print(run, Scenario::ago(5), rank, "loss 1\n");
        openNumbers(run);
        QTRY_COMPARE(chart().series().size(), NumberChart::MostRanks);
        // And it says that there are more.
        const auto says = [this](const char* part) {
            const auto labels = panel().findChildren<ElidedLabel*>();
            return std::ranges::any_of(labels, [&](const ElidedLabel* label) {
                return label->text().startsWith(QLatin1String(part));
            });
        };
        QTRY_VERIFY(says("8 of 40 ranks drawn"));
        page().selectRank(31);
        QVERIFY(says("9 of 40 ranks drawn"));
        QCOMPARE(chart().series().size(), NumberChart::MostRanks + 1);
        QCOMPARE(chart().series().back().name, QStringLiteral("rank 31"));
    }

    void theRowsAreAModel()
    {
        const RunModel run("a");
        TimeSpan span(run);
        NumberTableModel rows(span);
        const QAbstractItemModelTester tester(
            &rows, QAbstractItemModelTester::FailureReportingMode::QtTest);
        rows.show({.lines = {{"a,b", 0, 3, {{0, 1.5}, {1, 2.5}}}}});
        QCOMPARE(rows.rowCount(), 2);
        rows.show({});
        QCOMPARE(rows.rowCount(), 0);
        QCOMPARE(numbersCsv({.lines = {{"a,b", 0, 3, {{0, 1.5}}}}}, {0, 1}, 0),
                 QByteArray("at_s,name,attempt,rank,value\n0.000,\"a,b\",0,3,1.5\n"));
    }

    void theSideBarSaysHowFarARunIs()
    {
        const std::string run = m_dashboard->scenario.large(2);
        for (int step = 1; step <= 30; ++step)
            m_dashboard->cluster.print(run, Scenario::ago(60 - step), 0,
                                       "step " + std::to_string(step) + "/120\n");
        RunProgress progress(m_dashboard->bridge);
        RunListModel runs(m_dashboard->bridge, &progress);
        QTRY_VERIFY(runs.rowCount() > 0);
        const QModelIndex row = runs.indexOf(QString::fromStdString(run));
        QVERIFY(row.isValid());
        QTRY_COMPARE(row.data(RunListModel::ProgressRole).toDouble(), 0.25);
        QVERIFY(row.data(RunListModel::LineRole).toString().endsWith(QStringLiteral("25 %")));
        QVERIFY(progress.all().at(run).endWallNs.has_value());
        // Nobody asks how far a run is that is over.
        m_dashboard->cluster.setRun(Scenario::summary(run, RunState::Succeeded, 2, 100));
        QTRY_VERIFY(progress.all().empty());
        QTRY_VERIFY(!row.data(RunListModel::ProgressRole).isValid());
    }

private:
    /// Two ranks, whose second attempt prints lower losses.
    std::string twoAttempts()
    {
        const std::string run = m_dashboard->scenario.large(2);
        for (int attempt = 0; attempt < 2; ++attempt) {
            for (int step = 1; step <= 2; ++step) {
                for (int rank = 0; rank < 2; ++rank) {
                    const double loss = 2.0 - attempt - (step - 1) * 0.5;
                    m_dashboard->cluster.print(
                        run, Scenario::ago(40 - attempt * 20 - step * 2), rank,
                        "step " + std::to_string(step) + "/10 lr 0.25 loss " +
                            std::to_string(loss) + "\n",
                        Stream::Stdout, attempt);
                }
            }
        }
        return run;
    }

    void openNumbers(const std::string& run)
    {
        open(run);
        QTRY_VERIFY(panel().isAvailable());
        page().panels().bringForward(QStringLiteral("numbers"));
        QTRY_VERIFY(panel().isVisible());
    }

    NumbersPanel& panel() { return *page().findChild<NumbersPanel*>(); }
    NumberChart& chart() { return *page().findChild<NumberChart*>(); }
    QToolButton& chooser()
    {
        return *page().findChild<QToolButton*>(QStringLiteral("numberChooser"));
    }
    TimeSpan& span() { return *page().findChild<TimeSpan*>(); }

    QStringList names()
    {
        QStringList names;
        for (const QAction* action : chooser().menu()->actions())
            names += action->text();
        return names;
    }

    QAction* action(const char* name)
    {
        for (QAction* action : chooser().menu()->actions()) {
            if (action->text() == QLatin1String(name))
                return action;
        }
        return nullptr;
    }
};

QTEST_MAIN(tst_job_numbers)
#include "tst_job_numbers.moc"
