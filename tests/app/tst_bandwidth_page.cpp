#include "app/bandwidth/BandwidthPage.h"
#include "app/bandwidth/HostPicker.h"
#include "app/bandwidth/SweepChart.h"
#include "app/bandwidth/SweepForm.h"
#include "app/bandwidth/SweepText.h"
#include "app/main/Pages.h"
#include "app/model/SeriesLooks.h"
#include "app/widget/Banner.h"
#include "engine/job/Codes.h"
#include "engine/record/Codes.h"
#include "tests/app/PageOf.h"
#include "tests/app/Window.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLayout>
#include <QListView>
#include <QMenu>
#include <QPushButton>
#include <QScrollBar>
#include <QTableView>
#include <QTimer>
#include <QtTest>

#include <map>

using namespace ringmaster;
using namespace ringmaster::app;

/// A sweep by clicking, its pictures and its table.
class tst_bandwidth_page : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        useTemporarySettings();
        m_dashboard = std::make_unique<Window>(pages());
        m_dashboard->language.choose(Language::Choice::English);
        m_dashboard->window.show();
    }

    void cleanup() { m_dashboard.reset(); }

    void theFormIsTheRequest()
    {
        SweepForm form;
        SweepRequest wanted{.collectives = {"reduce_scatter"},
                            .backends = {"ring", "nccl"},
                            .smallest = 1024,
                            .largest = 1 << 24,
                            .factor = 4,
                            .ranks = 1,
                            .hosts = {"gpu1", "gpu2"},
                            .type = "bfloat16",
                            .reduction = "max",
                            .isChecked = false};
        form.setRequest(wanted);
        QVERIFY(form.request() == wanted);
        SweepForm other;
        other.restoreState(form.saveState());
        QVERIFY(other.request() == wanted);
    }

    void hostsAreChosenWithTheKeyboard()
    {
        m_dashboard->cluster.hosts().setHosts({{.name = "gpu1", .groups = {"lab"}},
                                               {.name = "gpu2", .groups = {"lab"}},
                                               {.name = "old"}});
        show();
        QVERIFY(form().request().hosts.empty());
        auto* picker = page().findChild<HostPicker*>();
        QTRY_COMPARE(picker->menu()->actions().size(),
                     7); // this machine, three, a group; two lines
        picker->setFocus();
        QTimer::singleShot(0, this, [picker] {
            QMenu* menu = picker->menu();
            QTest::keyClick(menu, Qt::Key_Down); // this machine
            QTest::keyClick(menu, Qt::Key_Down);
            QTest::keyClick(menu, Qt::Key_Space); // gpu1
            QTest::keyClick(menu, Qt::Key_Down);
            QTest::keyClick(menu, Qt::Key_Down);
            QTest::keyClick(menu, Qt::Key_Space); // old
            QTest::keyClick(menu, Qt::Key_Escape);
        });
        QTest::keyClick(picker, Qt::Key_Space);
        QTRY_VERIFY(!picker->menu()->isVisible());
        QCOMPARE(form().request().hosts, (std::vector<std::string>{"gpu1", "old"}));
        QVERIFY(picker->text().startsWith(QStringLiteral("gpu1, old")));
        picker->menu()->actions().last()->trigger();
        QCOMPARE(form().request().hosts, (std::vector<std::string>{"gpu1", "gpu2"}));
        m_dashboard->cluster.hosts().setHosts({{.name = "gpu2"}});
        Q_EMIT m_dashboard->bridge.hostsChanged();
        QTRY_COMPARE(form().request().hosts, std::vector<std::string>{"gpu2"});
        picker->menu()->actions().first()->trigger();
        QVERIFY(form().request().hosts.empty());
    }

    void aSweepBetweenHostsIsLaunched()
    {
        requireWorker();
        m_dashboard->cluster.hosts().setHosts({{.name = "gpu1"}, {.name = "gpu2"}});
        show();
        auto* picker = page().findChild<HostPicker*>();
        QTRY_COMPARE(picker->menu()->actions().size(), 4);
        SweepRequest wanted{
            .backends = {"ring"}, .largest = 1024, .ranks = 1, .hosts = {"gpu1", "gpu2"}};
        form().setRequest(wanted);
        QTRY_VERIFY(button("Run sweep")->isEnabled());
        m_dashboard->cluster.answerLaunchWith(
            fail(code::SweepWithoutTorch, {{"path", "/usr/bin/python3"}}));
        QTest::mouseClick(button("Run sweep"), Qt::LeftButton);
        QTRY_COMPARE(m_dashboard->cluster.launched().size(), size_t{1});
        QVERIFY(sweepOf(m_dashboard->cluster.launched().front()) == wanted);
        auto* banner = page().findChild<Banner*>();
        QTRY_VERIFY(banner->isVisible());
        QVERIFY2(banner->text().contains(QLatin1String("/usr/bin/python3")),
                 qPrintable(banner->text()));
        wanted.ranks = 2;
        form().setRequest(wanted);
        QVERIFY(!banner->isVisible());
    }

    void pairsAreCalibratedOneAfterTheOther()
    {
        requireWorker();
        FakeCluster& cluster = m_dashboard->cluster;
        cluster.hosts().setHosts({{.name = "a"}, {.name = "b"}, {.name = "c"}});
        show();
        QTRY_COMPARE(page().findChild<HostPicker*>()->menu()->actions().size(), 5);
        form().setRequest({.hosts = {"a"}});
        QTRY_VERIFY(button("Run sweep")->isEnabled());
        QVERIFY(!button("Calibrate")->isEnabled());
        form().setRequest({.backends = {"gloo"}, .ranks = 1, .hosts = {"a", "b", "c"}});
        const auto pair = [&](size_t at) {
            return sweepOf(cluster.launched().at(at)).value_or(SweepRequest{}).hosts;
        };
        cluster.answerLaunchWith(std::string("one"));
        cluster.setRun(Scenario::summary("one", RunState::Running, 2, 1));
        QTest::mouseClick(button("Calibrate"), Qt::LeftButton);
        QTRY_COMPARE(cluster.launched().size(), size_t{1});
        QCOMPARE(pair(0), (std::vector<std::string>{"a", "b"}));
        cluster.settle();
        QTRY_VERIFY(m_dashboard->bridge.find("one") != nullptr);
        cluster.answerLaunchWith(std::string("two"));
        cluster.setRun(Scenario::summary("two", RunState::Running, 2, 1));
        cluster.setRun(Scenario::summary("one", RunState::Succeeded, 2, 1));
        QTRY_COMPARE(cluster.launched().size(), size_t{2});
        QCOMPARE(pair(1), (std::vector<std::string>{"a", "c"}));
        cluster.settle();
        // A pair that fails is the last one.
        cluster.setRun(Scenario::summary("two", RunState::Failed, 2, 1));
        const auto hasFailed = [this] {
            const RunSummary* run = m_dashboard->bridge.find("two");
            return run != nullptr && run->state == RunState::Failed;
        };
        QTRY_VERIFY(hasFailed());
        cluster.settle();
        QCOMPARE(cluster.launched().size(), size_t{2});
    }

    /// Two at once would both be wrong, and kept as what can be reached.
    void nothingElseIsMeasuredMeanwhile()
    {
        requireWorker();
        FakeCluster& cluster = m_dashboard->cluster;
        show();
        SweepRequest wanted{.backends = {"gloo"}, .largest = 1024, .ranks = 2};
        form().setRequest(wanted);
        const auto canMeasure = [this] {
            return button("Run sweep")->isEnabled() && button("Calibrate")->isEnabled();
        };
        const auto isBusy = [this] {
            return !button("Run sweep")->isEnabled() && !button("Calibrate")->isEnabled();
        };
        QTRY_VERIFY(canMeasure());
        cluster.answerLaunchWith(std::string("cal"));
        QTest::mouseClick(button("Calibrate"), Qt::LeftButton);
        QVERIFY(isBusy());
        wanted.isChecked = false;
        form().setRequest(wanted);
        QVERIFY(isBusy());
        // What is answered after the launch: the run isn't in the list yet.
        bool isAnswered = false;
        m_dashboard->bridge.ask(&HostRegistry::list)
            .then(&page(), [&](const Result<std::vector<Host>>&) { isAnswered = true; });
        QTRY_VERIFY(isAnswered);
        QVERIFY(isBusy());
        RunSummary run = Scenario::summary("cal", RunState::Running, 2, 1);
        run.purpose = RunPurpose::Sweep;
        cluster.setRun(run);
        QTRY_VERIFY(m_dashboard->bridge.find("cal") != nullptr);
        QVERIFY(isBusy());
        // Whatever the form says.
        form().setRequest({.backends = {"gloo"}, .largest = 1024, .ranks = 2});
        QVERIFY(isBusy());
        run.state = RunState::Succeeded;
        cluster.setRun(run);
        QTRY_VERIFY(canMeasure());
        QCOMPARE(cluster.launched().size(), size_t{1});
    }

    /// What can't be read isn't "starting" for ever.
    void aSweepThatCantBeReadIsOver()
    {
        requireWorker();
        FakeCluster& cluster = m_dashboard->cluster;
        RunSummary sweep = Scenario::summary("damaged", RunState::Failed, 4, 60);
        sweep.purpose = RunPurpose::Sweep;
        cluster.setRun(sweep);
        show();
        form().setRequest({.backends = {"gloo"}, .largest = 1024, .ranks = 2});
        QTRY_VERIFY(button("Run sweep")->isEnabled());
        cluster.settle();
        cluster.endRun("damaged", fail(code::RunFileDamaged, {{"path", "/runs/damaged/run.db"}}));
        QTRY_VERIFY(button("Run sweep")->isVisible());
        QVERIFY(!button("Stop sweep")->isVisible());
        const auto* banner = page().findChild<Banner*>();
        QVERIFY(banner->isVisible());
        QVERIFY2(banner->text().contains(QStringLiteral("/runs/damaged/run.db")),
                 qPrintable(banner->text()));
    }

    void drawsASweepWhileItRuns()
    {
        const std::string run = m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 5);
        show();
        auto* chart = page().findChild<SweepChart*>();
        QTRY_COMPARE(chart->series().size(), size_t{1});
        QCOMPARE(chart->series()[0].name, QStringLiteral("gloo"));
        QCOMPARE(chart->series()[0].points.size(), size_t{5});
        QVERIFY(button("Stop sweep")->isVisible());
        m_dashboard->scenario.measure(run, 5, 26);
        QTRY_COMPARE(chart->series().size(), size_t{2});
        QCOMPARE(chart->series()[1].name, QStringLiteral("ring"));
        QTRY_COMPARE(table().model()->rowCount(), 26);
        m_dashboard->scenario.endSweep(run);
        QTRY_VERIFY(button("Run sweep")->isVisible());
        QVERIFY(!button("Stop sweep")->isVisible());
    }

    /// From its first row to its last the chart has one scale: what is planned is known.
    void theAxisOfSizesDoesNotGrowWhileItMeasures()
    {
        const std::string run = m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 2);
        show();
        auto* chart = page().findChild<SweepChart*>();
        QTRY_COMPARE(chart->series().size(), size_t{1});
        QCOMPARE(chart->horizontal().from, 8.0);
        QCOMPARE(chart->horizontal().to, double(1 << 27));
        m_dashboard->scenario.measure(run, 2, 26);
        QTRY_COMPARE(chart->series().size(), size_t{2});
        QCOMPARE(chart->horizontal().from, 8.0);
        QCOMPARE(chart->horizontal().to, double(1 << 27));
        // What is read has the axis' unit.
        QCOMPARE(chart->vertical().text(1.2e6), QStringLiteral("0.0012 GB/s"));
        QCOMPARE(chart->vertical().title, QStringLiteral("GB/s"));
        // A part of it can be looked at, and Esc leads back.
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Plus);
        QVERIFY(chart->horizontal().from > 8);
        QTest::keyClick(chart, Qt::Key_Escape);
        QCOMPARE(chart->horizontal().from, 8.0);
    }

    void theTableFollowsWhatIsMeasured()
    {
        const std::string run = m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 5);
        show();
        QTRY_COMPARE(table().model()->rowCount(), 5);
        m_dashboard->scenario.measure(run, 5, 20);
        QTRY_COMPARE(table().model()->rowCount(), 20);
        const QScrollBar* bar = table().verticalScrollBar();
        QTRY_VERIFY(bar->maximum() > 0 && bar->value() == bar->maximum());
        table().scrollToTop();
        m_dashboard->scenario.measure(run, 20, 26);
        QTRY_COMPARE(table().model()->rowCount(), 26);
        QCOMPARE(bar->value(), 0);
    }

    void ceilingsHaveTheColoursOfTheirBackends()
    {
        SweepTableModel model;
        SweepRow row{.collective = "all_reduce", .backend = "ring", .wantedBytes = 8, .bytes = 8};
        row.busBandwidth = 1e9;
        model.show({{0, QString(), row}});
        SweepChart chart;
        chart.show({{QStringLiteral("ring"), {}}}, model.rows(),
                   {{QStringLiteral("ring at best"), 7e9, "ring"},
                    {QStringLiteral("gloo at best"), 1e9, "gloo"}});
        QCOMPARE(chart.series().size(), size_t{3});
        QCOMPARE(chart.series()[1].look.color, backendColor("ring"));
        QCOMPARE(chart.series()[2].look.color, backendColor("gloo"));
        QVERIFY(chart.series()[1].isLimit && chart.series()[2].isLimit);
    }

    void aSentenceSaysWhatACalibrationFound()
    {
        requireWorker();
        const QTemporaryDir state;
        qputenv("XDG_STATE_HOME", QFile::encodeName(state.path()));
        QVERIFY(keepCalibration({.backend = "ring",
                                 .device = "cpu",
                                 .hosts = {"here"},
                                 .machine = machineIdentity(),
                                 .ranks = 4,
                                 .measuredAtNs = 1'700'000'000'000'000'000,
                                 .run = "cal",
                                 .points = {{"all_reduce", 1 << 20, 8.3e9}}}));
        FakeCluster& cluster = m_dashboard->cluster;
        show();
        QTRY_VERIFY(button("Calibrate")->isEnabled());
        auto* banner = page().findChild<Banner*>();
        cluster.answerLaunchWith(std::string("cal"));
        cluster.setRun(Scenario::summary("cal", RunState::Running, 4, 1));
        QTest::mouseClick(button("Calibrate"), Qt::LeftButton);
        QTRY_COMPARE(cluster.launched().size(), size_t{1});
        cluster.settle();
        QTRY_VERIFY(m_dashboard->bridge.find("cal") != nullptr);
        cluster.setRun(Scenario::summary("cal", RunState::Succeeded, 4, 1));
        QTRY_VERIFY2(banner->text().contains(
                         QStringLiteral("ring reaches 8.30 GB/s in all_reduce with 4 ranks.")),
                     qPrintable(banner->text()));
        QVERIFY(banner->isVisible());
        form().setRequest({.backends = {"ring"}, .ranks = 2});
        QVERIFY(!banner->text().contains(QStringLiteral("8.30")) || !banner->isVisible());
        qunsetenv("XDG_STATE_HOME");
    }

    void theTableHasNcclTestsColumns()
    {
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26);
        show();
        QTRY_COMPARE(table().model()->rowCount(), 26);
        QCOMPARE(cell(0, SweepTableModel::Size), QStringLiteral("8"));
        QCOMPARE(cell(12, SweepTableModel::Size), QStringLiteral("134,217,728"));
        QCOMPARE(cell(12, SweepTableModel::Count), QStringLiteral("33,554,432"));
        QCOMPARE(cell(12, SweepTableModel::Wrong), QStringLiteral("0"));
        QVERIFY(cell(12, SweepTableModel::P99) != cell(12, SweepTableModel::P50));
        auto* chart = page().findChild<SweepChart*>();
        table().selectRow(20);
        QCOMPARE(chart->selected(), 1);
        QTest::keyClick(chart, Qt::Key_Up);
        QCOMPARE(table().selectionModel()->selectedRows().first().row(), 0);
    }

    void aRowThatCouldNotBeMeasuredSaysWhy()
    {
        SweepTableModel model;
        const QAbstractItemModelTester tester(&model);
        SweepRow row{.collective = "all_reduce", .backend = "nccl", .wantedBytes = 8};
        row.problem = {code::SweepWithoutGpu, {}, {}};
        model.show({{0, QString(), row}});
        QCOMPARE(model.index(0, SweepTableModel::BusBandwidth).data().toString(),
                 QStringLiteral("–"));
        QVERIFY(model.index(0, SweepTableModel::Note)
                    .data()
                    .toString()
                    .contains(QStringLiteral("GPU")));
        SweepChart chart;
        chart.show({{QStringLiteral("nccl"), {}}}, model.rows(), {});
        QVERIFY(chart.series()[0].points.empty());
    }

    void severalSweepsAreCompared()
    {
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26, "one");
        m_dashboard->scenario.sweep("sweep all_reduce ring", 26, "two");
        show();
        auto* list = m_dashboard->find<QListView>(QStringLiteral("Sweeps"));
        QTRY_COMPARE(list->model()->rowCount(), 2);
        auto* chart = page().findChild<SweepChart*>();
        QTRY_COMPARE(chart->series().size(), size_t{2});
        QVERIFY(table().isColumnHidden(SweepTableModel::Run));
        for (int row = 0; row < 2; ++row)
            list->model()->setData(list->model()->index(row, 0), Qt::Checked, Qt::CheckStateRole);
        QTRY_COMPARE(chart->series().size(), size_t{4});
        QVERIFY(!table().isColumnHidden(SweepTableModel::Run));
        // A backend keeps its colour and the collective its line: their sweep tells them apart.
        std::set<SeriesLook> looks;
        for (const PlotSeries& series : chart->series()) {
            looks.insert(series.look);
            const QString backend = series.name.section(QStringLiteral(" · "), 0, 0);
            QCOMPARE(series.look.color, backendColor(backend.toStdString()));
            QCOMPARE(series.look.line, collectiveLine("all_reduce"));
        }
        QCOMPARE(looks.size(), size_t{4});
    }

    void aSweepWhoseDeletionIsTakenBackIsShownAsBefore()
    {
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26, "one");
        m_dashboard->scenario.sweep("sweep all_reduce ring", 26, "two");
        m_dashboard->cluster.settle();
        EngineBridge& bridge = m_dashboard->bridge;
        SweepListModel model(bridge);
        QTRY_COMPARE(model.rowCount(), 2);
        const auto best = [&] {
            int named = 0;
            for (int row = 0; row < model.rowCount(); ++row)
                named +=
                    model.index(row, 0).data().toString().contains(QStringLiteral("fast")) ? 1 : 0;
            return named;
        };
        model.showOnly("one");
        model.setShown("two", true);
        model.setBest("one", QStringLiteral("fast"));
        const std::vector<std::string> both = model.shown();
        QCOMPARE(both.size(), size_t{2});
        bridge.hideRuns({"one"});
        QCOMPARE(model.shown(), std::vector<std::string>{"two"});
        QCOMPARE(best(), 0);
        bridge.showRuns({"one"});
        QCOMPARE(model.shown(), both);
        QCOMPARE(best(), 1);
        // Another one of that name, once it is gone, is shown as any other.
        bridge.hideRuns({"one"});
        bool isRemoved = false;
        bridge.removeRun("one", this,
                         [&](const Result<void>& done) { isRemoved = done.has_value(); });
        QTRY_VERIFY(isRemoved);
        m_dashboard->scenario.sweep("sweep all_reduce ring", 26, "three");
        QTRY_VERIFY(bridge.find("three") != nullptr);
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26, "one");
        QTRY_VERIFY(bridge.find("one") != nullptr);
        QCOMPARE(model.shown(), std::vector<std::string>{"two"});
        QCOMPARE(best(), 0);
    }

    /// One that is shown anyway needs no list beside it.
    void theListIsThereOnceThereIsSomethingToChoose()
    {
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26, "one");
        show();
        auto* list = m_dashboard->find<QListView>(QStringLiteral("Sweeps"));
        QTRY_COMPARE(list->model()->rowCount(), 1);
        QTRY_VERIFY(!list->isVisible());
        m_dashboard->scenario.sweep("sweep all_reduce ring", 26, "two");
        QTRY_VERIFY(list->isVisible());
    }

    void smallFiguresHaveTwoDigitsThatCount()
    {
        SweepTableModel model;
        const auto shown = [&](double bytesASecond) {
            SweepRow row{.collective = "all_reduce", .backend = "ring", .wantedBytes = 8};
            row.timeNs = 1000;
            row.busBandwidth = bytesASecond;
            model.show({{0, QString(), row}});
            return model.index(0, SweepTableModel::BusBandwidth).data().toString();
        };
        QCOMPARE(shown(1.3e5), QStringLiteral("0.00013"));
        QCOMPARE(shown(3.1e6), QStringLiteral("0.0031"));
        QCOMPARE(shown(1.23e7), QStringLiteral("0.012"));
        QCOMPARE(shown(1.8e8), QStringLiteral("0.18"));
        QCOMPARE(shown(1.65e9), QStringLiteral("1.65"));
    }

    void aSweepInTheListSaysItsBest()
    {
        const std::string run = m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 0);
        show();
        auto* list = m_dashboard->find<QListView>(QStringLiteral("Sweeps"));
        QTRY_COMPARE(list->model()->rowCount(), 1);
        const auto words = [&] { return list->model()->index(0, 0).data().toString(); };
        QVERIFY2(!words().contains(QStringLiteral("best")), qPrintable(words()));
        m_dashboard->scenario.measure(run, 0, 13);
        QTRY_VERIFY2(words().contains(QStringLiteral("best: gloo ")), qPrintable(words()));
        m_dashboard->scenario.measure(run, 13, 26);
        QTRY_VERIFY2(words().contains(QStringLiteral("best: ring ")), qPrintable(words()));
        QVERIFY(words().contains(QStringLiteral("GB/s")));
        SweepRow unmeasured{.backend = "ring", .wantedBytes = 8};
        unmeasured.problem = {code::SweepWithoutTorch, {{"path", "x"}}, {}};
        QCOMPARE(bestText({unmeasured}), QString());
    }

    void noFieldStandsAloneInTheLastLineOfTheForm_data()
    {
        QTest::addColumn<int>("language");
        QTest::newRow("en") << static_cast<int>(Language::Choice::English);
        QTest::newRow("ja") << static_cast<int>(Language::Choice::Japanese);
    }

    void noFieldStandsAloneInTheLastLineOfTheForm()
    {
        QFETCH(int, language);
        m_dashboard->language.choose(static_cast<Language::Choice>(language));
        show();
        const auto lines = [this] {
            std::map<int, int> fields;
            for (const QObject* child : form().children()) {
                const auto* field = qobject_cast<const QWidget*>(child);
                if (field != nullptr && field->isVisible())
                    ++fields[field->y()];
            }
            return fields;
        };
        for (const QSize& size : {QSize(1024, 700), QSize(1440, 900), QSize(2560, 1440)}) {
            m_dashboard->window.resize(size);
            QTRY_COMPARE(m_dashboard->window.size(), size);
            QTRY_VERIFY(form().layout()->heightForWidth(form().width()) == form().height());
            const auto fields = lines();
            QVERIFY2(fields.size() <= 3, qPrintable(QString::number(fields.size())));
            for (const auto& [top, count] : fields)
                QVERIFY2(count > 1, qPrintable(QString::number(size.width())));
        }
        QCOMPARE(lines().size(), size_t{1});
    }

    /// It has the page's width, so that what was measured is read without scrolling.
    void theTableFitsTheSmallestWindow_data() { noFieldStandsAloneInTheLastLineOfTheForm_data(); }

    void theTableFitsTheSmallestWindow()
    {
        QFETCH(int, language);
        m_dashboard->language.choose(static_cast<Language::Choice>(language));
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26);
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26, "another");
        show();
        m_dashboard->window.resize(1024, 700);
        auto* measured = page().findChild<QTableView*>();
        QTRY_COMPARE(measured->model()->rowCount(), 26);
        QTRY_COMPARE(measured->horizontalScrollBar()->maximum(), 0);
        for (const auto column :
             {SweepTableModel::Size, SweepTableModel::Backend, SweepTableModel::Time,
              SweepTableModel::BusBandwidth, SweepTableModel::Wrong})
            QVERIFY2(!measured->isColumnHidden(column), qPrintable(QString::number(column)));
        const QListView* list = nullptr;
        for (const QListView* each : page().findChildren<QListView*>()) {
            if (qobject_cast<const SweepListModel*>(each->model()) != nullptr)
                list = each;
        }
        QVERIFY(list != nullptr);
        const auto onPage = [this](const QWidget* widget) {
            return QRect(widget->mapTo(&page(), QPoint()), widget->size());
        };
        QVERIFY(onPage(measured).right() >= onPage(list).right());
        QVERIFY(onPage(measured).top() > onPage(list).bottom());
    }

    void latencyIsAnotherViewOfTheSame()
    {
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26);
        show();
        auto* chart = page().findChild<SweepChart*>();
        QTRY_COMPARE(chart->series().size(), size_t{2});
        const double bandwidth = chart->series()[0].points[0].y();
        QTest::mouseClick(button("Latency"), Qt::LeftButton);
        QCOMPARE(chart->view(), SweepChart::View::Latency);
        QVERIFY(chart->series()[0].points[0].y() != bandwidth);
        QVERIFY(chart->series()[0].points[0].y() >= 1000);
    }

    void exportsWhatTheTableHas()
    {
        SweepRow row{.collective = "all_reduce",
                     .backend = "ring",
                     .type = "float32",
                     .reduction = "sum",
                     .ranks = 4,
                     .wantedBytes = 1024,
                     .bytes = 1024,
                     .count = 256,
                     .timeNs = 12'500,
                     .p50Ns = 12'000,
                     .p99Ns = 20'000,
                     .algorithmBandwidth = 8.192e7,
                     .busBandwidth = 1.2288e8,
                     .wrong = 0};
        const std::vector<SweepTableModel::Row> rows{{0, QStringLiteral("a, \"b\""), row}};
        const QByteArray csv = sweepCsv(rows);
        QVERIFY2(csv.startsWith("sweep,collective,backend"), csv.constData());
        QVERIFY2(csv.contains("\"a, \"\"b\"\"\",all_reduce,ring"), csv.constData());
        QVERIFY2(csv.contains(",12.5,0.08192,0.12288,"), csv.constData());
        QCOMPARE(csv.count('\n'), 2);
        const QJsonObject json =
            QJsonDocument::fromJson(sweepJson(rows)).object()[QStringLiteral("rows")][0].toObject();
        QCOMPARE(json[QStringLiteral("size")].toInt(), 1024);
        QCOMPARE(json[QStringLiteral("p99_us")].toDouble(), 20.0);
        QCOMPARE(json[QStringLiteral("wrong")].toInt(-1), 0);
    }

    void aSweepOpensHereFromAnywhere()
    {
        const std::string run = m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 26);
        m_dashboard->cluster.settle();
        QTRY_VERIFY(m_dashboard->bridge.find(run) != nullptr);
        m_dashboard->window.showRun(QString::fromStdString(run));
        QVERIFY(page().isVisible());
        QTRY_COMPARE(table().model()->rowCount(), 26);
        QTest::mouseClick(button("Show job"), Qt::LeftButton);
        QVERIFY(!page().isVisible());
    }

private:
    void requireWorker()
    {
        if (sweepFacts(0).program.empty())
            QSKIP("the sweep's worker isn't built");
    }

    SweepForm& form() { return *page().findChild<SweepForm*>(); }
    BandwidthPage& page() { return pageOf<BandwidthPage>(m_dashboard->window); }
    QTableView& table() { return *m_dashboard->find<QTableView>(QStringLiteral("Measurements")); }
    QString cell(int row, int column)
    {
        return table().model()->index(row, column).data().toString();
    }

    void show()
    {
        QVERIFY(QTest::qWaitForWindowActive(&m_dashboard->window, 60'000));
        m_dashboard->cluster.settle();
        QTRY_COMPARE(m_dashboard->bridge.runs().size(), m_dashboard->cluster.runs().size());
        QTest::keyClick(&m_dashboard->window, Qt::Key_2, Qt::ControlModifier);
        QVERIFY(page().isVisible());
    }

    QAbstractButton* button(const char* words)
    {
        for (QAbstractButton* button : page().findChildren<QAbstractButton*>()) {
            if (button->text() == QLatin1String(words))
                return button;
        }
        return nullptr;
    }

    std::unique_ptr<Window> m_dashboard;
};

QTEST_MAIN(tst_bandwidth_page)
#include "tst_bandwidth_page.moc"
