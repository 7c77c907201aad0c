#include "app/bridge/Messages.h"
#include "app/jobs/JobActions.h"
#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "app/main/DesktopNotifier.h"
#include "app/main/LookMenus.h"
#include "app/main/MenuBar.h"
#include "app/main/MessageBoxes.h"
#include "app/main/PageStack.h"
#include "app/main/Session.h"
#include "app/main/ShortcutSheet.h"
#include "app/main/SideBar.h"
#include "app/main/SingleInstance.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Toast.h"
#include "engine/base/Codes.h"
#include "engine/diagnose/Codes.h"
#include "tests/app/Window.h"

#include <QCheckBox>
#include <QDialog>
#include <QElapsedTimer>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMessageBox>
#include <QMimeData>
#include <QPushButton>
#include <QSettings>
#include <QTableView>
#include <QTimer>
#include <QtTest>

#include <algorithm>

using namespace ringmaster;
using namespace ringmaster::app;

/// Notes what the window asks of an editor.
class FakeEditor : public JobEditing
{
    Q_OBJECT

public:
    using JobEditing::JobEditing;

    void newJob() override { asked << QStringLiteral("new"); }
    void openFile(const QString& path) override { asked << QStringLiteral("file ") + path; }
    void openText(const QString& jobFile, const QString& folder) override
    {
        asked << QStringLiteral("text ") + jobFile + folder;
    }
    void launch() override { asked << QStringLiteral("launch"); }
    void jobStarted(const JobSpec& spec) override { started << QString::fromStdString(spec.name); }
    void save() override { asked << QStringLiteral("save"); }
    void undo() override { asked << QStringLiteral("undo"); }
    void redo() override { asked << QStringLiteral("redo"); }
    bool canUndo() const override { return true; }
    bool canRedo() const override { return false; }
    void restoreState(const QVariantMap& state) override { restored = state; }

    QStringList asked;
    QStringList started;
    QVariantMap restored;
};

/// Notes which run it is to show.
class FakeResults : public Page
{
    Q_OBJECT

public:
    using Page::Page;

    void openRun(const std::string& run) override { opened = run; }

    std::string opened;
};

class tst_main_window : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        useTemporarySettings();
        const auto makeEditor = [this](EngineBridge&, QWidget* parent) {
            return m_editor = new FakeEditor(parent);
        };
        m_dashboard = std::make_unique<Window>(
            std::vector<PageDescription>{{.key = QStringLiteral("editor"),
                                          .title = [] { return QStringLiteral("Editor"); },
                                          .place = PageDescription::Place::Editor,
                                          .make = makeEditor}});
        m_dashboard->language.choose(Language::Choice::English);
        m_dashboard->window.show();
        QVERIFY(QTest::qWaitForWindowActive(&m_dashboard->window, 60'000));
        m_dashboard->window.findChild<PageStack*>()->page(1);
    }

    void cleanup() { m_dashboard.reset(); }

    /// The window is as small as the page that is shown can be.
    void aPageThatIsNotShownNeedsNoRoom()
    {
        m_dashboard->window.resize(1024, 700);
        auto* wide = new QWidget(m_editor);
        wide->setMinimumWidth(1500);
        (new QHBoxLayout(m_editor))->addWidget(wide);
        QCoreApplication::processEvents(); // layouts
        QTRY_COMPARE(m_dashboard->window.width(), 1024);
        QTest::keyClick(&m_dashboard->window, Qt::Key_N, Qt::ControlModifier);
        QTRY_VERIFY(m_dashboard->window.width() >= 1500);
    }

    /// And takes what the last session left it then; what wasn't made leaves that as it was.
    void aPageIsMadeWhenItIsFirstAskedFor()
    {
        Session session;
        session.setPageState(QStringLiteral("editor"), {{QStringLiteral("left"), 1}});
        Window other(
            {{.key = QStringLiteral("editor"),
              .title = [] { return QStringLiteral("Editor"); },
              .place = PageDescription::Place::Editor,
              .make = [this](EngineBridge&,
                             QWidget* parent) { return m_editor = new FakeEditor(parent); }}});
        m_editor = nullptr;
        other.window.restoreSession();
        other.window.show();
        QVERIFY(other.window.close());
        QCOMPARE(m_editor, nullptr);
        QCOMPARE(session.pageState(QStringLiteral("editor")).value(QStringLiteral("left")), 1);
        other.window.openExample(QStringLiteral("ddp_digits"));
        QVERIFY(m_editor != nullptr);
        QCOMPARE(m_editor->restored.value(QStringLiteral("left")), 1);
        other.window.show();
        QVERIFY(other.window.close());
        QVERIFY(session.pageState(QStringLiteral("editor")).isEmpty());
    }

    void anEmptyListSaysWhatToDo()
    {
        QVERIFY(button(window(), "Run the 4-rank example")->isVisible());
        QTest::mouseClick(button(window(), "New job"), Qt::LeftButton);
        QCOMPARE(m_editor->asked, QStringList{QStringLiteral("new")});
        QVERIFY(m_editor->isVisible());
    }

    void theExampleRunsAtOnce()
    {
        QTest::mouseClick(button(window(), "Run the 4-rank example"), Qt::LeftButton);
        QTRY_COMPARE(m_dashboard->cluster.launched().size(), size_t{1});
        QCOMPARE(m_dashboard->cluster.launched().front().roles.front().workers.number, 4);
        window().openExample(QStringLiteral("ddp_digits"));
        QVERIFY(m_editor->asked.last().endsWith(QStringLiteral("examples/ddp_digits.ringjob")));
    }

    void theSideBarLeadsToARunningJob()
    {
        const std::string run = m_dashboard->scenario.restartedAndRunning();
        auto* list = m_dashboard->find<QListView>(QStringLiteral("Running jobs"));
        QTRY_COMPARE(list->model()->rowCount(), 1);
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {},
                          list->visualRect(list->model()->index(0, 0)).center());
        QCOMPARE(window().jobsPage().shownRun(), QString::fromStdString(run));
        // What is shown is marked, and nothing else.
        QVERIFY(list->selectionModel()->hasSelection());
        window().findChild<MenuBar*>()->newJob->trigger();
        QTRY_VERIFY(!list->selectionModel()->hasSelection());
        window().showRun(QString::fromStdString(run));
        QTRY_VERIFY(list->selectionModel()->hasSelection());
        m_dashboard->cluster.setRun(Scenario::summary(run, RunState::Succeeded, 8, 200));
        QTRY_COMPARE(list->model()->rowCount(), 0);
    }

    void aJobIsChosenFromTheList()
    {
        const std::string run = m_dashboard->scenario.failed();
        auto* table = m_dashboard->find<QTableView>(QStringLiteral("Running and recent jobs"));
        QTRY_COMPARE(table->model()->rowCount(), 1);
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(0, 0)).center());
        QCOMPARE(window().jobsPage().shownRun(), QString::fromStdString(run));
    }

    void aLaunchedJobIsShown()
    {
        m_dashboard->cluster.answerLaunchWith(std::string("fresh"));
        JobSpec spec;
        spec.name = "mnist";
        Q_EMIT m_editor->launchRequested(spec, QStringLiteral("/tmp"));
        QTRY_COMPARE(window().jobsPage().shownRun(), QStringLiteral("fresh"));
        QCOMPARE(m_dashboard->cluster.launched().front().name, std::string("mnist"));
        QCOMPARE(m_editor->started, QStringList{QStringLiteral("mnist")});
    }

    void aFailedLaunchSaysWhy()
    {
        m_dashboard->cluster.answerLaunchWith(fail(code::FileNotFound, {{"path", "train.py"}}));
        Q_EMIT m_editor->launchRequested(JobSpec{}, QStringLiteral("/tmp"));
        QTRY_VERIFY(window().findChild<QMessageBox*>(QStringLiteral("launchFailure")) != nullptr);
        auto* box = window().findChild<QMessageBox*>(QStringLiteral("launchFailure"));
        QCOMPARE(box->informativeText(), QStringLiteral("train.py does not exist."));
        QVERIFY(m_editor->started.isEmpty());
    }

    void aDoubleClickLaunchesOneJob()
    {
        JobSpec spec;
        spec.name = "mnist";
        Q_EMIT m_editor->launchRequested(spec, QStringLiteral("/tmp"));
        Q_EMIT m_editor->launchRequested(spec, QStringLiteral("/tmp"));
        QTRY_COMPARE(window().jobsPage().shownRun(), QStringLiteral("launched"));
        m_dashboard->cluster.settle();
        QCOMPARE(m_dashboard->cluster.launched().size(), size_t{1});
        // What isn't the same is another job, and what has been started is started again.
        Q_EMIT m_editor->launchRequested(spec, QStringLiteral("/tmp"));
        Q_EMIT m_editor->launchRequested(spec, QStringLiteral("/home"));
        m_dashboard->cluster.settle();
        QCOMPARE(m_dashboard->cluster.launched().size(), size_t{3});
    }

    void aKeyThatIsHeldStartsAndStopsOnce()
    {
        const JobActions& job = window().jobsPage().actions();
        for (QAction* action :
             {window().findChild<MenuBar*>()->launch, job.runAgain, job.stop, job.restart}) {
            action->setEnabled(true);
            const QKeyCombination keys = action->shortcut()[0];
            QSignalSpy triggered(action, &QAction::triggered);
            for (const bool isRepeated : {false, true, true})
                QTest::simulateEvent(&window(), true, keys.key(), keys.keyboardModifiers(),
                                     QString(), isRepeated);
            QCOMPARE(triggered.count(), 1);
        }
    }

    void whyThereIsNoWindowIsSaidWithTheRemedy()
    {
        for (const auto& [language, title] :
             {std::pair(Language::Choice::English, QStringLiteral("Ringmaster cannot start")),
              std::pair(Language::Choice::Japanese,
                        QStringLiteral("Ringmaster を起動できません"))}) {
            m_dashboard->language.choose(language);
            QString said;
            QString remedy;
            QTimer look;
            connect(&look, &QTimer::timeout, this, [&] {
                auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
                if (box == nullptr || box->objectName() != QStringLiteral("startFailure"))
                    return;
                said = box->text();
                remedy = box->informativeText();
                box->accept();
            });
            look.start(std::chrono::milliseconds(10));
            const Error error{{code::ThreadNotStarted, {}, {}}, {}};
            showStartFailure(error);
            QVERIFY2(said.contains(title), qPrintable(said));
            QCOMPARE(remedy, text(error));
            QVERIFY2(remedy.contains(QStringLiteral("ulimit -u")), qPrintable(remedy));
        }
    }

    void openedFilesGoWhereTheyBelong()
    {
        window().openFile(QStringLiteral("/x/a.ringjob"));
        QCOMPARE(m_editor->asked, QStringList{QStringLiteral("file /x/a.ringjob")});
        window().openFile(QStringLiteral("/x/b.ringrun"));
        QTRY_COMPARE(window().jobsPage().shownRun(), QStringLiteral("b"));
        window().openFile(QStringLiteral("/x/c.txt"));
        QTRY_VERIFY(window().toast().isVisible());
        QCOMPARE(window().toast().text(), QStringLiteral("/x/c.txt can't be read."));
        // Each of several is told.
        window().open({.files = {QStringLiteral("/x/d.txt"), QStringLiteral("/x/e.txt")}});
        QTRY_VERIFY2(window().toast().text().endsWith(
                         QStringLiteral("/x/d.txt can't be read.\n/x/e.txt can't be read.")),
                     qPrintable(window().toast().text()));
    }

    /// When the answer comes, the list doesn't have it yet.
    void aRunThatIsOpenedForTheFirstTimeIsShownWhereItBelongs()
    {
        FakeResults* results = nullptr;
        const auto makeResults = [&results](EngineBridge&, QWidget* parent) {
            return results = new FakeResults(parent);
        };
        Window other({{.key = QStringLiteral("bandwidth"),
                       .title = [] { return QStringLiteral("Bandwidth"); },
                       .results = RunPurpose::Sweep,
                       .make = makeResults}});
        other.window.openFile(QStringLiteral("/x/sweep.ringrun"));
        RunSummary sweep = Scenario::summary("sweep", RunState::Succeeded, 4, 100);
        sweep.purpose = RunPurpose::Sweep;
        other.cluster.setRun(sweep);
        QTRY_VERIFY(results != nullptr);
        QCOMPARE(results->opened, std::string("sweep"));
        QVERIFY(other.window.findChild<PageStack*>()->current() == results);
        QCOMPARE(other.window.jobsPage().shownRun(), QString());
    }

    void aFolderThatTorchHasWrittenIsChosenAsOne()
    {
        window().findChild<MenuBar*>()->openFolder->trigger();
        auto* dialog = window().findChild<QFileDialog*>();
        QVERIFY(dialog != nullptr);
        QCOMPARE(dialog->fileMode(), QFileDialog::Directory);
        Q_EMIT dialog->fileSelected(QStringLiteral("/x/dumps.ringrun"));
        QTRY_COMPARE(window().jobsPage().shownRun(), QStringLiteral("dumps"));
    }

    void filesCanBeDropped()
    {
        QMimeData data;
        data.setUrls({QUrl::fromLocalFile(QStringLiteral("/x/a.ringjob"))});
        // Where nothing was dragged to, nothing can be dropped.
        QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton,
                              Qt::NoModifier);
        QCoreApplication::sendEvent(&window(), &enter);
        QVERIFY(enter.isAccepted());
        QDropEvent drop(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
        QCoreApplication::sendEvent(&window(), &drop);
        QCOMPARE(m_editor->asked, QStringList{QStringLiteral("file /x/a.ringjob")});
    }

    void closingSaysThatJobsKeepRunning()
    {
        m_dashboard->scenario.restartedAndRunning();
        QTRY_COMPARE(m_dashboard->bridge.runs().size(), size_t{1});
        window().close();
        QVERIFY(window().isVisible());
        auto* box = window().findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
        QVERIFY(box->text().contains(QStringLiteral("1 job keeps running.")));
        QVERIFY(box->informativeText().startsWith(QStringLiteral("It doesn't need")));
        button(*box, "Cancel")->click();
        QVERIFY(window().isVisible());
        QTRY_VERIFY(window().findChild<QMessageBox*>(QStringLiteral("closeQuestion")) == nullptr);
        window().close();
        box = window().findChild<QMessageBox*>(QStringLiteral("closeQuestion"));
        button(*box, "Stop jobs")->click();
        // Until each agent has heard of it: what isn't sent goes with the window.
        QVERIFY(window().isVisible());
        QTRY_VERIFY(!window().isVisible());
        QCOMPARE(m_dashboard->cluster.commands().size(), size_t{1});
        QVERIFY(std::holds_alternative<StopRun>(m_dashboard->cluster.commands().front().second));
    }

    void aJobThatIsNotStoppedKeepsTheWindow()
    {
        m_dashboard->scenario.restartedAndRunning();
        QTRY_COMPARE(m_dashboard->bridge.runs().size(), size_t{1});
        m_dashboard->cluster.answerCommandsWith(
            fail(code::FileNotReadable, {{"path", "/run/agent"}}));
        const auto box = [&](const char* name) {
            return window().findChild<QMessageBox*>(QLatin1String(name));
        };
        window().close();
        button(*box("closeQuestion"), "Stop jobs")->click();
        QTRY_VERIFY(box("stopFailure") != nullptr);
        QVERIFY(window().isVisible() && window().isEnabled());
        QCOMPARE(box("stopFailure")->informativeText(),
                 QStringLiteral("/run/agent can't be read."));
        box("stopFailure")->close();
        QTRY_VERIFY(box("closeQuestion") == nullptr && box("stopFailure") == nullptr);
        m_dashboard->cluster.answerCommandsWith({});
        window().close();
        button(*box("closeQuestion"), "Stop jobs")->click();
        QTRY_VERIFY(!window().isVisible());
    }

    /// The list may not know yet.
    void aJobThatHasEndedNeedsNoStop()
    {
        m_dashboard->scenario.restartedAndRunning();
        QTRY_COMPARE(m_dashboard->bridge.runs().size(), size_t{1});
        m_dashboard->cluster.answerCommandsWith(fail(code::RunNotRunning, {{"run", "it"}}));
        window().close();
        button(*window().findChild<QMessageBox*>(QStringLiteral("closeQuestion")), "Stop jobs")
            ->click();
        QTRY_VERIFY(!window().isVisible());
    }

    void theLanguageChangesWithoutARestart()
    {
        m_dashboard->language.choose(Language::Choice::Japanese);
        QCoreApplication::processEvents();
        QVERIFY(button(window(), "New job") == nullptr);
        QVERIFY(window().windowTitle().contains(QStringLiteral("ジョブ")));
        m_dashboard->language.choose(Language::Choice::English);
        QCoreApplication::processEvents();
        QVERIFY(button(window(), "New job") != nullptr);
    }

    void theThemeChangesAndIsRemembered()
    {
        const QList<QAction*> themes = window().findChild<LookMenus*>()->theme->actions();
        themes.at(2)->trigger();
        QVERIFY(themes.at(2)->isChecked() && !themes.at(0)->isChecked());
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() < 128);
        QCOMPARE(Session().theme(), Theme::Mode::Dark);
        themes.at(1)->trigger();
        QVERIFY(QApplication::palette().color(QPalette::Window).lightness() > 128);
    }

    void theQuestionMarkShowsAllKeys()
    {
        QTest::keyClick(&window(), Qt::Key_Question);
        auto* sheet = window().findChild<QDialog*>(QStringLiteral("shortcutSheet"));
        QVERIFY(sheet != nullptr);
        QStringList texts;
        for (const QLabel* label : sheet->findChildren<QLabel*>())
            texts << label->text();
        for (const char* key :
             {"F5", "Ctrl+F", "Ctrl+N", "Ctrl+O", "Space", "?", "F8", "Ctrl+]  Ctrl+["})
            QVERIFY2(texts.contains(QLatin1String(key)), key);
    }

    void theRunAgainKeyWorksOnEveryPage()
    {
        QTest::keyClick(&window(), Qt::Key_F5);
        QTRY_COMPARE(window().toast().text(), QStringLiteral("No job has run yet."));
        m_dashboard->scenario.finished();
        const std::string newest = m_dashboard->scenario.restartedAndRunning();
        const std::string older = m_dashboard->scenario.failed();
        QTRY_COMPARE(m_dashboard->bridge.runs().size(), size_t{3});
        QTest::keyClick(&window(), Qt::Key_F5);
        QTRY_COMPARE(launchedNames().size(), 1);
        QTRY_VERIFY(window().jobsPage().jobPage() != nullptr);
        QTest::mouseClick(button(window(), "New job"), Qt::LeftButton);
        QTest::keyClick(&window(), Qt::Key_F5);
        QTRY_COMPARE(launchedNames().size(), 2);
        QTRY_VERIFY(window().jobsPage().jobPage()->isVisible());
        window().showRun(QString::fromStdString(older));
        QTRY_VERIFY(!window().jobsPage().jobPage()->run().snapshot().started.jobFile.empty());
        QTest::keyClick(&window(), Qt::Key_F5);
        QTRY_COMPARE(launchedNames().size(), 3);
        const auto name = [this](const std::string& run) {
            return QString::fromStdString(m_dashboard->bridge.find(run)->name);
        };
        QCOMPARE(launchedNames(), (QStringList{name(newest), name(newest), name(older)}));
    }

    void theJobsListSaysHowManyOfHowManyItShows()
    {
        for (const char* name : {"one", "two", "three"})
            m_dashboard->cluster.setRun(Scenario::summary(name, RunState::Running, 4, 100));
        auto* table = m_dashboard->find<QTableView>(QStringLiteral("Running and recent jobs"));
        QTRY_COMPARE(table->model()->rowCount(), 3);
        const auto says = [&](const char* text) {
            const auto labels = window().jobsPage().findChildren<ElidedLabel*>();
            return std::ranges::any_of(labels, [&](const ElidedLabel* label) {
                return label->text() == QLatin1String(text);
            });
        };
        QVERIFY(says("3 jobs"));
        auto* filter = m_dashboard->find<QLineEdit>(QStringLiteral("Filter jobs by name"));
        filter->setText(QStringLiteral("t"));
        QCOMPARE(table->model()->rowCount(), 2);
        QVERIFY(says("2 of 3 jobs shown") && table->isVisibleTo(&window()));
        filter->setText(QStringLiteral("none of them"));
        QVERIFY(says("0 of 3 jobs shown") && !table->isVisibleTo(&window()));
        // One that comes and matches is counted, too.
        m_dashboard->cluster.setRun(Scenario::summary("none of them", RunState::Running, 4, 100));
        QTRY_VERIFY(says("1 of 4 jobs shown"));
        filter->clear();
        QVERIFY(says("4 jobs") && table->isVisibleTo(&window()));
    }

    void theDesktopIsToldWhenAJobEndsBehindTheWindow()
    {
        auto* notifier = window().findChild<DesktopNotifier*>();
        QSignalSpy notified(notifier, &DesktopNotifier::notified);
        m_dashboard->cluster.setRun(Scenario::summary("a", RunState::Running, 4, 100));
        QTRY_COMPARE(m_dashboard->bridge.runs().size(), size_t{1});
        QWidget other;
        other.show();
        QVERIFY(QTest::qWaitForWindowActive(&other, 60'000));
        m_dashboard->cluster.setRun(Scenario::summary("a", RunState::Failed, 4, 100));
        QTRY_COMPARE(notified.count(), 1);
        QCOMPARE(notified.first().first().toString(), QStringLiteral("a: Failed"));
    }

    void theDesktopIsToldOnceWhenAJobHangsBehindTheWindow()
    {
        auto* notifier = window().findChild<DesktopNotifier*>();
        QSignalSpy notified(notifier, &DesktopNotifier::notified);
        RunSummary run = Scenario::summary("a", RunState::Running, 4, 100);
        m_dashboard->cluster.setRun(run);
        QTRY_COMPARE(m_dashboard->bridge.runs().size(), size_t{1});
        QWidget other;
        other.show();
        QVERIFY(QTest::qWaitForWindowActive(&other, 60'000));
        run.health = {
            Health::Hanging,
            Scenario::ago(10),
            {code::HangIdle, {{"ranks", "0"}, {"absent", "rank 2"}, {"seconds", "10"}}, {}}};
        m_dashboard->cluster.setRun(run);
        QTRY_COMPARE(notified.count(), 1);
        QCOMPARE(notified.first().first().toString(), QStringLiteral("a: Hanging"));
        QVERIFY2(notified.first().last().toString().contains(QStringLiteral("for rank 2")),
                 qPrintable(notified.first().last().toString()));
        run.worldSize = 5;
        m_dashboard->cluster.setRun(run);
        QTRY_COMPARE(m_dashboard->bridge.runs().front().worldSize, 5);
        QCOMPARE(notified.count(), 1);
    }

    void theNextSessionBeginsWhereThisOneEnded()
    {
        const std::string run = m_dashboard->scenario.failed();
        QTRY_COMPARE(m_dashboard->bridge.runs().size(), size_t{1});
        window().showRun(QString::fromStdString(run));
        window().resize(1300, 820);
        window().close();
        EngineBridge bridge(m_dashboard->cluster);
        MainWindow next(bridge, m_dashboard->theme, m_dashboard->language, {});
        next.restoreSession();
        QCOMPARE(next.jobsPage().shownRun(), QString::fromStdString(run));
        QCOMPARE(next.size(), QSize(1300, 820));
    }

    void aToastStaysOnItsPage()
    {
        QElapsedTimer timer;
        timer.start();
        Q_EMIT window().jobsPage().toastRequested(QStringLiteral("Copied"), {});
        QVERIFY(window().toast().isVisible());
        window().findChild<MenuBar*>()->newJob->trigger();
        QVERIFY(!window().toast().isVisible());
        QTest::keyClick(&window(), Qt::Key_1, Qt::ControlModifier);
        // After four seconds it is gone.
        QVERIFY(window().toast().isVisible() || timer.elapsed() >= 4000);
    }

    void aToastTakesBackWhatWasDone()
    {
        bool undone = false;
        window().toast().show(QStringLiteral("Deleted"), [&] { undone = true; });
        QVERIFY(window().toast().isVisible());
        button(window().toast(), "Undo")->click();
        QVERIFY(undone);
        QVERIFY(!window().toast().isVisible());
    }

private:
    MainWindow& window() { return m_dashboard->window; }

    QStringList launchedNames() const
    {
        QStringList names;
        for (const JobSpec& spec : m_dashboard->cluster.launched())
            names << QString::fromStdString(spec.name);
        return names;
    }

    static QAbstractButton* button(const QWidget& parent, const char* text)
    {
        QAbstractButton* hidden = nullptr;
        for (QAbstractButton* button : parent.findChildren<QAbstractButton*>()) {
            QString plain = button->text();
            if (plain.remove(QLatin1Char('&')) != QLatin1String(text))
                continue;
            if (button->isVisible())
                return button;
            hidden = button;
        }
        return hidden;
    }

    FakeEditor* m_editor = nullptr;
    std::unique_ptr<Window> m_dashboard;
};

QTEST_MAIN(tst_main_window)
#include "tst_main_window.moc"
