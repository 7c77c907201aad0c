#include "app/bandwidth/BandwidthPage.h"
#include "app/editor/ChecksPanel.h"
#include "app/editor/CommandPanel.h"
#include "app/editor/EditorPage.h"
#include "app/editor/JobForm.h"
#include "app/history/CompareView.h"
#include "app/history/HistoryPage.h"
#include "app/history/RunButtons.h"
#include "app/history/RunDetails.h"
#include "app/hosts/HostDialog.h"
#include "app/hosts/HostsPage.h"
#include "app/jobs/DeviceSpark.h"
#include "app/jobs/DevicesPanel.h"
#include "app/jobs/JobHeader.h"
#include "app/jobs/JobPage.h"
#include "app/jobs/JobsList.h"
#include "app/jobs/JobsPage.h"
#include "app/jobs/LogSearchBar.h"
#include "app/jobs/RunPreview.h"
#include "app/jobs/TimelineView.h"
#include "app/learn/ProgramCard.h"
#include "app/main/AlertsDialog.h"
#include "app/main/LaunchBar.h"
#include "app/main/MenuBar.h"
#include "app/main/Pages.h"
#include "app/main/SideBar.h"
#include "app/widget/Banner.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/PanelGrid.h"
#include "app/widget/Pill.h"
#include "app/widget/PlotView.h"
#include "engine/hosts/Codes.h"
#include "tests/app/CutTexts.h"
#include "tests/app/FakeMachines.h"
#include "tests/app/LearnWindow.h"
#include "tests/app/PageOf.h"
#include "tests/app/Window.h"

#include <QAbstractProxyModel>
#include <QComboBox>
#include <QDir>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPixmap>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

/// Pictures of the pages, for a person to look at: light in English, dark in Japanese; with
/// RINGMASTER_ALL_PICTURES the other two looks as well.
class tst_screenshots : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        useTemporarySettings();
        QVERIFY(QDir().mkpath(folder()));
    }

    void takesPicturesOfThePages_data()
    {
        QTest::addColumn<int>("theme");
        QTest::addColumn<int>("language");
        QTest::addColumn<QString>("suffix");
        QTest::newRow("light en") << static_cast<int>(Theme::Mode::Light)
                                  << static_cast<int>(Language::Choice::English)
                                  << QStringLiteral("light-en");
        QTest::newRow("dark ja") << static_cast<int>(Theme::Mode::Dark)
                                 << static_cast<int>(Language::Choice::Japanese)
                                 << QStringLiteral("dark-ja");
        if (!qEnvironmentVariableIsSet("RINGMASTER_ALL_PICTURES"))
            return;
        QTest::newRow("dark en") << static_cast<int>(Theme::Mode::Dark)
                                 << static_cast<int>(Language::Choice::English)
                                 << QStringLiteral("dark-en");
        QTest::newRow("light ja") << static_cast<int>(Theme::Mode::Light)
                                  << static_cast<int>(Language::Choice::Japanese)
                                  << QStringLiteral("light-ja");
    }

    void takesPicturesOfThePages()
    {
        QFETCH(int, theme);
        QFETCH(int, language);
        QFETCH(QString, suffix);
        FakeMachines watch;
        MachineBridge machines(watch);
        Window dashboard(pages());
        dashboard.window.setMachines(machines);
        dashboard.theme.setMode(static_cast<Theme::Mode>(theme));
        dashboard.language.choose(static_cast<Language::Choice>(language));
        dashboard.window.show();
        save(dashboard, QStringLiteral("jobs-empty-") + suffix);

        const std::string failed = dashboard.scenario.failed();
        dashboard.scenario.finished();
        dashboard.scenario.restarting();
        const std::string running = dashboard.scenario.restartedAndRunning();
        dashboard.scenario.collectives(running, Scenario::Attempts::Both);
        dashboard.cluster.settle();
        QTRY_COMPARE(dashboard.bridge.runs().size(), size_t{4});
        const auto* glance = dashboard.window.jobsPage().findChild<RunPreview*>();
        QTRY_VERIFY(glance->panels() != nullptr);
        save(dashboard, QStringLiteral("jobs-") + suffix);

        takePicturesOfTheBandwidth(dashboard, suffix);
        takePicturesOfOtherPages(dashboard, suffix);
        takePicturesOfTheEditorsPlaces(dashboard, suffix);
        takePicturesOfTheHosts(dashboard, suffix);
        takePicturesOfALaunchElsewhere(dashboard, watch, suffix);
        show(dashboard, running, 8);
        save(dashboard, QStringLiteral("job-") + suffix);
        zoomToTheStart(dashboard);
        save(dashboard, QStringLiteral("job-start-") + suffix);
        QTest::keyClick(timeline(dashboard), Qt::Key_0);
        dashboard.window.jobsPage().jobPage()->selectRank(5);
        QTRY_COMPARE(dashboard.window.jobsPage().jobPage()->selectedRank(), 5);
        save(dashboard, QStringLiteral("job-rank-") + suffix);
        dashboard.window.jobsPage().jobPage()->restoreState(
            {{QStringLiteral("workersTable"), true}, {QStringLiteral("timelineTable"), true}});
        save(dashboard, QStringLiteral("job-tables-") + suffix);
        dashboard.window.jobsPage().jobPage()->restoreState({});
        takePicturesOfTheLog(dashboard, running, suffix);
        takePicturesOfTheAlerts(dashboard, suffix);
        takePicturesOfTheCollectives(dashboard, suffix);
        takePicturesOfTheDevices(dashboard, running, suffix);
        dashboard.scenario.waits(running);
        save(dashboard, QStringLiteral("job-waiting-") + suffix);
        dashboard.scenario.hangs(running);
        save(dashboard, QStringLiteral("job-hang-") + suffix);
        QTest::mouseClick(evidenceButton(dashboard), Qt::LeftButton);
        save(dashboard, QStringLiteral("job-evidence-") + suffix);
        show(dashboard, failed, 4);
        save(dashboard, QStringLiteral("job-failed-") + suffix);
        const std::string large = dashboard.scenario.large(1000);
        dashboard.cluster.settle();
        QTRY_VERIFY(dashboard.bridge.find(large) != nullptr);
        show(dashboard, large, 1000);
        save(dashboard, QStringLiteral("job-large-") + suffix);
    }

    void takesPicturesOfTheRuns_data() { takesPicturesOfThePages_data(); }

    /// Several jobs at a glance, and two runs beside each other, in three sizes.
    void takesPicturesOfTheRuns()
    {
        QFETCH(int, theme);
        QFETCH(int, language);
        QFETCH(QString, suffix);
        Window dashboard(pages());
        dashboard.theme.setMode(static_cast<Theme::Mode>(theme));
        dashboard.language.choose(static_cast<Language::Choice>(language));
        dashboard.window.show();
        dashboard.scenario.several();
        dashboard.scenario.failed();
        RunSummary lesson = Scenario::summary("ring-all-reduce", RunState::Succeeded, 4, 900);
        lesson.purpose = RunPurpose::Lesson;
        dashboard.cluster.setRun(lesson);
        dashboard.cluster.settle();
        QTRY_COMPARE(dashboard.bridge.runs().size(), size_t{5});
        showProgress(dashboard);
        dashboard.scenario.collectives("llm-pretrain");
        saveInThreeSizes(dashboard, QStringLiteral("overview"), suffix);
        dashboard.scenario.comparable();
        QTest::keyClick(&dashboard.window, Qt::Key_5, Qt::ControlModifier);
        auto* history = &pageOf<HistoryPage>(dashboard.window);
        auto* finished = history->findChild<QTableView*>();
        QTRY_COMPARE(finished->model()->rowCount(), 4);
        finished->selectionModel()->setCurrentIndex(finished->model()->index(0, 0),
                                                    QItemSelectionModel::ClearAndSelect |
                                                        QItemSelectionModel::Rows);
        dashboard.window.resize(2560, 1440);
        const auto* details = history->findChild<RunDetails*>();
        QTRY_VERIFY2(details->text().contains(RunDetails::tr("Settings")),
                     qPrintable(details->text()));
        saveInThreeSizes(dashboard, QStringLiteral("history"), suffix);
        finished->clearSelection();
        for (int row = 0; row < finished->model()->rowCount(); ++row) {
            const QModelIndex name = finished->model()->index(row, HistoryModel::Name);
            if (name.data().toString().startsWith(QStringLiteral("digits")))
                finished->selectionModel()->select(name, QItemSelectionModel::Select |
                                                             QItemSelectionModel::Rows);
        }
        for (QPushButton* button : history->findChildren<QPushButton*>()) {
            if (button->text() == RunButtons::tr("Compare"))
                button->click();
        }
        QTRY_VERIFY(history->findChild<CompareView*>()->isVisible());
        saveInThreeSizes(dashboard, QStringLiteral("compare"), suffix);
    }

    void takesPicturesInThreeSizes_data() { takesPicturesOfThePages_data(); }

    /// The pages that takesPicturesOfTheRuns leaves out; a job's is tst_job_room's.
    void takesPicturesInThreeSizes()
    {
        QFETCH(int, theme);
        QFETCH(int, language);
        QFETCH(QString, suffix);
        Window dashboard(pages());
        dashboard.theme.setMode(static_cast<Theme::Mode>(theme));
        dashboard.language.choose(static_cast<Language::Choice>(language));
        dashboard.window.show();
        dashboard.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, 60'000));
        dashboard.scenario.hostBook();
        dashboard.scenario.sweep("sweep all_reduce gloo,ring", 19);
        dashboard.cluster.settle();
        QTest::keyClick(&dashboard.window, Qt::Key_2, Qt::ControlModifier);
        auto* bandwidth = &pageOf<BandwidthPage>(dashboard.window);
        bandwidth->openRun("sweep");
        QTRY_COMPARE(bandwidth->findChild<QTableView*>()->model()->rowCount(), 19);
        saveInThreeSizes(dashboard, QStringLiteral("bandwidth"), suffix);
        QTest::keyClick(&dashboard.window, Qt::Key_4, Qt::ControlModifier);
        auto* hosts = &pageOf<HostsPage>(dashboard.window);
        Q_EMIT dashboard.bridge.hostsChanged();
        QTRY_COMPARE(hosts->hosts().rowCount(), 5);
        const qint64 now = QDateTime::currentMSecsSinceEpoch();
        for (int ago = 600; ago > 0; ago -= 15)
            hosts->hosts().take(Scenario::hostsInUse(ago), now - ago * 1000);
        for (const HostReport& report : Scenario::hostsInUse(0))
            dashboard.cluster.hosts().setReport(report);
        for (int i = 0; i < 2; ++i) {
            // The page looks by itself, too.
            const int before = dashboard.cluster.hosts().checks();
            press(*hosts, "checkAll");
            QTRY_VERIFY(dashboard.cluster.hosts().checks() > before);
            dashboard.cluster.settle();
        }
        press(*hosts, "runPreflight");
        saveInThreeSizes(dashboard, QStringLiteral("hosts"), suffix);
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        pageOf<EditorPage>(dashboard.window)
            .openText(QStringLiteral("name = \"mnist-ddp\"\nprogram = \"ddp_digits.py\"\n"
                                     "workers = 4\narguments = [\"--epochs\", \"5\"]\n"),
                      QStringLiteral(RINGMASTER_SOURCE_DIR "/resources/examples"));
        const ChecksModel& checks = dashboard.window.findChild<ChecksPanel*>()->model();
        QTRY_VERIFY_WITH_TIMEOUT(checks.rowCount() > 0, 60'000);
        saveInThreeSizes(dashboard, QStringLiteral("editor"), suffix);
    }

    void takesPicturesOfLearn_data() { takesPicturesOfThePages_data(); }

    void takesPicturesOfLearn()
    {
        QFETCH(int, theme);
        QFETCH(int, language);
        QFETCH(QString, suffix);
        LearnWindow learn;
        QVERIFY(learn.open());
        learn.dashboard().theme.setMode(static_cast<Theme::Mode>(theme));
        QVERIFY(learn.deadlock());
        learn.page().findChild<ProgramCard*>()->setInterpreter(
            QStringLiteral("/opt/venv/bin/python"));
        learn.dashboard().language.choose(static_cast<Language::Choice>(language));
        saveInThreeSizes(learn.dashboard(), QStringLiteral("learn"), suffix);
    }

    /// Those that README.md and the software centre show: packaging/screenshots/renew.
    void takesPicturesForTheReadme()
    {
        Window dashboard(pages());
        dashboard.theme.setMode(Theme::Mode::Light);
        dashboard.language.choose(Language::Choice::English);
        dashboard.window.show();
        dashboard.window.resize(1440, 900);
        const std::string running = dashboard.scenario.restartedAndRunning();
        dashboard.scenario.several();
        dashboard.scenario.collectives(running);
        dashboard.scenario.stacks(running);
        dashboard.scenario.hangs(running);
        dashboard.cluster.settle();
        QTRY_COMPARE(dashboard.bridge.runs().size(), size_t{4});
        showProgress(dashboard);
        save(dashboard, QStringLiteral("readme-jobs"));
        show(dashboard, running, 8);
        save(dashboard, QStringLiteral("readme-hang"));
        dashboard.scenario.sweep("sweep all_reduce gloo,ring", 26);
        QTest::keyClick(&dashboard.window, Qt::Key_2, Qt::ControlModifier);
        auto* bandwidth = &pageOf<BandwidthPage>(dashboard.window);
        bandwidth->openRun("sweep");
        QTRY_COMPARE(bandwidth->findChild<QTableView*>()->model()->rowCount(), 26);
        save(dashboard, QStringLiteral("readme-bandwidth"));

        LearnWindow learn;
        QVERIFY(learn.open());
        learn.dashboard().theme.setMode(Theme::Mode::Light);
        learn.dashboard().window.resize(1440, 900);
        QVERIFY(learn.deadlock());
        // Not the machine's that takes the picture.
        learn.page().findChild<ProgramCard*>()->setInterpreter(
            QStringLiteral("/opt/venv/bin/python"));
        save(learn.dashboard(), QStringLiteral("readme-learn"));
    }

    void nothingIsCutInTheSmallestWindow_data()
    {
        QTest::addColumn<int>("language");
        QTest::addColumn<QString>("suffix");
        QTest::newRow("en") << static_cast<int>(Language::Choice::English)
                            << QStringLiteral("light-en");
        QTest::newRow("ja") << static_cast<int>(Language::Choice::Japanese)
                            << QStringLiteral("light-ja");
    }

    void nothingIsCutInTheSmallestWindow()
    {
        QFETCH(int, language);
        QFETCH(QString, suffix);
        Window dashboard(pages());
        dashboard.theme.setMode(Theme::Mode::Light);
        dashboard.language.choose(static_cast<Language::Choice>(language));
        dashboard.window.show();
        dashboard.scenario.hostBook();
        dashboard.scenario.failed();
        const std::string running = dashboard.scenario.restartedAndRunning();
        const std::string onHosts = dashboard.scenario.onHosts();
        dashboard.scenario.collectives(running);
        dashboard.scenario.hangs(running);
        dashboard.scenario.devices(running, 2);
        dashboard.scenario.sweep("sweep all_reduce gloo,ring", 19);
        dashboard.scenario.several();
        dashboard.cluster.settle();
        QTRY_COMPARE(dashboard.bridge.runs().size(), size_t{7});
        QStringList cut;
        const auto look = [&](const char* page) {
            cut << lookAtTheSmallest(dashboard, QLatin1String(page) + QLatin1Char('-') + suffix);
        };
        look("jobs");
        for (const auto& [key, page] : {std::pair{Qt::Key_2, "bandwidth"},
                                        {Qt::Key_3, "learn"},
                                        {Qt::Key_4, "hosts"},
                                        {Qt::Key_5, "history"}}) {
            QTest::keyClick(&dashboard.window, key, Qt::ControlModifier);
            if (key == Qt::Key_3) // with a lesson, which is read in the background
                QTRY_VERIFY(pageOf<LearnPage>(dashboard.window).lessons().rowCount() > 0);
            look(page);
        }
        show(dashboard, running, 8);
        dashboard.window.jobsPage().jobPage()->selectRank(5);
        look("job");
        show(dashboard, onHosts, 6);
        look("job-hosts");
        for (const char* place :
             {"", "hosts = [\"gpu1:4\", \"gpu2\"]\n", "run_on = \"slurm\"\nimage = \"debian\"\n"}) {
            QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
            pageOf<EditorPage>(dashboard.window)
                .openText(QStringLiteral("name = \"mnist-ddp\"\nprogram = \"ddp_digits.py\"\n") +
                              QLatin1String(place),
                          QStringLiteral("/tmp"));
            look(*place == '\0' ? "editor" : *place == 'h' ? "editor-hosts" : "editor-slurm");
        }
        dashboard.scenario.hostBook();
        Q_EMIT dashboard.bridge.hostsChanged();
        dashboard.cluster.settle();
        chooseMachine(dashboard);
        look("editor-machine");
        QVERIFY2(cut.isEmpty(), qPrintable(cut.join(u'\n')));
    }

private:
    /// As small as the window lets itself be made: there is room for it on a screen of 1280x720.
    static QStringList lookAtTheSmallest(Window& dashboard, const QString& name)
    {
        dashboard.window.resize(1024, 640);
        save(dashboard, QStringLiteral("smallest-") + name);
        // What is scrolled out of sight may lay itself out later than what the picture shows.
        QStringList cut;
        (void)QTest::qWaitFor(
            [&] {
                cut = cutTexts(dashboard.window, GivingWay::Allowed);
                return cut.isEmpty();
            },
            60'000);
        const QSize size = dashboard.window.size();
        if (size.width() > 1024 || size.height() > 690)
            cut << QStringLiteral("the window is %1x%2").arg(size.width()).arg(size.height());
        for (QString& text : cut)
            text.prepend(name + QStringLiteral(": "));
        return cut;
    }

    static QString folder() { return QStringLiteral(RINGMASTER_BUILD_DIR "/screenshots"); }

    static void takePicturesOfOtherPages(Window& dashboard, const QString& suffix)
    {
        QTest::keyClick(&dashboard.window, Qt::Key_5, Qt::ControlModifier);
        auto* finished = pageOf<HistoryPage>(dashboard.window).findChild<QTableView*>();
        QTRY_COMPARE(finished->model()->rowCount(), 2);
        finished->selectRow(0);
        save(dashboard, QStringLiteral("history-") + suffix);
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        save(dashboard, QStringLiteral("editor-empty-") + suffix);
        auto* editor = &pageOf<EditorPage>(dashboard.window);
        editor->openText(QStringLiteral("name = \"mnist-ddp\"\nprogram = \"ddp_digits.py\"\n"
                                        "arguments = [\"--epochs\", \"10\"]\nworkers = 4\n"
                                        "[restart]\nmax = 3\n[rendezvous]\nstandalone = true\n"),
                         QStringLiteral(RINGMASTER_SOURCE_DIR "/resources/examples"));
        QTest::keyClicks(dashboard.window.focusWidget(), QStringLiteral("x"));
        const ChecksModel& checks = editor->findChild<ChecksPanel*>()->model();
        QTRY_VERIFY(checks.errorCount() > 0);
        save(dashboard, QStringLiteral("editor-changed-") + suffix);
        editor->launch();
        QTRY_VERIFY(editor->findChild<Banner*>()->isVisible());
        save(dashboard, QStringLiteral("editor-refused-") + suffix);
        editor->undo();
        QTRY_COMPARE(checks.errorCount(), 0);
        save(dashboard, QStringLiteral("editor-") + suffix);
    }

    /// Under Slurm, in a container, with the script that will be submitted.
    static void takePicturesOfTheEditorsPlaces(Window& dashboard, const QString& suffix)
    {
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto* editor = &pageOf<EditorPage>(dashboard.window);
        editor->openText(QStringLiteral("name = \"mnist-ddp\"\nprogram = \"ddp_digits.py\"\n"
                                        "nodes = \"2:4\"\nworkers = 4\nrun_on = \"slurm\"\n"
                                        "image = \"nvcr.io/nvidia/pytorch:25.11-py3\"\n"
                                        "[slurm]\npartition = \"gpu\"\ntime = \"4:00:00\"\n"
                                        "options = [\"--constraint=a100\"]\n"
                                        "[container]\nmounts = [\"/data:/data:ro\"]\n"),
                         QStringLiteral(RINGMASTER_SOURCE_DIR "/resources/examples"));
        for (QToolButton* button : editor->findChild<CommandPanel*>()->findChildren<QToolButton*>())
            if (button->isCheckable())
                button->click();
        auto* form = editor->findChild<JobForm*>();
        form->focusField(QStringLiteral("slurm.options"));
        save(dashboard, QStringLiteral("editor-slurm-") + suffix);
        form->focusField(QStringLiteral("container.options"));
        save(dashboard, QStringLiteral("editor-container-") + suffix);
    }

    /// On a machine of the host book, by itself; and the job on its way there.
    static void takePicturesOfALaunchElsewhere(Window& dashboard, FakeMachines& watch,
                                               const QString& suffix)
    {
        chooseMachine(dashboard);
        save(dashboard, QStringLiteral("editor-machine-") + suffix);
        Q_EMIT dashboard.window.jobsPage().launchRequested(JobSpec{}, QStringLiteral("/tmp"),
                                                           QStringLiteral("gpu1"));
        auto* bar = dashboard.window.findChild<LaunchBar*>();
        watch.tell(LaunchStep::Bringing, {code::CodeIsComing,
                                          {{"host", "gpu1"},
                                           {"percent", "42"},
                                           {"folder", "/home/mika/mnist"},
                                           {"target", "/data/mika/mnist"}},
                                          {}});
        QTRY_VERIFY(bar->accessibleDescription().contains(QLatin1String("42")));
        save(dashboard, QStringLiteral("launch-elsewhere-") + suffix);
        delete bar;
    }

    static void chooseMachine(Window& dashboard)
    {
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto* editor = &pageOf<EditorPage>(dashboard.window);
        for (auto* box : editor->findChildren<QComboBox*>()) {
            const int row = box->findText(QStringLiteral("gpu1"), Qt::MatchContains);
            if (row < 0)
                continue;
            box->setCurrentIndex(row);
            Q_EMIT box->activated(row);
        }
        QCOMPARE(editor->machine(), "gpu1");
    }

    static void press(const HostsPage& page, const char* name)
    {
        for (QPushButton* button : page.findChildren<QPushButton*>(QLatin1String(name))) {
            QTRY_VERIFY(button->isEnabled());
            button->click();
        }
    }

    static void takePicturesOfTheHosts(Window& dashboard, const QString& suffix)
    {
        QTest::keyClick(&dashboard.window, Qt::Key_4, Qt::ControlModifier);
        save(dashboard, QStringLiteral("hosts-empty-") + suffix);
        dashboard.scenario.hostBook();
        FakeHosts& hosts = dashboard.cluster.hosts();
        Q_EMIT dashboard.bridge.hostsChanged();
        save(dashboard, QStringLiteral("hosts-unchecked-") + suffix);
        auto* page = &pageOf<HostsPage>(dashboard.window);
        for (int i = 0; i < 4; ++i) {
            const int before = hosts.checks();
            press(*page, "checkAll");
            QTRY_VERIFY(hosts.checks() > before);
            dashboard.cluster.settle();
        }
        press(*page, "runPreflight");
        for (const int width : {1280, 1600}) {
            dashboard.window.resize(width, width * 5 / 8);
            save(dashboard, QStringLiteral("hosts-%1-%2").arg(width).arg(suffix));
        }
        page->restoreState({{QStringLiteral("table"), true}});
        save(dashboard, QStringLiteral("hosts-table-") + suffix);
        page->restoreState({});
        HostDialog dialog({.name = "gpu1",
                           .slots = 8,
                           .groups = {"lab"},
                           .code = "/scratch/mnist",
                           .sync = CodeSync::Rsync,
                           .exclude = {".git/", "data/"}});
        static_cast<QWidget&>(dialog).show();
        QVERIFY(dialog.grab().save(folder() + QLatin1String("/host-dialog-") + suffix +
                                   QLatin1String(".png")));
        dialog.hide();
        dashboard.window.resize(1280, 800);
        dashboard.window.activateWindow();
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        pageOf<EditorPage>(dashboard.window)
            .openText(QStringLiteral("name = \"mnist-ddp\"\nprogram = \"ddp_digits.py\"\n"
                                     "hosts = [\"gpu1:4\", \"gpu2\"]\n"),
                      QStringLiteral(RINGMASTER_SOURCE_DIR "/resources/examples"));
        save(dashboard, QStringLiteral("editor-hosts-") + suffix);
        takePicturesOfAJobOnHosts(dashboard, suffix);
        dashboard.window.resize(1440, 900);
    }

    static void takePicturesOfAJobOnHosts(Window& dashboard, const QString& suffix)
    {
        const std::string hosts = dashboard.scenario.onHosts();
        dashboard.cluster.settle();
        QTRY_VERIFY(dashboard.bridge.find(hosts) != nullptr);
        show(dashboard, hosts, 6);
        for (const int width : {1280, 1600}) {
            dashboard.window.resize(width, width * 5 / 8);
            save(dashboard, QStringLiteral("job-hosts-%1-%2").arg(width).arg(suffix));
        }
    }

    static void takePicturesOfTheBandwidth(Window& dashboard, const QString& suffix)
    {
        QTest::keyClick(&dashboard.window, Qt::Key_2, Qt::ControlModifier);
        save(dashboard, QStringLiteral("bandwidth-empty-") + suffix);
        dashboard.scenario.sweep("sweep all_reduce gloo,ring", 19);
        auto* page = &pageOf<BandwidthPage>(dashboard.window);
        page->openRun("sweep");
        auto* rows = page->findChild<QTableView*>();
        QTRY_COMPARE(rows->model()->rowCount(), 19);
        save(dashboard, QStringLiteral("bandwidth-") + suffix);
        dashboard.window.resize(1280, 800);
        save(dashboard, QStringLiteral("bandwidth-1280-") + suffix);
        dashboard.window.resize(1024, 640);
        save(dashboard, QStringLiteral("bandwidth-small-") + suffix);
        dashboard.window.resize(1440, 900);
        dashboard.cluster.remove("sweep", [](const Result<void>&) {});
    }

    /// A traceback of all ranks, wrapped lines, what is looked for; and an attempt by itself.
    static void takePicturesOfTheLog(Window& dashboard, const std::string& run,
                                     const QString& suffix)
    {
        JobPage& page = *dashboard.window.jobsPage().jobPage();
        page.selectRank(-1);
        for (const char* line :
             {"Traceback (most recent call last):",
              "  File \"/home/ada/mnist/train.py\", line 118, in <module>",
              "    loss = step(model, batch)", "RuntimeError: Connection closed by peer"}) {
            for (int rank = 0; rank < 8; ++rank)
                dashboard.cluster.print(run, Scenario::ago(2), rank,
                                        "[rank" + std::to_string(rank) + "]: " + line + "\n",
                                        Stream::Stderr, 1);
        }
        dashboard.cluster.print(
            run, Scenario::ago(1), 3,
            "/usr/lib/python3/dist-packages/torch/utils/data/dataloader.py:557: UserWarning: This "
            "DataLoader will create 16 worker processes in total. Our suggested max number of "
            "worker in current system is 8, which is smaller than what this DataLoader is going to "
            "create. Please be aware that excessive worker creation might get DataLoader running "
            "slow or even freeze.\n",
            Stream::Stderr, 1);
        page.panels().maximise(QStringLiteral("log"));
        page.restoreState({{QStringLiteral("log"), QVariantMap{{QStringLiteral("wrap"), true}}}});
        page.panels().maximise(QStringLiteral("log"));
        save(dashboard, QStringLiteral("job-log-") + suffix);
        const QList<QLineEdit*> boxes = page.findChildren<QLineEdit*>();
        boxes.first()->setText(QStringLiteral("worker"));
        QTRY_VERIFY(page.findChild<LogSearchBar*>()->isVisible());
        save(dashboard, QStringLiteral("job-log-search-") + suffix);
        boxes.first()->clear();
        page.restoreState({});
        page.attempts().choose(0);
        save(dashboard, QStringLiteral("job-attempt-") + suffix);
        page.attempts().choose(AttemptChoice::All);
    }

    static void takePicturesOfTheAlerts(Window& dashboard, const QString& suffix)
    {
        dashboard.window.findChild<MenuBar*>()->alerts->trigger();
        auto* dialog = dashboard.window.findChild<AlertsDialog*>();
        QVERIFY(static_cast<QWidget*>(dialog)->grab().save(folder() + QLatin1String("/alerts-") +
                                                           suffix + QLatin1String(".png")));
        dialog->close();
    }

    static void takePicturesOfTheCollectives(Window& dashboard, const QString& suffix)
    {
        const QString arrivals = QStringLiteral("arrivals");
        const QString table = QStringLiteral("table");
        JobPage& page = *dashboard.window.jobsPage().jobPage();
        const auto show = [&](bool showsArrivals, bool showsTable) {
            page.restoreState({{QStringLiteral("operations"),
                                QVariantMap{{arrivals, showsArrivals}, {table, showsTable}}}});
        };
        show(true, false);
        save(dashboard, QStringLiteral("job-arrivals-") + suffix);
        show(true, true);
        save(dashboard, QStringLiteral("job-arrivals-table-") + suffix);
        show(false, false);
        dashboard.window.resize(1280, 800);
        save(dashboard, QStringLiteral("job-1280-") + suffix);
        dashboard.window.resize(1024, 640);
        QTRY_COMPARE(dashboard.window.width(), 1024);
        save(dashboard, QStringLiteral("job-small-") + suffix);
        dashboard.window.resize(1440, 900);
    }

    static void takePicturesOfTheDevices(Window& dashboard, const std::string& run,
                                         const QString& suffix)
    {
        auto* devices = dashboard.window.jobsPage().jobPage()->findChild<DevicesPanel*>();
        dashboard.scenario.devices(run, 2);
        QTRY_VERIFY(devices->isVisible());
        for (const int width : {1280, 1600}) {
            dashboard.window.resize(width, width * 5 / 8);
            save(dashboard, QStringLiteral("job-devices-%1-%2").arg(width).arg(suffix));
        }
        devices->showTable(true);
        save(dashboard, QStringLiteral("job-devices-table-") + suffix);
        devices->showTable(false);
        dashboard.window.resize(1440, 900);
    }

    static TimelineView* timeline(Window& dashboard)
    {
        return dashboard.window.jobsPage().jobPage()->findChild<TimelineView*>();
    }

    /// A span is selected by dragging.
    static void zoomToTheStart(Window& dashboard)
    {
        QWidget* viewport = timeline(dashboard)->viewport();
        const int y = viewport->height() / 2;
        QTest::mousePress(viewport, Qt::LeftButton, {}, {viewport->width() / 10, y});
        QTest::mouseMove(viewport, {viewport->width() / 7, y});
        QTest::mouseRelease(viewport, Qt::LeftButton, {}, {viewport->width() / 4, y});
    }

    static QPushButton* evidenceButton(Window& dashboard)
    {
        auto* banner = dashboard.window.jobsPage().jobPage()->findChild<Banner*>();
        for (QPushButton* button : banner->findChildren<QPushButton*>()) {
            if (button->isCheckable())
                return button;
        }
        return nullptr;
    }

    static void show(Window& dashboard, const std::string& run, int ranks)
    {
        dashboard.window.showRun(QString::fromStdString(run));
        const RunModel& model = dashboard.window.jobsPage().jobPage()->run();
        const std::uint64_t last = dashboard.cluster.sequenceOf(run);
        QTRY_COMPARE(model.snapshot().lastSequence, last);
        QCOMPARE(model.snapshot().workers.size(), static_cast<size_t>(ranks));
    }

    /// How far each is comes later than the job itself.
    static void showProgress(Window& dashboard)
    {
        auto* table = dashboard.find<QTableView>(JobsList::tr("Running and recent jobs"));
        QVERIFY(table != nullptr);
        const auto isShown = [table] {
            const QAbstractItemModel& model = *table->model();
            for (int row = 0; row < model.rowCount(); ++row) {
                if (model.index(row, RunListModel::Progress)
                        .data(RunListModel::ProgressRole)
                        .isValid())
                    return true;
            }
            return false;
        };
        QTRY_VERIFY(isShown());
    }

    static void saveInThreeSizes(Window& dashboard, const QString& page, const QString& suffix)
    {
        for (const QSize& size : {QSize(1024, 700), QSize(1440, 900), QSize(2560, 1440)}) {
            dashboard.window.resize(size);
            for (const RunPreview* preview : dashboard.window.findChildren<RunPreview*>())
                QTRY_VERIFY(!preview->isVisible() || preview->panels() != nullptr);
            save(dashboard, QStringLiteral("%1-%2-%3").arg(page).arg(size.width()).arg(suffix));
        }
    }

    static void save(Window& dashboard, const QString& name)
    {
        QPixmap picture;
        QVERIFY2(becomesSteady(dashboard, picture), qPrintable(name));
        QVERIFY(picture.save(folder() + QLatin1Char('/') + name + QStringLiteral(".png")));
    }

    /// Pages that have just come lay themselves out, answers arrive, colours fade in: waits until
    /// two pictures are the same but for what shows the time.
    static bool becomesSteady(Window& dashboard, QPixmap& picture)
    {
        constexpr qint64 Steady = 120; // ms
        QImage last;
        QElapsedTimer taken;
        return QTest::qWaitFor(
            [&] {
                dashboard.cluster.settle();
                QCoreApplication::processEvents();
                if (taken.isValid() && taken.elapsed() < Steady)
                    return false;
                picture = dashboard.window.grab();
                taken.start();
                QImage now = withoutClocks(dashboard.window, picture);
                return std::exchange(last, std::move(now)) == last;
            },
            60'000);
    }

    static QImage withoutClocks(QWidget& window, const QPixmap& picture)
    {
        QImage image = picture.toImage();
        QPainter painter(&image);
        for (const QRect& clock : clocks(window))
            painter.fillRect(clock, Qt::black);
        return image;
    }

    /// Where the window shows a time that goes on: two pictures of a busy machine can be more than
    /// a second apart.
    static std::vector<QRect> clocks(const QWidget& window)
    {
        std::vector<QRect> places;
        const auto add = [&](const QWidget& widget, const QRect& part) {
            if (widget.isVisible())
                places.emplace_back(widget.mapTo(&window, part.topLeft()), part.size());
        };
        for (const QWidget* widget : window.findChildren<QWidget*>()) {
            if (qobject_cast<const TimelineView*>(widget) != nullptr ||
                qobject_cast<const PlotView*>(widget) != nullptr ||
                qobject_cast<const DeviceSpark*>(widget) != nullptr ||
                qobject_cast<const JobHeader*>(widget) != nullptr ||
                qobject_cast<const StatusBadge*>(widget) != nullptr ||
                qobject_cast<const ElidedLabel*>(widget) != nullptr)
                add(*widget, widget->rect());
        }
        for (const SideBar* bar : window.findChildren<SideBar*>()) {
            for (const QListView* runs : bar->findChildren<QListView*>())
                add(*runs, runs->rect());
        }
        for (const QTableView* table : window.findChildren<QTableView*>()) {
            const auto* jobs = qobject_cast<const QAbstractProxyModel*>(table->model());
            if (jobs == nullptr ||
                qobject_cast<const RunListModel*>(jobs->sourceModel()) == nullptr)
                continue;
            for (const int column : {RunListModel::Progress, RunListModel::Duration})
                add(*table->viewport(), {table->columnViewportPosition(column), 0,
                                         table->columnWidth(column), table->viewport()->height()});
        }
        return places;
    }
};

QTEST_MAIN(tst_screenshots)
#include "tst_screenshots.moc"
