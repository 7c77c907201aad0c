#include "app/jobs/DeviceSpark.h"
#include "app/jobs/DevicesPanel.h"
#include "app/jobs/DrillDialog.h"
#include "app/jobs/EventsPanel.h"
#include "app/jobs/JobActions.h"
#include "app/jobs/LogSearchBar.h"
#include "app/jobs/LogView.h"
#include "app/jobs/StopGrace.h"
#include "app/jobs/TimelinePanel.h"
#include "app/jobs/TimelineView.h"
#include "app/jobs/WorkerTiles.h"
#include "app/model/FigureAge.h"
#include "app/model/LogModel.h"
#include "app/model/WorkerTableModel.h"
#include "app/widget/Banner.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Pill.h"
#include "engine/base/Codes.h"
#include "engine/event/Codes.h"
#include "engine/job/JobFile.h"
#include "tests/app/JobTest.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QElapsedTimer>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

#include <algorithm>
#include <csignal>

using namespace ringmaster;
using namespace ringmaster::app;

class tst_job_page : public JobTest
{
    Q_OBJECT

private Q_SLOTS:
    void showsWhereTheJobStands()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        QTRY_COMPARE(page().findChild<StatusBadge*>()->word(), QStringLiteral("Running"));
        QTRY_COMPARE(chip("Running")->text(), QStringLiteral("Running 8"));
        QCOMPARE(chip("Restarted")->text(), QStringLiteral("Restarted 8"));
        QCOMPARE(chip("Failed")->text(), QStringLiteral("Failed 0"));
    }

    void whatNobodyKnowsHowToStartIsntRunAgain()
    {
        QWidget parent;
        JobActions actions(&parent);
        actions.update(nullptr, false, -1);
        QVERIFY(actions.runAgain->isEnabled());
        RunSnapshot run;
        run.state = RunState::Failed;
        actions.update(&run, false, -1);
        QVERIFY(!actions.runAgain->isEnabled() && !actions.edit->isEnabled());
        QVERIFY2(actions.runAgain->toolTip().contains(QStringLiteral("how it was started")),
                 qPrintable(actions.runAgain->toolTip()));
        run.started.jobFile = "program = \"train.py\"";
        actions.update(&run, false, -1);
        QVERIFY(actions.runAgain->isEnabled());
    }

    void saysTheFirstCauseAndItsTraceback()
    {
        open(m_dashboard->scenario.failed());
        auto* banner = page().findChild<Banner*>();
        QTRY_VERIFY(banner->isVisible());
        QVERIFY2(banner->text().contains(QStringLiteral("ValueError in data.py line 42")),
                 qPrintable(banner->text()));
        auto* details = page().findChild<QPlainTextEdit*>();
        QVERIFY(!details->isVisible());
        QTest::mouseClick(button("Traceback"), Qt::LeftButton);
        QVERIFY(details->isVisible());
        QVERIFY(details->toPlainText().contains(QStringLiteral("shard 17")));
    }

    void tilesTableTimelineAndLogShareOneRank()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        auto* tiles = page().findChild<WorkerTiles*>();
        QTRY_COMPARE(tiles->model()->rowCount(), 8);
        QTRY_VERIFY(!tiles->visualRect(tiles->model()->index(3, 0)).isEmpty());
        QTest::mouseClick(tiles->viewport(), Qt::LeftButton, {},
                          tiles->visualRect(tiles->model()->index(3, 0)).center());
        QCOMPARE(page().selectedRank(), 3);
        auto* table = m_dashboard->find<QTableView>(QStringLiteral("Workers as a table"));
        QCOMPARE(table->selectionModel()->selectedRows().first().row(), 3);
        auto* log = page().findChild<LogView*>();
        QTRY_VERIFY(log->model()->rowCount() > 0 &&
                    log->model()->index(0, 0).data(LogModel::RankRole).toInt() == 3);
        auto* timeline = page().findChild<TimelineView*>();
        QTest::keyClick(timeline, Qt::Key_Down);
        QCOMPARE(page().selectedRank(), 4);
        QTest::mouseClick(button("All ranks"), Qt::LeftButton);
        QCOMPARE(page().selectedRank(), -1);
    }

    void aTableTakesTheFocusOfItsDrawing()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        auto* timeline = page().findChild<TimelineView*>();
        auto* panel = page().findChild<TimelinePanel*>();
        timeline->setFocus();
        panel->showTable(true);
        QCOMPARE(m_dashboard->window.focusWidget(), panel->table());
        panel->showTable(false);
        QCOMPARE(m_dashboard->window.focusWidget(), timeline);
    }

    void signalsOnlyTheChosenWorker()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        JobActions& actions = m_dashboard->window.jobsPage().actions();
        QVERIFY(!actions.signalMenu->isEnabled());
        page().selectRank(5);
        QTRY_VERIFY(actions.signalMenu->isEnabled());
        for (QAction* action : actions.signalMenu->actions()) {
            if (action->text() == QStringLiteral("SIGUSR1"))
                action->trigger();
        }
        QTRY_COMPARE(m_dashboard->cluster.commands().size(), size_t{1});
        const SignalWorker wanted{.globalRank = 5, .signal = SIGUSR1};
        QVERIFY(std::get<SignalWorker>(m_dashboard->cluster.commands().front().second) == wanted);
    }

    void aFireDrillAsksAndTellsItsResult()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        open(run);
        JobActions& actions = m_dashboard->window.jobsPage().actions();
        page().selectRank(5);
        QTRY_VERIFY(actions.fireDrill->isEnabled());
        actions.fireDrill->trigger();
        auto* dialog = page().findChild<DrillDialog*>();
        QVERIFY(dialog != nullptr);
        QVERIFY(m_dashboard->cluster.commands().empty());
        QVERIFY(dialog->drill().kind == BeginDrill::Kind::Kill);
        QCOMPARE(dialog->drill().globalRank, 5);
        dialog->accept();
        QTRY_COMPARE(m_dashboard->cluster.commands().size(), size_t{1});
        const auto sent = std::get<BeginDrill>(m_dashboard->cluster.commands().front().second);
        QCOMPARE(sent.globalRank, 5);
        QVERIFY(!sent.by.empty() && sent.limit.count() > 0);

        QSignalSpy told(&page(), &JobPage::toastRequested);
        const auto results = [&told] {
            return std::ranges::count_if(told, [](const QList<QVariant>& toast) {
                return toast.first().toString().startsWith(QStringLiteral("Fire drill: "));
            });
        };
        const auto publish = [&](Code code) {
            Message message{code, {{"seconds", "14.0"}, {"signal", "SIGKILL"}}, {}};
            m_dashboard->cluster.publish(run, Scenario::ago(0),
                                         Notice{.globalRank = 5, .message = message});
        };
        publish(code::DrillBackRunning);
        QTRY_COMPARE(results(), 1);
        // Of a drill that somebody else has begun, the events tell.
        const auto before = page().run().snapshot().lastSequence;
        publish(code::DrillRunEnded);
        QTRY_VERIFY(page().run().snapshot().lastSequence > before);
        QCOMPARE(results(), 1);
    }

    void aFireDrillOffersTheHostsThatAreThere()
    {
        QCOMPARE(choice(DrillDialog(RunSnapshot(), -1), "What")->count(), 3);
        open(m_dashboard->scenario.onHosts());
        QTRY_VERIFY(!page().run().snapshot().hosts.empty());
        const DrillDialog dialog(page().run().snapshot(), -1);
        QComboBox* what = choice(dialog, "What");
        QComboBox* host = choice(dialog, "Host");
        QVERIFY(host->findText(QStringLiteral("gpu1")) >= 0);
        QVERIFY(host->findText(QStringLiteral("gpu2")) < 0); // it is cut off
        QVERIFY(!dialog.drill().isOfHost());
        what->setCurrentIndex(what->findData(static_cast<int>(BeginDrill::Kind::CutHost)));
        host->setCurrentIndex(host->findText(QStringLiteral("gpu1")));
        QVERIFY(choice(dialog, "Rank")->isHidden() && !host->isHidden());
        const BeginDrill cut = dialog.drill();
        QVERIFY(cut.kind == BeginDrill::Kind::CutHost && cut.host == "gpu1");
        QVERIFY(cut.globalRank == -1 && cut.duration.count() > 0);
        what->setCurrentIndex(what->findData(static_cast<int>(BeginDrill::Kind::KillHost)));
        QVERIFY(dialog.drill().isKill() && dialog.drill().duration.count() == 0);
    }

    void asksOnceBeforeItStops()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        JobActions& actions = m_dashboard->window.jobsPage().actions();
        QTRY_VERIFY(actions.stop->isEnabled());
        actions.stop->trigger();
        auto* box = page().findChild<QMessageBox*>(QStringLiteral("confirmStop"));
        QVERIFY(box != nullptr);
        QVERIFY2(box->informativeText().startsWith(QStringLiteral("8 workers end")),
                 qPrintable(box->informativeText()));
        QVERIFY2(box->informativeText().contains(QStringLiteral("have 30 s to save")),
                 qPrintable(box->informativeText()));
        QVERIFY2(
            box->informativeText().contains(QStringLiteral("A second stop kills them at once.")),
            qPrintable(box->informativeText()));
        QVERIFY(m_dashboard->cluster.commands().empty());
        for (QAbstractButton* choice : box->buttons()) {
            if (choice->text() == QStringLiteral("Stop"))
                choice->click();
        }
        QTRY_COMPARE(m_dashboard->cluster.commands().size(), size_t{1});
        QVERIFY(std::get<StopRun>(m_dashboard->cluster.commands().front().second) == StopRun{});
    }

    void aSecondStopDoesNotWait()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        open(run);
        m_dashboard->cluster.publish(run, Scenario::ago(0),
                                     RunStateChanged{RunState::Stopping, {code::None}, 0});
        JobActions& actions = m_dashboard->window.jobsPage().actions();
        QTRY_COMPARE(actions.stop->text(), QStringLiteral("Stop now"));
        const auto* banner = page().findChild<Banner*>();
        QVERIFY(banner != nullptr);
        QTRY_VERIFY2(banner->text().contains(QStringLiteral("left to save and end")),
                     qPrintable(banner->text()));
        actions.stop->trigger();
        QTRY_COMPARE(m_dashboard->cluster.commands().size(), size_t{1});
        QVERIFY(std::get<StopRun>(m_dashboard->cluster.commands().front().second).now);
    }

    void theGraceCountsFromWhenTheWorkersAreAsked()
    {
        JobSpec spec{.roles = {Role{.program = "train.py"}}};
        spec.restart.grace = std::chrono::seconds(30);
        RunSnapshot run;
        run.started.jobFile = jobFileText(spec).value_or("");
        run.state = RunState::Stopping;
        constexpr std::int64_t Second = 1'000'000'000;
        run.stateSince.wallNs = 100 * Second;
        const auto textAt = [&](double seconds) {
            return stopGraceText(run, static_cast<std::int64_t>(seconds * Second));
        };
        const QString left =
            QStringLiteral("The workers have %1 s left to save and end. \"Stop now\" kills them at "
                           "once.");
        QCOMPARE(textAt(103.4), left.arg(30)); // they are looked at
        run.graceSince.wallNs = 103'500'000'000;
        QCOMPARE(textAt(103.5), left.arg(30));
        QCOMPARE(textAt(110), left.arg(24)); // what has begun is theirs
        QCOMPARE(textAt(133), left.arg(1));
        QCOMPARE(textAt(133.5), QStringLiteral("The time that the workers had to end is over; they "
                                               "are being killed."));
    }

    /// To measure its text asks for another painting.
    void aBannerThatStandsIsNotPaintedForEver()
    {
        open(m_dashboard->scenario.failed());
        auto* banner = page().findChild<Banner*>();
        QTRY_VERIFY(banner->isVisible());
        class Paints : public QObject
        {
        public:
            int count = 0;
            bool eventFilter(QObject* /*watched*/, QEvent* event) override
            {
                count += event->type() == QEvent::Paint ? 1 : 0;
                return false;
            }
        } paints;
        banner->installEventFilter(&paints);
        banner->update();
        QTRY_VERIFY(paints.count > 0);
        QSignalSpy never(banner, &QObject::objectNameChanged);
        QVERIFY(!never.wait(1000));
        QVERIFY2(paints.count < 10, qPrintable(QString::number(paints.count)));
    }

    void theFilterBoxShowsWhetherItIsUnderstood()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        auto* box = m_dashboard->find<QLineEdit>(QStringLiteral("Filter the log"));
        QTest::keyClick(&m_dashboard->window, Qt::Key_F, Qt::ControlModifier);
        auto* log = page().findChild<LogView*>();
        QTRY_VERIFY(log->model()->rowCount() > 0);
        box->setText(QStringLiteral("/(/"));
        QTRY_COMPARE(box->property("validity").toString(), QStringLiteral("invalid"));
        box->setText(QStringLiteral("level:warning"));
        QTRY_COMPARE(box->property("validity").toString(), QStringLiteral("valid"));
        QTRY_VERIFY(
            log->model()->rowCount() > 0 &&
            log->model()->index(0, 0).data().toString().contains(QStringLiteral("WARNING")));
    }

    void theWholeLogIsSearched()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        for (int i = 1; i <= 30'000; ++i)
            m_dashboard->cluster.print(run, Scenario::ago(1), 0,
                                       i % 10'000 == 3 ? "needle " + std::to_string(i) + "\n"
                                                       : "straw " + std::to_string(i) + "\n");
        open(run);
        auto* log = page().findChild<LogView*>();
        auto* bar = page().findChild<LogSearchBar*>();
        QTRY_VERIFY(log->model()->rowCount() > 100);
        QVERIFY(!bar->isVisible());
        auto* box = m_dashboard->find<QLineEdit>(QStringLiteral("Filter the log"));
        QTest::keyClick(&m_dashboard->window, Qt::Key_F, Qt::ControlModifier);
        QTRY_VERIFY(box->hasFocus());
        QTest::keyClicks(box, QStringLiteral("needle"));
        const auto line = [&](int row) { return log->model()->index(row, 0).data().toString(); };
        QTRY_COMPARE(bar->text(), QStringLiteral("3 lines match"));
        QCOMPARE(log->model()->rowCount(), 3);
        QTRY_COMPARE(line(0), QStringLiteral("needle 3"));
        // From match to match, and round.
        const auto current = [&] { return log->currentIndex().data().toString(); };
        for (const char* expected : {"needle 3", "needle 10003", "needle 20003", "needle 3"}) {
            QTest::keyClick(box, Qt::Key_F3);
            QTRY_COMPARE(current(), QString::fromLatin1(expected));
        }
        QCOMPARE(bar->text(), QStringLiteral("1 of 3"));
        QTest::keyClick(box, Qt::Key_F3, Qt::ShiftModifier);
        QTRY_COMPARE(current(), QStringLiteral("needle 20003"));
        // Lines around them.
        bar->findChild<QSpinBox*>()->setValue(1);
        QTRY_COMPARE(log->model()->rowCount(), 9);
        QTRY_COMPARE(line(0), QStringLiteral("straw 2"));
        // In the whole log, of which the first part isn't loaded.
        QTest::mouseClick(button("Only matches"), Qt::LeftButton);
        QTRY_VERIFY(log->model()->rowCount() > 100);
        QTRY_COMPARE(bar->text(), QStringLiteral("3 lines match"));
        QTest::keyClick(box, Qt::Key_F3);
        QTRY_COMPARE(current(), QStringLiteral("needle 3"));
        QVERIFY(log->visualRect(log->currentIndex()).intersects(log->viewport()->rect()));
        box->clear();
        QTRY_VERIFY(!bar->isVisible());
    }

    void homeAndEndGoToTheFirstAndTheLastLineOfAll()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        for (int i = 1; i <= 30'000; ++i)
            m_dashboard->cluster.print(run, Scenario::ago(1), 0,
                                       "straw " + std::to_string(i) + "\n");
        open(run);
        auto* log = page().findChild<LogView*>();
        const auto line = [&](int row) { return log->model()->index(row, 0).data().toString(); };
        QTRY_COMPARE(line(log->model()->rowCount() - 1), QStringLiteral("straw 30000"));
        const QString first = QStringLiteral("epoch 3 step 1198 loss 0.0821");
        QVERIFY(line(0) != first);
        log->setFocus();
        QTest::keyClick(log, Qt::Key_Home);
        QTRY_COMPARE(line(0), first);
        QTRY_COMPARE(log->verticalScrollBar()->value(), 0);
        QTest::keyClick(log, Qt::Key_End);
        QTRY_COMPARE(line(log->model()->rowCount() - 1), QStringLiteral("straw 30000"));
        QTRY_VERIFY(log->isAtEnd());
    }

    void aWrongLevelIsToldTheRightOnes()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        auto* box = m_dashboard->find<QLineEdit>(QStringLiteral("Filter the log"));
        box->setText(QStringLiteral("level:warn"));
        const auto said = [&] {
            const auto labels = page().findChildren<QLabel*>();
            return std::ranges::any_of(labels, [](const QLabel* label) {
                return label->text().contains(QStringLiteral("info, warning and error"));
            });
        };
        QTRY_VERIFY(said());
    }

    void followLetsGoWhenTheReaderScrolls()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        open(run);
        auto* log = page().findChild<LogView*>();
        QTRY_VERIFY(log->model()->rowCount() > 100);
        QTRY_VERIFY(log->isAtEnd());
        log->setFocus();
        QTest::keyClick(log, Qt::Key_Home);
        QVERIFY(!button("Follow")->isChecked());
        QTest::mouseClick(button("Follow"), Qt::LeftButton);
        QTRY_VERIFY(log->isAtEnd());
    }

    void spacePressesTheFocusedButtonAndElseTheLogsFollow()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        QAbstractButton* table = button("Table");
        table->setFocus();
        QTest::keyClick(table, Qt::Key_Space);
        QVERIFY(table->isChecked());
        QVERIFY(button("Follow")->isChecked());
        auto* log = page().findChild<LogView*>();
        log->setFocus();
        QTest::keyClick(log, Qt::Key_Space);
        QVERIFY(!button("Follow")->isChecked());
    }

    void nothingIsCutInJapanese()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        m_dashboard->language.choose(Language::Choice::Japanese);
        m_dashboard->window.resize(1180, 760);
        page().selectRank(5);
        QTRY_VERIFY2(cutButtons().isEmpty(), qPrintable(cutButtons().join(QLatin1Char(' '))));
        QVERIFY2(m_dashboard->window.width() <= 1180,
                 qPrintable(QString::number(m_dashboard->window.width())));
    }

    void everythingHasANameAndIsReachedWithTab()
    {
        open(m_dashboard->scenario.restartedAndRunning());
        QTRY_COMPARE(page().findChild<WorkerTiles*>()->model()->rowCount(), 8);
        QStringList nameless;
        for (QWidget* widget : page().findChildren<QWidget*>()) {
            if (!widget->isVisible() || !(widget->focusPolicy() & Qt::TabFocus))
                continue;
            const auto* named = qobject_cast<QAbstractButton*>(widget);
            if (widget->accessibleName().isEmpty() && (named == nullptr || named->text().isEmpty()))
                nameless << QLatin1String(widget->metaObject()->className());
        }
        QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QLatin1Char(' '))));
    }

    void beyondManyRanksTilesAreAHeatMap()
    {
        open(m_dashboard->scenario.large(1000));
        auto* tiles = page().findChild<WorkerTiles*>();
        QTRY_COMPARE(tiles->model()->rowCount(), 1000);
        QVERIFY(tiles->isHeatMap());
        QTRY_VERIFY(tiles->visualRect(tiles->model()->index(700, 0)).width() > 0);
        QVERIFY(tiles->visualRect(tiles->model()->index(700, 0)).width() < 30);
    }

    void devicesAreThereOnceSomethingIsMeasured()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        open(run);
        auto* devices = page().findChild<DevicesPanel*>();
        QVERIFY(!devices->isVisible());
        m_dashboard->scenario.devices(run, 0);
        QTRY_VERIFY(devices->isVisible());
        // No GPU: three lines of the machine, and why there are no more.
        QCOMPARE(sparks().size(), size_t{3});
        QCOMPARE(sparks()[0]->track().quantity, DeviceQuantity::Processors);
        QVERIFY2(sparks()[1]->valueText().contains(QStringLiteral("MB/s")),
                 qPrintable(sparks()[1]->valueText()));
        const bool saysWhy = std::ranges::any_of(
            devices->findChildren<ElidedLabel*>(), [](const ElidedLabel* label) {
                return label->text().contains(QStringLiteral("No NVIDIA driver"));
            });
        QVERIFY(saysWhy);
    }

    void oldFiguresSaySo()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->cluster.publish(run, Scenario::ago(30), DeviceSample{.processors = 4});
        open(run);
        const QRegularExpression age(QStringLiteral("^measured \\d+"));
        const auto saysAge = [&](const QWidget& part) {
            const auto labels = part.findChildren<ElidedLabel*>();
            return std::ranges::any_of(
                labels, [&](const ElidedLabel* label) { return label->text().contains(age); });
        };
        QTRY_VERIFY(saysAge(*page().findChild<DevicesPanel*>()));
        // The workers' are of this second; those of a job that is over are old without a word.
        const RunModel& model = page().run();
        const Moment last = model.lastSample();
        QVERIFY(figureAgeText(model, last, last.wallNs + 3'000'000'000).isEmpty());
        QCOMPARE(figureAgeText(model, last, last.wallNs + 30'000'000'000),
                 QStringLiteral("measured 30.0 s ago"));
        QVERIFY(figureAgeText(model, {}, last.wallNs).isEmpty());
        m_dashboard->cluster.publish(run, Scenario::ago(0),
                                     RunStateChanged{RunState::Succeeded, {code::None}, 0});
        QTRY_VERIFY(!model.isRunning());
        QVERIFY(figureAgeText(model, last, last.wallNs + 30'000'000'000).isEmpty());
        QTRY_VERIFY(!saysAge(page()));
    }

    void eachGpuHasItsLines()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->scenario.devices(run, 2);
        open(run);
        QTRY_COMPARE(sparks().size(), size_t{3 + 2 * 4});
        const auto spark = [&](DeviceQuantity quantity) {
            const auto shown = sparks();
            return *std::ranges::find_if(shown, [quantity](const DeviceSpark* candidate) {
                return candidate->track().quantity == quantity;
            });
        };
        QCOMPARE(spark(DeviceQuantity::Memory)->valueText(),
                 QStringLiteral("61.0 GiB of 141.0 GiB"));
        QVERIFY2(spark(DeviceQuantity::Nvlink)->valueText().startsWith(QStringLiteral("in 9")),
                 qPrintable(spark(DeviceQuantity::Nvlink)->valueText()));
        QCOMPARE(spark(DeviceQuantity::Pcie)->track().lines.size(), size_t{2});
    }

    void devicesFollowTheSpanOfTime()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->scenario.devices(run, 1);
        open(run);
        QTRY_COMPARE(sparks().size(), size_t{7});
        auto& span = *page().findChild<TimeSpan*>();
        auto* devices = page().findChild<DevicesPanel*>();
        devices->showTable(true);
        auto* table = m_dashboard->find<QTableView>(QStringLiteral("Devices over time as a table"));
        QCOMPARE(table->model()->rowCount(), 7 * 106);
        // Ten seconds of them, chosen in a line: the table and the timeline follow.
        devices->showTable(false);
        DeviceSpark* const cpu = sparks()[0];
        const QRect plot = cpu->plotRect();
        const int y = plot.center().y();
        QTest::mousePress(cpu, Qt::LeftButton, {}, {plot.left() + plot.width() / 2, y});
        for (const int x :
             {plot.left() + plot.width() * 3 / 5, plot.left() + plot.width() * 3 / 4}) {
            QMouseEvent move(QEvent::MouseMove, QPointF(x, y), cpu->mapToGlobal(QPointF(x, y)),
                             Qt::NoButton, Qt::LeftButton, Qt::NoModifier);
            QCoreApplication::sendEvent(cpu, &move);
        }
        QTest::mouseRelease(cpu, Qt::LeftButton, {}, {plot.left() + plot.width() * 3 / 4, y});
        QVERIFY(!span.showsAll());
        devices->showTable(true);
        const int rows = table->model()->rowCount();
        QVERIFY2(rows > 0 && rows < 7 * 106, qPrintable(QString::number(rows)));
        span.showAll();
        QCOMPARE(table->model()->rowCount(), 7 * 106);
    }

    /// Of many machines, each is measured every second.
    void devicesAreDrawnOnceASecond()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->cluster.publish(run, Scenario::ago(2), DeviceSample{.processors = 4});
        open(run);
        QTRY_COMPARE(sparks().size(), size_t{3});
        class Changes : public QObject
        {
        public:
            int count = 0;
            bool eventFilter(QObject* /*watched*/, QEvent* event) override
            {
                count += event->type() == QEvent::ToolTipChange ? 1 : 0;
                return false;
            }
        } changes;
        DeviceSpark& cpu = *sparks()[0];
        cpu.installEventFilter(&changes);
        QElapsedTimer time;
        time.start();
        for (int sample = 1; sample <= 40; ++sample) {
            m_dashboard->cluster.publish(
                run, Scenario::ago(0), DeviceSample{.processors = 4, .cpuFraction = 0.01 * sample});
            m_dashboard->cluster.settle();
            const std::uint64_t last = m_dashboard->cluster.sequenceOf(run);
            QTRY_COMPARE(page().run().snapshot().lastSequence, last);
        }
        const qint64 most = time.elapsed() / 900 + 2;
        QVERIFY2(changes.count <= most,
                 qPrintable(QStringLiteral("%1 > %2").arg(changes.count).arg(most)));
        QTRY_COMPARE(cpu.valueText(), QStringLiteral("40 %"));
        QCOMPARE(cpu.track().lines.at(0).size(), size_t{41});
    }

    void linesOfDevicesGrowWithTheHistory()
    {
        DeviceHistory history;
        DeviceRows grown(history);
        const auto add = [&](size_t second) {
            DeviceSample sample{.processors = 8, .cpuFraction = 0.5};
            // What isn't always measured has fewer points.
            if (second % 3 == 0)
                sample.gpus = {{.index = 1, .name = "H200", .utilisation = 0.9}};
            history.add("a", static_cast<std::int64_t>(second) * 1'000'000'000, sample);
        };
        add(0);
        grown.update();
        const DeviceTrack& gpu = grown.all().at(1)->tracks.at(0);
        for (size_t second = 1; second < 2 * DeviceHistory::MostSamples; ++second) {
            add(second);
            if (second % 7 == 0)
                grown.update();
        }
        grown.update();
        QVERIFY(history.machines().at(0).thinnings > 1);
        DeviceRows fresh(history);
        fresh.update();
        QCOMPARE(grown.all().size(), size_t{2});
        QVERIFY(&grown.all().at(1)->tracks.at(0) == &gpu);
        QCOMPARE(grown.all().at(1)->detail, QStringLiteral("H200"));
        for (size_t row = 0; row < 2; ++row) {
            const auto& wanted = fresh.all().at(row)->tracks;
            const auto& tracks = grown.all().at(row)->tracks;
            QCOMPARE(tracks.size(), wanted.size());
            for (size_t i = 0; i < wanted.size(); ++i)
                QVERIFY(tracks[i].lines == wanted[i].lines);
        }
    }

    void aSampleOfALongRunCostsNoMoreThanOneOfAShortOne()
    {
        constexpr int Nodes = 8;
        DeviceSample sample{.processors = 96, .cpuFraction = 0.5};
        for (int gpu = 0; gpu < 8; ++gpu)
            sample.gpus.push_back({.index = gpu,
                                   .name = "NVIDIA H200",
                                   .utilisation = 0.9,
                                   .usedBytes = 61LL << 30,
                                   .totalBytes = 141LL << 30,
                                   .nvlink = Traffic{8e10, 7e10},
                                   .pcie = Traffic{3e9, 1e9}});
        DeviceHistory history;
        std::int64_t second = 0;
        const auto addOne = [&] {
            ++second;
            for (int node = 0; node < Nodes; ++node)
                history.add("node-" + std::to_string(node), second * 1'000'000'000, sample);
        };
        while (history.machines().empty() || history.machines().front().thinnings == 0)
            addOne();
        DeviceRows rows(history);
        rows.update();
        QElapsedTimer took;
        took.start();
        for (int i = 0; i < 200; ++i) {
            addOne();
            rows.update();
        }
        QVERIFY2(took.elapsed() < 5'000, qPrintable(QString::number(took.elapsed())));
        QCOMPARE(rows.all().size(), size_t{Nodes * 9});
    }

    void theTableOfDevicesHasTheNewestOfAll()
    {
        constexpr int Seconds = 3'000;
        RunModel run("r");
        std::vector<Event> events;
        for (std::int64_t second = 1; second <= Seconds; ++second) {
            for (const char* node : {"a", "b"}) {
                const std::uint64_t sequence = events.size() + 1;
                const std::int64_t at = second * 1'000'000'000;
                events.push_back({{"r", "agent", sequence},
                                  sequence,
                                  {at, at},
                                  node,
                                  "boot",
                                  DeviceSample{.processors = 4, .cpuFraction = 0.5}});
            }
        }
        run.apply(events);
        run.setEnded(std::nullopt);
        TimeSpan span(run);
        DeviceTableModel table(span);
        QAbstractItemModelTester tester(&table);
        DeviceRows rows(run.devices());
        rows.update();
        table.show(rows.all());
        QCOMPARE(table.rows().size(), DeviceTableModel::MostRows);
        // Three quantities of two machines at each moment.
        for (size_t i = 0; i < table.rows().size(); ++i) {
            const DeviceMoment& moment = table.rows()[i];
            const auto back = static_cast<std::int64_t>(i / 6);
            QCOMPARE(moment.atNs, (Seconds - back) * 1'000'000'000);
            QCOMPARE(moment.device, i % 6 < 3 ? QStringLiteral("a") : QStringLiteral("b"));
        }
        QCOMPARE(table.rows().front().value, QStringLiteral("50 %"));
        // Of a span long ago, too.
        span.show({10'000'000'000, 12'000'000'000});
        table.show(rows.all());
        QCOMPARE(table.rows().size(), size_t{3 * 6});
        QCOMPARE(table.rows().front().atNs, std::int64_t{12'000'000'000});
    }

    void devicesStandByHostUnderTheNamesOfTheBook()
    {
        DeviceHistory history;
        const DeviceSample plain{.processors = 8, .cpuFraction = 0.5};
        DeviceSample withGpu = plain;
        withGpu.gpus = {{.index = 0, .name = "H200", .utilisation = 0.9}};
        history.add("node-b", 1, plain);
        history.add("node-a", 2, withGpu);
        history.add("here", 3, plain);
        std::vector<HostSnapshot> hosts(3);
        hosts[0] = {.host = "gpu1", .node = "node-a"};
        hosts[1] = {.host = "gpu2", .node = "node-b"};
        hosts[2] = {.host = "gpu3"}; // says nothing yet
        QStringList names;
        DeviceRows rows(history);
        rows.update(hosts);
        for (const DeviceRow* row : rows.all())
            names << row->name;
        QCOMPARE(names, (QStringList{QStringLiteral("gpu1"), QStringLiteral("gpu1 · GPU 0"),
                                     QStringLiteral("gpu2"), QStringLiteral("here")}));
    }

    void nothingIsDrawnWhereNobodyLooked()
    {
        DeviceHistory history;
        for (const int second : {1, 2, 3, 9, 10, 11})
            history.add("a", second * 1'000'000'000LL, {.processors = 4, .cpuFraction = 0.5});
        DeviceRows rows(history);
        rows.update();
        const DeviceTrack& track = rows.all().at(0)->tracks.at(0);
        const auto& line = track.lines.at(0);
        QVERIFY(!isGap(line, 1) && !isGap(line, 2) && isGap(line, 3) && !isGap(line, 4));
        QCOMPARE(valuesAt(track, 3.5e9), std::vector<double>{0.5});
        QVERIFY(valuesAt(track, 7e9).empty());
        QVERIFY(valuesAt(track, 0.5e9).empty());
        QVERIFY(valuesAt(track, 60e9).empty());
        // Old samples are further apart, all of them.
        DeviceHistory old;
        for (const int second : {10, 20, 30, 40})
            old.add("a", second * 1'000'000'000LL, {.processors = 4});
        DeviceRows oldRows(old);
        oldRows.update();
        QVERIFY(!isGap(oldRows.all().at(0)->tracks.at(0).lines.at(0), 2));
    }

    void theHistoryOfDevicesIsBounded()
    {
        DeviceHistory history;
        for (size_t second = 0; second < 3 * DeviceHistory::MostSamples; ++second)
            history.add("a", static_cast<std::int64_t>(second) * 1'000'000'000, {.processors = 1});
        const auto& samples = history.machines().at(0).samples;
        QVERIFY(samples.size() <= DeviceHistory::MostSamples);
        QCOMPARE(samples.front().atNs, std::int64_t{0});
        QCOMPARE(samples.back().atNs,
                 static_cast<std::int64_t>(3 * DeviceHistory::MostSamples - 1) * 1'000'000'000);
    }

private:
    static QComboBox* choice(const DrillDialog& dialog, const char* name)
    {
        for (QComboBox* box : dialog.findChildren<QComboBox*>())
            if (box->accessibleName() == QLatin1String(name))
                return box;
        return nullptr;
    }

    /// Those that are shown, row by row.
    std::vector<DeviceSpark*> sparks()
    {
        std::vector<DeviceSpark*> shown;
        for (DeviceSpark* spark : page().findChildren<DeviceSpark*>()) {
            if (!spark->isHidden())
                shown.push_back(spark);
        }
        return shown;
    }

    QStringList cutButtons() const
    {
        QStringList cut;
        for (QAbstractButton* button : m_dashboard->window.findChildren<QAbstractButton*>()) {
            if (button->isVisible() && !button->text().isEmpty() &&
                button->width() < button->minimumSizeHint().width())
                cut << button->text();
        }
        return cut;
    }

    FilterChip* chip(const char* word)
    {
        for (FilterChip* chip : page().findChildren<FilterChip*>()) {
            if (chip->text().startsWith(QLatin1String(word)))
                return chip;
        }
        return nullptr;
    }

    QAbstractButton* button(const char* text)
    {
        for (QAbstractButton* button : page().findChildren<QAbstractButton*>()) {
            if (button->text() == QLatin1String(text))
                return button;
        }
        return nullptr;
    }
};

QTEST_MAIN(tst_job_page)
#include "tst_job_page.moc"
