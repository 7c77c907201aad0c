#include "app/jobs/JobsList.h"
#include "app/jobs/LogPanel.h"
#include "app/jobs/OperationsPanel.h"
#include "app/jobs/RunPreview.h"
#include "app/jobs/RunPreviewPanels.h"
#include "app/jobs/WorkersPanel.h"
#include "app/main/Language.h"
#include "app/model/NumberText.h"
#include "app/widget/ElidedLabel.h"
#include "tests/app/Scenario.h"
#include "tests/app/Window.h"

#include <QAbstractItemModelTester>
#include <QHeaderView>
#include <QScrollBar>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include <cmath>

using namespace ringmaster;
using namespace ringmaster::app;

/// The overview of all jobs.
class tst_jobs_list : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { useTemporarySettings(); }

    void init()
    {
        m_cluster = std::make_unique<FakeCluster>();
        m_scenario = std::make_unique<Scenario>(*m_cluster);
        m_bridge = std::make_unique<EngineBridge>(*m_cluster);
        m_progress = std::make_unique<RunProgress>(*m_bridge);
        m_runs = std::make_unique<RunListModel>(*m_bridge, m_progress.get());
        m_list = std::make_unique<JobsList>(*m_bridge, *m_runs);
        m_list->resize(1400, 700);
        m_list->show();
    }

    void cleanup()
    {
        m_list.reset();
        m_runs.reset();
        m_progress.reset();
        m_bridge.reset();
        m_scenario.reset();
        m_cluster.reset();
    }

    void aRunningJobIsToldByFigures()
    {
        const QAbstractItemModelTester tester(
            m_runs.get(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_scenario->several();
        QTRY_COMPARE(table()->model()->rowCount(), 3);
        QTRY_COMPARE(text("vit-base", RunListModel::StepRate), QStringLiteral("3.4"));
        QCOMPARE(text("vit-base", RunListModel::BusBandwidth), QStringLiteral("9.70 GB/s"));
        QCOMPARE(text("vit-base", RunListModel::Says),
                 QStringLiteral("step 21542/24480 loss 0.402"));
        QCOMPARE(text("eval", RunListModel::BusBandwidth), QStringLiteral("–"));
        // How far it is, and when it will be done, as it prints.
        QTRY_VERIFY(text("vit-base", RunListModel::Progress).startsWith(QStringLiteral("88 % · ")));
        const double part =
            row("vit-base", RunListModel::Progress).data(RunListModel::ProgressRole).toDouble();
        QVERIFY2(std::abs(part - 0.88) < 0.001, qPrintable(QString::number(part)));
        // What is wrong with it comes before what it prints.
        QTRY_VERIFY(text("llm-pretrain", RunListModel::Says)
                        .startsWith(QStringLiteral("Rank 5 comes last")));
        QCOMPARE(text("llm-pretrain", RunListModel::State), QStringLiteral("Slow"));
    }

    void processorsAndGpusAreSmallLines()
    {
        m_scenario->several();
        const auto samples = [&](const char* run, int column) {
            return row(run, column)
                .data(RunListModel::SamplesRole)
                .value<std::vector<float>>()
                .size();
        };
        QTRY_COMPARE(samples("llm-pretrain", RunListModel::Cpu), size_t{90});
        QTRY_COMPARE(samples("llm-pretrain", RunListModel::Gpu), size_t{90});
        QCOMPARE(samples("eval", RunListModel::Gpu), size_t{0});
        QCOMPARE(text("eval", RunListModel::Gpu), QStringLiteral("–"));
        // Eight ranks that use most of a core each.
        const double cores =
            row("llm-pretrain", RunListModel::Cpu).data(RunListModel::SortRole).toDouble();
        QVERIFY2(cores > 3.5 && cores < 8, qPrintable(QString::number(cores)));
    }

    void nobodySamplesWhatNobodyLooksAt()
    {
        m_scenario->several();
        QTRY_COMPARE(row("eval", RunListModel::Cpu)
                         .data(RunListModel::SamplesRole)
                         .value<std::vector<float>>()
                         .size(),
                     size_t{90});
        m_list->hide();
        QVERIFY(row("eval", RunListModel::Cpu)
                    .data(RunListModel::SamplesRole)
                    .value<std::vector<float>>()
                    .empty());
    }

    void jobsThatGoOnComeFirstHoweverTheyAreSorted()
    {
        m_cluster->setRun(Scenario::summary("newest", RunState::Succeeded, 4, 5));
        m_cluster->setRun(Scenario::summary("a", RunState::Running, 2, 500));
        m_cluster->setRun(Scenario::summary("b", RunState::Running, 8, 400));
        m_cluster->setRun(Scenario::summary("oldest", RunState::Failed, 1, 9000));
        QTRY_COMPARE(table()->model()->rowCount(), 4);
        QCOMPARE(names(), (QStringLiteral("b,a,newest,oldest").split(u',')));
        table()->sortByColumn(RunListModel::Name, Qt::AscendingOrder);
        QCOMPARE(names(), (QStringLiteral("a,b,newest,oldest").split(u',')));
        table()->sortByColumn(RunListModel::Ranks, Qt::DescendingOrder);
        QCOMPARE(names(), (QStringLiteral("b,a,newest,oldest").split(u',')));
        table()->sortByColumn(RunListModel::Ranks, Qt::AscendingOrder);
        QCOMPARE(names(), (QStringLiteral("a,b,oldest,newest").split(u',')));
    }

    void lessonsAndSweepsAreAGroupOfTheirOwn()
    {
        m_cluster->setRun(Scenario::summary("train", RunState::Running, 2, 100));
        for (const auto& [name, purpose] : {std::pair{"ring", RunPurpose::Lesson},
                                            {"sweep all_reduce gloo", RunPurpose::Sweep}}) {
            RunSummary run = Scenario::summary(name, RunState::Succeeded, 2, 50);
            run.purpose = purpose;
            m_cluster->setRun(run);
        }
        QTRY_COMPARE(table("Lessons and sweeps")->model()->rowCount(), 2);
        QCOMPARE(names(), QStringList{QStringLiteral("train")});
        QVERIFY(!table("Lessons and sweeps")->isVisible());
        QToolButton* button = nullptr;
        for (QToolButton* each : m_list->findChildren<QToolButton*>()) {
            if (each->isCheckable())
                button = each;
        }
        QVERIFY(button != nullptr);
        QCOMPARE(button->text(), QStringLiteral("Lessons and sweeps (2) ▸"));
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(table("Lessons and sweeps")->isVisible());
        QSignalSpy chosen(m_list.get(), &JobsList::runChosen);
        QTableView* others = table("Lessons and sweeps");
        QTest::mouseClick(others->viewport(), Qt::LeftButton, {},
                          others->visualRect(others->model()->index(0, 0)).center());
        QCOMPARE(chosen.count(), 1);
        // It stays so.
        const QVariantMap state = m_list->saveState();
        QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(!others->isVisible());
        m_list->restoreState(state);
        QVERIFY(others->isVisible());
    }

    void theHeadSaysHowTheyAre()
    {
        m_scenario->several();
        const auto says = [this](const QString& text) {
            const auto labels = m_list->findChildren<ElidedLabel*>();
            return std::ranges::any_of(
                labels, [&](const ElidedLabel* label) { return label->text() == text; });
        };
        QTRY_VERIFY(says(QStringLiteral("3 running · 1 Slow")));
        RunSummary ended = Scenario::summary("llm-pretrain", RunState::Failed, 8, 100);
        m_cluster->setRun(ended);
        QTRY_VERIFY(says(QStringLiteral("2 running")));
    }

    void aNameThatAUserGaveIsShown()
    {
        RunSummary run = Scenario::summary("train", RunState::Running, 2, 100);
        run.labels = {.name = "wide net", .note = "with dropout", .tags = {"lr"}};
        m_cluster->setRun(run);
        QTRY_COMPARE(names(), QStringList{QStringLiteral("wide net")});
        const QString tip = table()->model()->index(0, 0).data(Qt::ToolTipRole).toString();
        QCOMPARE(tip, QStringLiteral("train\n#lr\nwith dropout"));
    }

    void narrowWindowsLeaveColumnsOut()
    {
        m_cluster->setRun(Scenario::summary("train", RunState::Running, 2, 100));
        QTRY_COMPARE(names().size(), 1);
        QVERIFY(!table()->isColumnHidden(RunListModel::Ranks));
        m_list->resize(800, 500);
        for (const int column : {RunListModel::Started, RunListModel::Ranks})
            QTRY_VERIFY(table()->isColumnHidden(column));
        for (const int column :
             {RunListModel::State, RunListModel::Name, RunListModel::Progress, RunListModel::Says})
            QVERIFY(!table()->isColumnHidden(column));
    }

    /// What a job says is of most worth: it has a place in the smallest window, too.
    void whatJobsSayIsInSightInASmallWindow()
    {
        m_scenario->several();
        QTRY_COMPARE(table()->model()->rowCount(), 3);
        m_list->resize(1024 - 218, 640);
        QTRY_COMPARE(table()->horizontalScrollBar()->maximum(), 0);
        QVERIFY2(table()->columnWidth(RunListModel::Says) >= 180,
                 qPrintable(QString::number(table()->columnWidth(RunListModel::Says))));
        for (int column = 0; column < RunListModel::Says; ++column)
            QVERIFY2(table()->columnWidth(column) * 3 <
                         table()->columnWidth(RunListModel::Says) * 2,
                     qPrintable(QString::number(column)));
    }

    /// What the sentences leave, lines over time have.
    void linesTakeTheRoomThatThereIs()
    {
        m_scenario->several();
        QTRY_COMPARE(table()->model()->rowCount(), 3);
        m_list->resize(2330, 1300);
        QTRY_VERIFY(!table()->isColumnHidden(RunListModel::Gpu));
        for (const int column : {RunListModel::Cpu, RunListModel::Gpu})
            QTRY_COMPARE(table()->columnWidth(column), 260);
        m_list->resize(1222, 840);
        QTRY_COMPARE(table()->horizontalScrollBar()->maximum(), 0);
        QVERIFY(!table()->isColumnHidden(RunListModel::Cpu));
        QVERIFY2(table()->columnWidth(RunListModel::Cpu) < 260,
                 qPrintable(QString::number(table()->columnWidth(RunListModel::Cpu))));
    }

    /// A sentence isn't cut above an empty page, and what follows the jobs follows them.
    void aRowIsAsHighAsWhatItsJobSays()
    {
        m_scenario->several();
        RunSummary lesson = Scenario::summary("ring", RunState::Succeeded, 2, 50);
        lesson.purpose = RunPurpose::Lesson;
        m_cluster->setRun(lesson);
        QTRY_COMPARE(table()->model()->rowCount(), 3);
        m_list->resize(1024 - 218, 700);
        const auto buttons = m_list->findChildren<QToolButton*>();
        const auto found = std::ranges::find_if(buttons, &QToolButton::isCheckable);
        QVERIFY(found != buttons.end());
        const QToolButton* button = *found;
        for (const int height : {700, 1300}) {
            m_list->resize(m_list->width(), height);
            QTRY_VERIFY(text("llm-pretrain", RunListModel::Says).startsWith(u"Rank 5 comes last"));
            const QModelIndex says = shown("llm-pretrain", RunListModel::Says);
            const auto needed = [&] {
                QTableView& view = *table();
                return view.fontMetrics()
                    .boundingRect(0, 0, view.columnWidth(RunListModel::Says) - 8, 1000,
                                  Qt::TextWordWrap, says.data().toString())
                    .height();
            };
            QTRY_VERIFY(table()->rowHeight(says.row()) >= std::min(needed(), 96));
            QTRY_COMPARE(table()->verticalScrollBar()->maximum(), 0);
            const QTableView& view = *table();
            const int end = view.viewport()->mapTo(m_list.get(), QPoint()).y() +
                            view.verticalHeader()->length();
            QTRY_VERIFY(button->mapTo(m_list.get(), QPoint()).y() - end < 40);
        }
    }

    /// Lines of a few jobs aren't small above an empty page; of many jobs, as many as can be are in
    /// sight.
    void linesOfAFewJobsAreHigh()
    {
        m_scenario->several();
        QTRY_COMPARE(table()->model()->rowCount(), 3);
        m_list->resize(1222, 840);
        for (int row = 0; row < 3; ++row)
            QTRY_VERIFY2(table()->rowHeight(row) >= 80,
                         qPrintable(QString::number(table()->rowHeight(row))));
        // What is over has none.
        m_cluster->setRun(Scenario::summary("over", RunState::Succeeded, 2, 1000));
        QTRY_COMPARE(table()->model()->rowCount(), 4);
        QTRY_COMPARE(table()->rowHeight(3), 44);
        QVERIFY(table()->rowHeight(0) >= 80);
        for (int i = 0; i < 20; ++i) {
            const std::string id = "train-" + std::to_string(i);
            m_cluster->setRun(Scenario::summary(id, RunState::Succeeded, 2, 1000 + i));
        }
        QTRY_COMPARE(table()->model()->rowCount(), 24);
        for (const int row : {0, 23})
            QTRY_COMPARE(table()->rowHeight(row), 44);
    }

    void theTimeLeftIsWholeAndIsntToldOnceItIsOver()
    {
        m_scenario->several();
        QTRY_VERIFY(text("llm-pretrain", RunListModel::Progress).endsWith(u" left"));
        const QModelIndex progress = shown("llm-pretrain", RunListModel::Progress);
        const auto room = [&] { return table()->visualRect(progress).width() - 18; };
        QTRY_VERIFY(room() >= table()->fontMetrics().horizontalAdvance(progress.data().toString()));
        NumberSummary::Progress over{.part = 0.88};
        over.endWallNs = 1'000'000'000;
        QCOMPARE(progressText(over, 2'000'000'000), QStringLiteral("88 %"));
        QCOMPARE(progressText(over, 0), QStringLiteral("88 % · 0:01 left"));
    }

    void titlesOfColumnsAreWholeInJapanese()
    {
        Language language;
        language.choose(Language::Choice::Japanese);
        m_scenario->several();
        QTRY_COMPARE(m_runs->rowCount(), 3);
        auto* japanese = m_list->findChildren<QTableView*>().front();
        for (int column = 0; column < RunListModel::Says; ++column) {
            if (!japanese->isColumnHidden(column))
                QVERIFY2(japanese->columnWidth(column) >
                             japanese->horizontalHeader()->fontMetrics().horizontalAdvance(
                                 m_runs->headerData(column, Qt::Horizontal).toString()),
                         qPrintable(QString::number(column)));
        }
        language.choose(Language::Choice::English);
    }

    void inALargeWindowTheChosenJobIsShownBelowTheList()
    {
        m_scenario->several();
        m_list->resize(2200, 1300);
        auto* preview = m_list->findChild<RunPreview*>();
        QTRY_VERIFY(preview->isVisible());
        // What isn't well comes first.
        QTRY_COMPARE(preview->run(), "llm-pretrain");
        const auto workers = [preview] {
            return preview->panels() == nullptr
                       ? size_t{0}
                       : preview->panels()->run().snapshot().workers.size();
        };
        QTRY_COMPARE(workers(), size_t{8});
        // The list has no more than its rows need, and they aren't cut.
        QTRY_COMPARE(table()->verticalScrollBar()->maximum(), 0);
        QTRY_VERIFY2(preview->height() > 700, qPrintable(QString::number(preview->height())));
        QSignalSpy chosen(m_list.get(), &JobsList::runChosen);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                          table()->visualRect(shown("eval", RunListModel::Name)).center());
        QTRY_COMPARE(preview->run(), "eval");
        QTRY_COMPARE(workers(), size_t{2});
        QCOMPARE(chosen.count(), 0);
        QTest::keyClick(table(), Qt::Key_Return);
        QCOMPARE(chosen.count(), 1);
        // Whoever doesn't see it follows nothing.
        m_list->hide();
        QVERIFY(preview->panels() == nullptr);
        m_list->show();
        QTRY_COMPARE(workers(), size_t{2});
        m_list->resize(1400, 700);
        QTRY_VERIFY(!preview->isVisible());
        QVERIFY(preview->panels() == nullptr);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                          table()->visualRect(shown("vit-base", RunListModel::Name)).center());
        QCOMPARE(chosen.count(), 2);
    }

    /// A click opens its page, as without it: there is little of it here.
    void aFewJobsLeaveRoomForAGlanceAtOne()
    {
        m_scenario->several();
        m_list->resize(1222, 840);
        auto* preview = m_list->findChild<RunPreview*>();
        QTRY_COMPARE(preview->run(), "llm-pretrain");
        QTRY_VERIFY(preview->panels() != nullptr);
        QTRY_VERIFY(preview->findChild<WorkersPanel*>()->isVisible());
        QVERIFY(preview->findChild<LogPanel*>()->isVisible());
        QVERIFY(!preview->findChild<OperationsPanel*>()->isVisible());
        QTRY_COMPARE(table()->verticalScrollBar()->maximum(), 0);
        QVERIFY2(preview->height() >= 330, qPrintable(QString::number(preview->height())));
        QSignalSpy chosen(m_list.get(), &JobsList::runChosen);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {},
                          table()->visualRect(shown("eval", RunListModel::Name)).center());
        QCOMPARE(chosen.count(), 1);
        // Larger, it has all of its panels.
        m_list->resize(2200, 1300);
        QTRY_VERIFY(preview->findChild<OperationsPanel*>()->isVisible());
    }

    void manyJobsLeaveNoRoomForAGlance()
    {
        m_scenario->several();
        m_list->resize(1222, 840);
        auto* preview = m_list->findChild<RunPreview*>();
        QTRY_VERIFY(preview->isVisible());
        for (int i = 0; i < 12; ++i)
            m_cluster->setRun(
                Scenario::summary("job" + std::to_string(i), RunState::Succeeded, 4, 60 + i));
        QTRY_VERIFY(!preview->isVisible());
        QTRY_COMPARE(table()->verticalScrollBar()->maximum(), 0);
    }

    void whatAFinishedJobHasNoneOfTakesNoRoom()
    {
        m_scenario->failed();
        m_list->resize(2200, 1300);
        auto* preview = m_list->findChild<RunPreview*>();
        QTRY_VERIFY(preview->panels() != nullptr);
        QTRY_VERIFY(preview->findChild<LogPanel*>()->isVisible());
        QTRY_VERIFY(!preview->findChild<OperationsPanel*>()->isVisible());
    }

    void ofManyJobsTheListLeavesRoomForTheChosenOne()
    {
        for (int i = 0; i < 60; ++i)
            m_cluster->setRun(
                Scenario::summary("job" + std::to_string(i), RunState::Succeeded, 4, 60 + i));
        m_list->resize(2200, 1300);
        auto* preview = m_list->findChild<RunPreview*>();
        QTRY_VERIFY2(preview->isVisible() && preview->height() >= 500,
                     qPrintable(QString::number(preview->height())));
        QTRY_VERIFY(table()->verticalScrollBar()->maximum() > 0);
    }

private:
    QTableView* table(const char* name = "Running and recent jobs") const
    {
        for (QTableView* each : m_list->findChildren<QTableView*>()) {
            if (each->accessibleName() == QLatin1String(name))
                return each;
        }
        return nullptr;
    }

    QModelIndex row(const char* run, int column) const
    {
        const QModelIndex index = m_runs->indexOf(QLatin1String(run));
        return index.isValid() ? index.siblingAtColumn(column) : QModelIndex();
    }

    /// In the table.
    QModelIndex shown(const char* run, int column) const
    {
        const QAbstractItemModel& model = *table()->model();
        const QModelIndexList found =
            model.match(model.index(0, 0), RunListModel::IdRole, QLatin1String(run));
        return found.isEmpty() ? QModelIndex() : found.first().siblingAtColumn(column);
    }
    QString text(const char* run, int column) const { return row(run, column).data().toString(); }

    QStringList names() const
    {
        QStringList names;
        for (int row = 0; row < table()->model()->rowCount(); ++row)
            names << table()->model()->index(row, RunListModel::Name).data().toString();
        return names;
    }

    std::unique_ptr<FakeCluster> m_cluster;
    std::unique_ptr<Scenario> m_scenario;
    std::unique_ptr<EngineBridge> m_bridge;
    std::unique_ptr<RunProgress> m_progress;
    std::unique_ptr<RunListModel> m_runs;
    std::unique_ptr<JobsList> m_list;
};

QTEST_MAIN(tst_jobs_list)
#include "tst_jobs_list.moc"
