#include "app/editor/ChecksPanel.h"
#include "app/editor/CommandPanel.h"
#include "app/editor/EditorHead.h"
#include "app/editor/EditorPage.h"
#include "app/editor/EnvironmentModel.h"
#include "app/editor/FormSection.h"
#include "app/editor/JobForm.h"
#include "app/editor/JobHistory.h"
#include "app/editor/PasteDialog.h"
#include "app/editor/RankEnvironment.h"
#include "app/editor/ShellText.h"
#include "app/editor/StartFromButton.h"
#include "app/editor/TrustBar.h"
#include "app/main/Pages.h"
#include "app/widget/Banner.h"
#include "app/widget/FieldText.h"
#include "engine/base/Codes.h"
#include "engine/job/Codes.h"
#include "engine/job/JobFile.h"
#include "tests/app/EditorFields.h"
#include "tests/app/PageOf.h"
#include "tests/app/Window.h"
#include "tests/support/Patience.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QSplitter>
#include <QToolButton>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// The checks look for interpreters and run them, on a machine that has more to do.

/// Sets a job that has something in every field that the form shows, and in some that it doesn't.
JobSpec fullJob()
{
    JobSpec spec;
    spec.name = "everything";
    spec.roles.front().program = "train.py";
    spec.roles.front().arguments = {"--epochs", "10", "a b", "$x"};
    spec.roles.front().interpreter = "/no/such/python";
    spec.roles.front().workingFolder = "/tmp";
    spec.roles.front().environment = {{"A", "1=2"}, {"B", ""}};
    spec.roles.front().workers = {WorkerCount::Kind::Number, 7};
    spec.nodes = {1, 3};
    spec.rendezvous.method = RendezvousMethod::C10d;
    spec.rendezvous.endpoint = "ws-01:29400";
    spec.rendezvous.id = "job";
    spec.rendezvous.configuration = {{"read_timeout", "5"}};
    spec.restart.maxRestarts = 3;
    spec.restart.grace = std::chrono::milliseconds(1500);
    spec.restart.onlyIf = "NCCL|reset";
    spec.longestRun = std::chrono::milliseconds(90'500);
    spec.stopOn = {{"hang", "10m"}, {"mismatch", "90s"}};
    spec.logs.tee = {.all = 3, .byLocalRank = {}};
    spec.logs.localRanksFilter = {0, 2};
    spec.numaBinding = "node";
    spec.plain = true;
    spec.restart.leaveHostOutAfter = 2;
    spec.metricsPort = 9400;
    return spec;
}

} // namespace

class tst_editor : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init() { useTemporarySettings(); }

    void aFormKeepsWhatItDoesNotShow()
    {
        JobForm form;
        JobSpec underSlurm = fullJob();
        underSlurm.runOn = RunOn::Slurm;
        form.load(underSlurm);
        named<QSpinBox>(form, "Restart at most")->setValue(4);
        QCOMPARE(form.job().runOn, RunOn::Slurm);
        form.load(fullJob());
        QCOMPARE(form.job() == fullJob(), true);
        auto* restarts = named<QSpinBox>(form, "Restart at most");
        QVERIFY(restarts != nullptr);
        QSignalSpy edited(&form, &JobForm::edited);
        restarts->setValue(5);
        QCOMPARE(edited.count(), 1);
        JobSpec wanted = fullJob();
        wanted.restart.maxRestarts = 5;
        QVERIFY(form.job() == wanted);
    }

    void aPortForMetricsIsANumberOrNone()
    {
        JobForm form;
        form.load(JobSpec{});
        auto* port = named<QLineEdit>(form, "Metrics port");
        QVERIFY(port != nullptr && port->text().isEmpty());
        QTest::keyClicks(port, QStringLiteral("0"));
        QCOMPARE(form.job().metricsPort, std::optional(0));
        QTest::keyClicks(port, QStringLiteral("x"));
        QCOMPARE(port->text(), QStringLiteral("0"));
        port->selectAll();
        QTest::keyClicks(port, QStringLiteral("9400"));
        QCOMPARE(form.job().metricsPort, std::optional(9400));
        port->selectAll();
        QTest::keyClick(port, Qt::Key_Delete);
        QVERIFY(!form.job().metricsPort);
    }

    void aFormShowsOneRoleAfterTheOther()
    {
        JobSpec spec = fullJob();
        spec.roles.push_back(spec.roles.front());
        spec.roles.back().name = "reader";
        spec.roles.back().program = "read.py";
        JobForm form;
        form.load(spec);
        form.focusField(QStringLiteral("role.1.program"));
        QCOMPARE(named<QLineEdit>(form, "Program")->text(), QStringLiteral("read.py"));
        QVERIFY(form.job() == spec);
        // One that is shown is left as it is typed.
        auto* arguments = named<QLineEdit>(form, "Arguments");
        type(arguments, "\"open");
        form.focusField(QStringLiteral("role.1.arguments"));
        QCOMPARE(arguments->text(), QStringLiteral("\"open"));
        QCOMPARE(form.mistakes().front().place.field, std::string("role.1.arguments"));
        // Another role would take its place.
        form.focusField(QStringLiteral("role.0.arguments"));
        QCOMPARE(arguments->text(), QStringLiteral("\"open"));
        QVERIFY(form.job().roles.size() == 2 && !form.mistakes().empty());
    }

    void whatMostJobsLeaveAsItIsIsFolded()
    {
        EditorPage page(m_bridge);
        page.resize(1000, 800);
        page.show();
        const auto* failure = page.findChild<FormSection*>(QStringLiteral("failure"));
        const auto* container = page.findChild<FormSection*>(QStringLiteral("container"));
        auto* restarts = named<QSpinBox>(page, "Restart at most");
        QVERIFY(failure->isFolded() && container->isFolded() && !restarts->isVisible());
        // A person opens it, and finds it open the next time.
        auto* title = button<QToolButton>(page, "When a worker fails");
        QTest::mouseClick(title, Qt::LeftButton);
        QVERIFY(!failure->isFolded() && restarts->isVisible());
        EditorPage next(m_bridge);
        next.restoreState(page.saveState());
        QVERIFY(!next.findChild<FormSection*>(QStringLiteral("failure"))->isFolded());
        QVERIFY(next.findChild<FormSection*>(QStringLiteral("container"))->isFolded());
        // With the keyboard, too; what is in it is said of the folded one.
        const auto isSaidToBeChanged = [&] {
            for (const QLabel* label : failure->findChildren<QLabel*>()) {
                if (label->text() == QStringLiteral("changed"))
                    return label->isVisible();
            }
            return false;
        };
        QVERIFY(!isSaidToBeChanged());
        restarts->setValue(2);
        title->setFocus();
        QTest::keyClick(title, Qt::Key_Space);
        QVERIFY(failure->isFolded() && isSaidToBeChanged());
    }

    /// One bar, of the page: two would stand beside each other.
    void aSmallWindowScrollsAsAWhole()
    {
        EditorPage page(m_bridge);
        page.resize(806, 640); // the page of a window of 1024 by 700
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page, Patience));
        auto* form = page.findChild<JobForm*>();
        auto* area = page.findChild<QScrollArea*>(QStringLiteral("editorArea"));
        QTRY_VERIFY(area->verticalScrollBar()->isVisible());
        QTRY_COMPARE(form->verticalScrollBar()->maximum(), 0);
        QVERIFY(!form->verticalScrollBar()->isVisible());
        // A section that is unfolded makes it longer; a field is led to.
        const int before = form->height();
        form->focusField(QStringLiteral("restart.max"));
        QTRY_VERIFY(form->height() > before);
        QTRY_COMPARE(form->verticalScrollBar()->maximum(), 0);
        form->focusField(QStringLiteral("restart.max"));
        QTRY_VERIFY(!QApplication::focusWidget()->visibleRegion().isEmpty());
        page.resize(1222, 640);
        QTRY_VERIFY(form->verticalScrollBar()->isVisible());
        QTRY_VERIFY(!area->verticalScrollBar()->isVisible());
    }

    /// The form is what the page is for; one scrolls to what is below it.
    void theFormHasMostOfASmallWindow()
    {
        EditorPage page(m_bridge);
        page.resize(806, 640); // the page of a window of 1024 by 700
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page, Patience));
        const auto* form = page.findChild<JobForm*>();
        QTRY_VERIFY2(form->visibleRegion().boundingRect().height() > 300,
                     qPrintable(QString::number(form->visibleRegion().boundingRect().height())));
        auto* checks = page.findChild<ChecksPanel*>();
        QTRY_VERIFY(checks->height() >= checks->minimumSizeHint().height());
        page.findChild<QScrollArea*>(QStringLiteral("editorArea"))->ensureWidgetVisible(checks);
        QTRY_VERIFY(!checks->visibleRegion().isEmpty());
        // Its buttons end where the cards do.
        const auto rightOf = [&](const QWidget* each) {
            return each->mapTo(&page, QPoint(each->width(), 0)).x();
        };
        QCOMPARE(rightOf(page.findChild<EditorHead*>()), rightOf(page.findChild<QSplitter*>()));
        page.resize(1222, 840);
        QTRY_VERIFY(!checks->visibleRegion().isEmpty());
        QTRY_VERIFY(form->width() < page.width() * 2 / 3);
    }

    /// Two columns of long words don't keep the window from becoming one of 1024.
    void aWideWindowBecomesSmallAtOnce()
    {
        Window dashboard(pages());
        dashboard.language.choose(Language::Choice::Japanese);
        dashboard.window.show();
        dashboard.window.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, Patience));
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto* page = &pageOf<EditorPage>(dashboard.window);
        QVERIFY(page->isVisible());
        page->openText(QStringLiteral("name = \"mnist-ddp\"\nprogram = \"ddp_digits.py\"\n"),
                       QStringLiteral("/tmp"));
        const auto* columns = page->findChild<QSplitter*>();
        dashboard.window.resize(2560, 1440);
        QTRY_COMPARE(columns->orientation(), Qt::Horizontal);
        QTRY_VERIFY(page->width() > 2000);
        dashboard.window.resize(1024, 700);
        QTRY_COMPARE(dashboard.window.width(), 1024);
        QTRY_COMPARE(columns->orientation(), Qt::Vertical);
    }

    void whatAJobSaysIsNotFolded()
    {
        JobForm form;
        JobSpec spec;
        spec.restart.maxRestarts = 3;
        form.load(spec);
        const auto* failure = form.findChild<FormSection*>(QStringLiteral("failure"));
        const auto* container = form.findChild<FormSection*>(QStringLiteral("container"));
        QVERIFY(!failure->isFolded() && container->isFolded());
        form.load(JobSpec{});
        QVERIFY(failure->isFolded());
        form.focusField(QStringLiteral("image"));
        QVERIFY(!container->isFolded());
    }

    void theFieldThatIsWrongSaysWhy()
    {
        EditorPage page(m_bridge);
        page.show();
        auto* program = named<QLineEdit>(page, "Program");
        const auto* launch = button(page, "Launch");
        const QString missing = QStringLiteral("No program is named; choose what the workers run.");
        QTRY_COMPARE_WITH_TIMEOUT(launch->toolTip(),
                                  QStringLiteral("It can't start yet: %1").arg(missing), Patience);
        // Nobody has been there yet.
        QVERIFY(program->property("validity").toString().isEmpty());
        QTest::mouseClick(button(page, "Launch"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(program->property("validity").toString(),
                                  QStringLiteral("invalid"), Patience);
        QCOMPARE(program->accessibleDescription(), missing);
        type(program, "/no/such/program.py");
        QTRY_VERIFY_WITH_TIMEOUT(
            program->accessibleDescription().contains(QStringLiteral("/no/such/program.py")),
            Patience);
        JobSpec spec;
        spec.roles.front().kind = ProgramKind::Command;
        spec.roles.front().program = "/bin/true";
        spec.rendezvous.standalone = true;
        page.openText(QString::fromStdString(jobFileText(spec).value()), QStringLiteral("/tmp"));
        QTRY_VERIFY_WITH_TIMEOUT(launch->toolTip().isEmpty(), Patience);
        QVERIFY(program->property("validity").toString().isEmpty());
        QVERIFY(program->accessibleDescription().isEmpty());
    }

    void aJobBeginsWithAnExampleOrARecentJob()
    {
        Window dashboard(pages());
        dashboard.language.choose(Language::Choice::English);
        const std::string run = dashboard.scenario.finished();
        dashboard.cluster.settle();
        QTRY_COMPARE(dashboard.bridge.runs().size(), size_t{1});
        auto* page = &pageOf<EditorPage>(dashboard.window);
        auto* menu = page->findChild<StartFromButton*>()->menu();
        Q_EMIT menu->aboutToShow();
        const auto action = [&](const QString& begin) {
            for (QAction* one : menu->actions()) {
                if (one->text().startsWith(begin))
                    return one;
            }
            return static_cast<QAction*>(nullptr);
        };
        const QString name = QString::fromStdString(dashboard.bridge.runs().front().shownName());
        QVERIFY(action(name + QStringLiteral(", started ")) != nullptr);
        action(name)->trigger();
        QTRY_COMPARE(page->job().roles.front().program, std::string("train.py"));
        QTRY_VERIFY(page->isVisibleTo(&dashboard.window));
        Q_EMIT menu->aboutToShow();
        QVERIFY(action(QStringLiteral("Training with DDP")) != nullptr);
        action(QStringLiteral("Training with DDP"))->trigger();
        QTRY_VERIFY(QString::fromStdString(page->job().roles.front().program)
                        .endsWith(QStringLiteral("ddp_digits.py")));
    }

    void typingChangesTheCommandAtOnce()
    {
        EditorPage page(m_bridge);
        page.show();
        type(named<QLineEdit>(page, "Program"), "train.py");
        type(named<QLineEdit>(page, "Arguments"), "--epochs 10 'a b'");
        named<QComboBox>(page, "Workers per node")->setEditText(QStringLiteral("4"));
        auto* command = named<QPlainTextEdit>(page, "torchrun command line of this job");
        const QString line = command->toPlainText().remove(u'\\').simplified();
        QVERIFY2(line.contains(QStringLiteral("--nproc-per-node 4")), qPrintable(line));
        QVERIFY2(line.endsWith(QStringLiteral("train.py --epochs 10 'a b'")), qPrintable(line));
        QCOMPARE(page.job().roles.front().arguments,
                 (std::vector<std::string>{"--epochs", "10", "a b"}));
        QVERIFY(page.job().rendezvous.standalone);
    }

    void launchingABadJobLeadsToWhatIsWrong()
    {
        EditorPage page(m_bridge);
        page.show();
        QSignalSpy launched(&page, &Page::launchRequested);
        type(named<QLineEdit>(page, "Program"), "/no/such/program.py");
        QTest::mouseClick(button(page, "Launch"), Qt::LeftButton);
        auto* checks = page.findChild<ChecksPanel*>();
        QTRY_VERIFY_WITH_TIMEOUT(checks->model().errorCount() > 0, Patience);
        QTRY_VERIFY_WITH_TIMEOUT(button(page, "Launch")->isEnabled(), Patience);
        QCOMPARE(launched.count(), 0);
        QVERIFY(checks->model().index(0, 0).data().toString().contains(
            QStringLiteral("/no/such/program.py")));
    }

    void launchingAGoodJobAsksForItOnce()
    {
        EditorPage page(m_bridge);
        page.show();
        JobSpec spec;
        spec.roles.front().kind = ProgramKind::Command;
        spec.roles.front().program = "/bin/true";
        spec.rendezvous.standalone = true;
        page.openText(QString::fromStdString(jobFileText(spec).value()), QStringLiteral("/tmp"));
        QSignalSpy launched(&page, &Page::launchRequested);
        QTest::mouseClick(button(page, "Launch"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(launched.count(), 1, Patience);
        QCOMPARE(launched.front().at(1).toString(), QStringLiteral("/tmp"));
        QCOMPARE(page.job().roles.front().program, std::string("/bin/true"));
    }

    void oneUndoTakesBackWhatWasTypedInOneField()
    {
        Window dashboard(pages());
        dashboard.language.choose(Language::Choice::English);
        dashboard.window.show();
        QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, Patience));
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto* page = &pageOf<EditorPage>(dashboard.window);
        auto* program = named<QLineEdit>(*page, "Program");
        QVERIFY(program->hasFocus());
        QTest::keyClicks(program, QStringLiteral("train.py"));
        auto* arguments = named<QLineEdit>(*page, "Arguments");
        arguments->setFocus();
        QTest::keyClicks(arguments, QStringLiteral("--lr 0.1"));
        auto* kind = named<QComboBox>(*page, "Kind");
        kind->setFocus();
        QTest::keyClick(kind, Qt::Key_Down);
        QCOMPARE(page->job().roles.front().kind, ProgramKind::Module);
        const auto key = [&](Qt::KeyboardModifiers more) {
            QTest::keyClick(dashboard.window.focusWidget(), Qt::Key_Z, Qt::ControlModifier | more);
        };
        key({});
        QCOMPARE(page->job().roles.front().kind, ProgramKind::Script);
        arguments->setFocus();
        key({});
        QVERIFY(page->job().roles.front().arguments.empty());
        QCOMPARE(arguments->text(), QString());
        QCOMPARE(program->text(), QStringLiteral("train.py"));
        key({});
        QCOMPARE(program->text(), QString());
        QVERIFY(!page->canUndo());
        key(Qt::ShiftModifier);
        key(Qt::ShiftModifier);
        QCOMPARE(arguments->text(), QStringLiteral("--lr 0.1"));
        // A new edit ends what could be done again.
        QTest::keyClicks(arguments, QStringLiteral(" x"));
        QVERIFY(!page->canRedo());
    }

    void theStatesOfAJobAreBounded()
    {
        JobHistory history;
        JobSpec spec;
        history.reset(spec);
        for (int i = 0; i < 1000; ++i) {
            spec.restart.maxRestarts = i;
            history.add(spec, nullptr);
            history.add(spec, nullptr);
        }
        size_t steps = 0;
        while (history.canUndo()) {
            history.undo();
            ++steps;
        }
        QCOMPARE(steps, JobHistory::MostStates - 1);
    }

    void saysThatChangesApplyAtTheNextLaunch()
    {
        EditorPage page(m_bridge);
        page.show();
        JobSpec spec;
        spec.roles.front().kind = ProgramKind::Command;
        spec.roles.front().program = "/bin/true";
        spec.rendezvous.standalone = true;
        page.openText(QString::fromStdString(jobFileText(spec).value()), QStringLiteral("/tmp"));
        QVERIFY(!button(page, "Revert")->isVisible());
        type(named<QLineEdit>(page, "Name"), "changed");
        QVERIFY(button(page, "Revert")->isVisible());
        QTest::mouseClick(button(page, "Revert"), Qt::LeftButton);
        QCOMPARE(page.job().name, std::string());
        QVERIFY(!button(page, "Revert")->isVisible());
        page.undo();
        QCOMPARE(page.job().name, std::string("changed"));
        // Once it runs as it is, there is nothing that waits.
        QSignalSpy launched(&page, &Page::launchRequested);
        QTest::mouseClick(button(page, "Launch"), Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(launched.count(), 1, Patience);
        QVERIFY(button(page, "Revert")->isVisible());
        page.jobStarted(page.job());
        QVERIFY(!button(page, "Revert")->isVisible());
    }

    void aJobThatWasReplacedCanBeHadBack()
    {
        EditorPage page(m_bridge);
        std::function<void()> undo;
        connect(&page, &Page::toastRequested, &page,
                [&](const QString&, const std::function<void()>& taken) { undo = taken; });
        page.newJob();
        QVERIFY(!undo);
        type(named<QLineEdit>(page, "Program"), "train.py");
        page.newJob();
        QCOMPARE(page.job().roles.front().program, std::string());
        QVERIFY(undo);
        undo();
        QCOMPARE(page.job().roles.front().program, std::string("train.py"));
    }

    void saysWhatOnlyAJobFileKeeps()
    {
        CommandPanel panel;
        JobSpec spec = fullJob();
        spec.name = std::string(200, 'x');
        panel.setJob(spec);
        panel.resize(500, 300);
        QString said;
        for (const QLabel* label : panel.findChildren<QLabel*>()) {
            if (label->text().startsWith(QStringLiteral("Only a job file can say: ")))
                said = label->text();
        }
        QVERIFY2(said.contains(QStringLiteral("name (xxx")), qPrintable(said));
        QVERIFY2(said.size() < 200, qPrintable(said));
        const auto* command = named<QPlainTextEdit>(panel, "torchrun command line of this job");
        QVERIFY(command->minimumHeight() >= 4 * command->fontMetrics().lineSpacing());
    }

    void savesAndOpensAJobFile()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("x.ringjob"));
        {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("name = \"saved\"\nprogram = \"train.py\"\nworkers = 2\n");
        }
        EditorPage page(m_bridge);
        page.openFile(path);
        QTRY_COMPARE_WITH_TIMEOUT(page.job().name, std::string("saved"), Patience);
        QSignalSpy told(&page, &Page::toastRequested);
        type(named<QLineEdit>(page, "Name"), "changed");
        page.save();
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, Patience);
        QCOMPARE(loadJobFile(path.toStdString())->spec.name, std::string("changed"));
    }

    void whatIsWrittenDuringASaveIsNotSaved()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("x.ringjob"));
        {
            QFile file(path);
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write("name = \"saved\"\nprogram = \"train.py\"\n");
        }
        EditorPage page(m_bridge);
        page.openFile(path);
        QTRY_COMPARE_WITH_TIMEOUT(page.job().name, std::string("saved"), Patience);
        QSignalSpy told(&page, &Page::toastRequested);
        const auto isMarked = [&] {
            const auto labels = page.findChildren<QLabel*>();
            return std::ranges::any_of(labels, [](const QLabel* label) {
                return label->text().contains(QStringLiteral("(not saved)"));
            });
        };
        type(named<QLineEdit>(page, "Name"), "changed");
        page.save();
        type(named<QLineEdit>(page, "Name"), "later");
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 1, Patience);
        QCOMPARE(loadJobFile(path.toStdString())->spec.name, std::string("changed"));
        QVERIFY(isMarked());
        page.save();
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 2, Patience);
        QVERIFY(!isMarked());
    }

    void aSaveThatEndsLateIsNotOfTheNextJob()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("x.ringjob"));
        EditorPage page(m_bridge);
        openNew(page, path);
        QSignalSpy told(&page, &Page::toastRequested);
        type(named<QLineEdit>(page, "Name"), "changed");
        page.save();
        page.newJob();
        QTRY_COMPARE_WITH_TIMEOUT(told.count(), 2, Patience); // what was replaced, what was saved
        QCOMPARE(loadJobFile(path.toStdString())->spec.name, std::string("changed"));
        const auto labels = page.findChild<EditorHead*>()->findChildren<QLabel*>();
        QVERIFY(std::ranges::none_of(labels, [](const QLabel* label) {
            return label->text().contains(QStringLiteral("x.ringjob"));
        }));
    }

    void aFileThatIsReadLateDoesNotReplaceTheNextJob()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("x.ringjob"));
        EditorPage page(m_bridge);
        openNew(page, path);
        page.openFile(path);
        page.openText(QStringLiteral("name = \"next\"\nprogram = \"next.py\"\n"),
                      QStringLiteral("/tmp"));
        // Files are read and written in their turn.
        QSignalSpy told(&page, &Page::toastRequested);
        type(named<QLineEdit>(page, "Name"), "written");
        page.openFile(folder.filePath(QStringLiteral("none.ringjob")));
        const auto* banner = page.findChild<Banner*>();
        QTRY_VERIFY_WITH_TIMEOUT(!banner->isHidden(), Patience);
        QCOMPARE(page.job().name, std::string("written"));
        QCOMPARE(told.count(), 0);
    }

    void anUnsavedJobDoesNotGoWithTheWindow()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("x.ringjob"));
        Window dashboard(pages());
        dashboard.language.choose(Language::Choice::English);
        dashboard.window.show();
        QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, Patience));
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto& page = pageOf<EditorPage>(dashboard.window);
        // Of these nobody has written anything.
        QVERIFY(!page.isUnsaved());
        page.openText(QStringLiteral("name = \"example\"\nprogram = \"a.py\"\n"),
                      QStringLiteral("/tmp"));
        QVERIFY(!page.isUnsaved());
        type(named<QLineEdit>(page, "Name"), "written");
        const auto box = [&] {
            return dashboard.window.findChild<QMessageBox*>(QStringLiteral("unsavedJob"));
        };
        const auto answer = [&](const char* with) {
            dashboard.window.close();
            QVERIFY(dashboard.window.isVisible() && box() != nullptr);
            button(*box(), with)->click();
            QTRY_VERIFY(box() == nullptr);
        };
        answer("Cancel");
        QVERIFY(dashboard.window.isVisible());
        answer("Discard");
        QVERIFY(!dashboard.window.isVisible());
        dashboard.window.show();
        answer("Save");
        auto* dialog = page.findChild<QFileDialog*>(QStringLiteral("saveJob"));
        QVERIFY(dialog != nullptr);
        Q_EMIT dialog->fileSelected(path);
        dialog->close();
        QTRY_VERIFY_WITH_TIMEOUT(!dashboard.window.isVisible(), Patience);
        QCOMPARE(loadJobFile(path.toStdString())->spec.name, std::string("written"));
    }

    void aJobThatDidNotStartIsAskedFor()
    {
        Window dashboard(pages());
        dashboard.language.choose(Language::Choice::English);
        dashboard.window.show();
        QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, Patience));
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto& page = pageOf<EditorPage>(dashboard.window);
        JobSpec spec;
        spec.roles.front().kind = ProgramKind::Command;
        spec.roles.front().program = "/bin/true";
        spec.rendezvous.standalone = true;
        page.openText(QString::fromStdString(jobFileText(spec).value()), QStringLiteral("/tmp"));
        type(named<QLineEdit>(page, "Name"), "written");
        QVERIFY(page.isUnsaved());
        dashboard.cluster.answerLaunchWith(fail(code::FileNotFound, {{"path", "/bin/true"}}));
        page.launch();
        const auto failure = [&] {
            return dashboard.window.findChild<QMessageBox*>(QStringLiteral("launchFailure"));
        };
        QTRY_VERIFY_WITH_TIMEOUT(failure() != nullptr, Patience);
        failure()->close();
        QVERIFY(page.isUnsaved());
        dashboard.window.close();
        auto* box = dashboard.window.findChild<QMessageBox*>(QStringLiteral("unsavedJob"));
        QVERIFY(dashboard.window.isVisible() && box != nullptr);
        button(*box, "Cancel")->click();
        // One that runs has it.
        dashboard.cluster.answerLaunchWith(std::string("fresh"));
        page.launch();
        QTRY_VERIFY_WITH_TIMEOUT(!page.isUnsaved(), Patience);
        QCOMPARE(dashboard.cluster.launched().back().name, std::string("written"));
    }

    void whatCanNotBeInTheJobStopsTheLaunch()
    {
        EditorPage page(m_bridge);
        page.show();
        JobSpec spec;
        spec.roles.front().kind = ProgramKind::Command;
        spec.roles.front().program = "/bin/true";
        spec.rendezvous.standalone = true;
        const QString text = QString::fromStdString(jobFileText(spec).value());
        page.openText(text, QStringLiteral("/tmp"));
        QSignalSpy launched(&page, &Page::launchRequested);
        auto* launch = button(page, "Launch");
        const auto isRefused = [&](const QWidget* field, const QString& why) {
            QTest::mouseClick(launch, Qt::LeftButton);
            QTRY_VERIFY_WITH_TIMEOUT(launch->isEnabled(), Patience);
            QCOMPARE(launched.count(), 0);
            QCOMPARE(field->property("validity").toString(), QStringLiteral("invalid"));
            QCOMPARE(field->accessibleDescription(), why);
        };
        auto* arguments = named<QLineEdit>(page, "Arguments");
        type(arguments, "--msg \"hello");
        isRefused(arguments, QStringLiteral("The quote \" in line 1 isn't closed."));
        QCOMPARE(arguments->text(), QStringLiteral("--msg \"hello"));
        type(arguments, "--msg \"hello\"");
        auto* environment = named<QPlainTextEdit>(page, "Environment");
        QTest::keyClicks(environment, QStringLiteral("DEBUG"));
        isRefused(environment,
                  QStringLiteral("DEBUG isn't a variable; write NAME=value, one a line."));
        QTest::keyClicks(environment, QStringLiteral("=1"));
        QTest::mouseClick(launch, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(launched.count(), 1, Patience);
        QCOMPARE(page.job().roles.front().arguments, (std::vector<std::string>{"--msg", "hello"}));
        QCOMPARE(page.job().roles.front().environment.at("DEBUG"), std::string("1"));
        // Nor does it stay for another job.
        environment->setPlainText(QStringLiteral("DEBUG"));
        page.openText(text, QStringLiteral("/tmp"));
        QCOMPARE(environment->toPlainText(), QString());
    }

    void anInterpreterOfTheFileRunsOnlyWhenTrusted()
    {
        QTemporaryDir folder;
        const auto write = [&](const QString& name, const QByteArray& text) {
            QFile file(folder.filePath(name));
            QVERIFY(file.open(QIODevice::WriteOnly));
            file.write(text);
        };
        const QByteArray at = folder.path().toUtf8();
        const QString interpreter = QStringLiteral("venv/bin/python");
        QVERIFY(QDir(folder.path()).mkpath(QStringLiteral("venv/bin")));
        write(QStringLiteral("train.py"), "import torch\n");
        write(interpreter, "#!/bin/sh\necho x >> " + at + "/ran\n");
        QFile::setPermissions(folder.filePath(interpreter), QFile::Permissions(0x7700));
        write(QStringLiteral("x.ringjob"), "program = \"train.py\"\nworking_folder = \"" + at +
                                               "\"\ninterpreter = \"venv/bin/python\"\n");
        const QString mark = folder.filePath(QStringLiteral("ran"));
        const QString job = folder.filePath(QStringLiteral("x.ringjob"));
        // The interpreter is given 3 s. Where it didn't even begin in them, the job is checked
        // again.
        const auto runs = [&](EditorPage& page) {
            const ChecksModel& checks = page.findChild<ChecksPanel*>()->model();
            const auto isAsked = [&] {
                return std::ranges::any_of(checks.rows(), [](const Finding& finding) {
                    return finding.message.code == code::InterpreterUnknown;
                });
            };
            const auto hasRun = [&] { return QFile::exists(mark); };
            constexpr int Attempts = 10;
            for (int attempt = 0; attempt < Attempts; ++attempt) {
                if (!QTest::qWaitFor([&] { return hasRun() || isAsked(); }, Patience))
                    return false;
                if (hasRun())
                    return true;
                page.openFile(job);
                (void)QTest::qWaitFor([&] { return !isAsked(); }, Patience);
            }
            return false;
        };
        {
            EditorPage page(m_bridge);
            page.show();
            page.openFile(job);
            const auto* bar = page.findChild<TrustBar*>();
            QTRY_VERIFY_WITH_TIMEOUT(bar->isVisible(), Patience);
            QVERIFY2(bar->text().contains(folder.filePath(interpreter)), qPrintable(bar->text()));
            QVERIFY(!QFile::exists(mark));
            button(*bar, "Trust")->click();
            QVERIFY(!bar->isVisible());
            QVERIFY(runs(page));
        }
        QVERIFY(QFile::remove(mark));
        EditorPage again(m_bridge);
        again.show();
        again.openFile(job);
        QVERIFY(runs(again));
        QVERIFY(!again.findChild<TrustBar*>()->isVisible());
    }

    void saysWhereAJobFileIsWrong()
    {
        QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("bad.ringjob"));
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("program = \"train.py\"\nworker = 2\n");
        file.close();
        EditorPage page(m_bridge);
        page.show();
        page.openFile(path);
        QTRY_VERIFY([&] {
            for (const QLabel* label : page.findChildren<QLabel*>()) {
                if (label->isVisible() && label->text().contains(QStringLiteral("workers")))
                    return true;
            }
            return false;
        }());
    }

    void readsAPastedCommandAsItIsTyped()
    {
        PasteDialog dialog;
        auto* use = button(dialog, "Use it");
        QVERIFY(!use->isEnabled());
        dialog.setText(QStringLiteral("torchrun --nproc-per-node 3 \\\n train.py --lr 0.1"));
        QVERIFY(use->isEnabled());
        QCOMPARE(dialog.job().roles.front().workers.number, 3);
        dialog.setText(QStringLiteral("torchrun --foo train.py"));
        QVERIFY(!use->isEnabled());
    }

    void showsTheEnvironmentOfAnyRank()
    {
        EnvironmentModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        JobSpec spec = fullJob();
        spec.rendezvous.standalone = true;
        const MachineCounts counts{.cpus = 2};
        const auto environment = environmentOfRank(spec, 5, counts, {{"HOME", "/root"}});
        QVERIFY(environment.has_value());
        QCOMPARE(environment->find("RANK")->value, std::string("5"));
        QCOMPARE(environment->find("WORLD_SIZE")->value, std::string("7"));
        QVERIFY(isChosenAtStart(*environment->find("MASTER_PORT")));
        model.setEnvironment(*environment, false);
        QCOMPARE(model.index(0, EnvironmentModel::Name).data().toString(), QStringLiteral("RANK"));
        const int without = model.rowCount();
        model.setEnvironment(*environment, true);
        QVERIFY(model.rowCount() > without);
        model.setEnvironment({}, true);
        QCOMPARE(model.rowCount(), 0);
    }

    void whatOnlyTheHostsDecideIsChosenAtStart()
    {
        JobSpec spec;
        spec.roles.front().program = "train.py";
        spec.hosts = {"gpu1:4", "gpu2"};
        const auto environment = environmentOfRank(spec, 0, {}, {});
        QVERIFY(environment.has_value());
        for (const char* name : {"WORLD_SIZE", "GROUP_RANK", "MASTER_ADDR", "MASTER_PORT"})
            QVERIFY2(isChosenAtStart(*environment->find(name)), name);
        QCOMPARE(environment->find("RANK")->value, "0");
    }

    /// Until they are there, nothing is said that was found about the job before.
    void anotherJobBeginsWithoutTheChecksOfTheLast()
    {
        Window dashboard(pages());
        dashboard.window.show();
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto* editor = &pageOf<EditorPage>(dashboard.window);
        const ChecksModel& checks = editor->findChild<ChecksPanel*>()->model();
        QTRY_VERIFY_WITH_TIMEOUT(checks.errorCount() > 0, Patience);
        editor->openText(QStringLiteral("name = \"a\"\nprogram = \"digits.py\"\n"),
                         QStringLiteral(RINGMASTER_SOURCE_DIR "/resources/examples"));
        QCOMPARE(checks.rowCount(), 0);
        QTRY_VERIFY_WITH_TIMEOUT(checks.rowCount() > 0, Patience);
        QCOMPARE(checks.errorCount(), 0);
    }

    void theListOfChecksChangesRowByRow()
    {
        ChecksModel model;
        const QAbstractItemModelTester tester(
            &model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const auto finding = [](Finding::Severity severity, const char* path) {
            return Finding{severity, {code::FileNotFound, {{"path", path}}, {}}, {"program", 0, 0}};
        };
        model.setFindings(
            {finding(Finding::Severity::Error, "a"), finding(Finding::Severity::Ok, "b")});
        QCOMPARE(model.errorCount(), 1);
        QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
        QSignalSpy reset(&model, &QAbstractItemModel::modelReset);
        model.setFindings({finding(Finding::Severity::Error, "a"),
                           finding(Finding::Severity::Warning, "c"),
                           finding(Finding::Severity::Ok, "d")});
        QCOMPARE(changed.count(), 1);
        QCOMPARE(reset.count(), 0);
        model.setFindings({});
        QCOMPARE(model.rowCount(), 0);
    }

    void argumentsGoBackAndForth()
    {
        const std::vector<std::string> words{"a", "b c", "", "$x", "it's", "\"q\""};
        QCOMPARE(wordsOf(lineOf(words)).value(), words);
        QVERIFY(!wordsOf(QStringLiteral("'open")));
        int wrong = 0;
        const auto variables = variablesOf(QStringLiteral("A=1\n\nnot one\nB=x=y"), &wrong);
        QCOMPARE(variables, (std::map<std::string, std::string>{{"A", "1"}, {"B", "x=y"}}));
        QCOMPARE(wrong, 1);
    }

private:
    /// A file of this name, which is made for it.
    static void openNew(EditorPage& page, const QString& path)
    {
        QFile file(path);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("name = \"saved\"\nprogram = \"train.py\"\n");
        file.close();
        page.openFile(path);
        QTRY_COMPARE_WITH_TIMEOUT(page.job().name, std::string("saved"), Patience);
    }

    FakeCluster m_cluster;
    EngineBridge m_bridge{m_cluster};
};

QTEST_MAIN(tst_editor)
#include "tst_editor.moc"
