#include "app/editor/EditorPage.h"
#include "app/editor/FreshJob.h"
#include "app/history/HistoryPage.h"
#include "app/history/RunDetails.h"
#include "app/hosts/HostsPage.h"
#include "app/jobs/ElsewhereCard.h"
#include "app/jobs/ForeignJobDialog.h"
#include "app/jobs/JobHeader.h"
#include "app/jobs/JobPage.h"
#include "app/jobs/JobPorts.h"
#include "app/jobs/JobsPage.h"
#include "app/jobs/LogView.h"
#include "app/jobs/PortsDialog.h"
#include "app/main/LaunchBar.h"
#include "app/main/MachineList.h"
#include "app/main/Pages.h"
#include "app/main/SideBar.h"
#include "app/main/WatchedMachines.h"
#include "app/model/LogModel.h"
#include "app/model/NumberFeed.h"
#include "app/model/OperationFeed.h"
#include "app/model/RunView.h"
#include "app/widget/Banner.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Toast.h"
#include "engine/control/LocalCluster.h"
#include "engine/control/WatchingCluster.h"
#include "engine/job/JobFile.h"
#include "tests/app/EditorFields.h"
#include "tests/app/FarCluster.h"
#include "tests/app/PageOf.h"
#include "tests/app/Window.h"
#include "tests/remote/FakeMachine.h"
#include "tests/support/TorchInterpreter.h"
#include "tests/support/TorchrunJob.h"

#include <QComboBox>
#include <QListView>
#include <QMessageBox>
#include <QPushButton>
#include <QRegularExpression>
#include <QSettings>
#include <QTableView>
#include <QTcpSocket>
#include <QToolButton>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// The dashboard as its main() puts it together, of somebody who sits here.
class Dashboard
{
public:
    Dashboard()
    {
        language.choose(Language::Choice::English);
        showMachines(window, machines);
        window.show();
    }

    JobPage* job() { return window.jobsPage().jobPage(); }

    QString machineLine()
    {
        const auto* list = window.findChild<MachineList*>();
        const auto* line = list->findChild<ElidedLabel*>();
        return line == nullptr ? QString() : line->text();
    }

    LaunchBar* launchBar() { return window.findChild<LaunchBar*>(); }

    bool launchBarSays(const QString& text)
    {
        return launchBar() != nullptr && launchBar()->accessibleName().contains(text);
    }

    QAbstractItemModel& running()
    {
        return *window.findChild<SideBar*>()->findChild<QListView*>()->model();
    }

    bool headSays(const QString& text)
    {
        for (const auto* label : job()->findChild<JobHeader*>()->findChildren<ElidedLabel*>())
            if (label->text().split(QStringLiteral(" · ")).contains(text))
                return true;
        return false;
    }

    bool logHas(const QString& text)
    {
        const auto* log = job()->findChild<LogView*>()->model();
        for (int row = 0; row < log->rowCount(); ++row)
            if (log->index(row, 0).data().toString().contains(text))
                return true;
        return false;
    }

    LocalCluster local{{.command = Ringmaster::executable().toStdString()}};
    WatchingCluster cluster{local};
    EngineBridge bridge{cluster};
    MachineBridge machines{cluster};
    Theme theme;
    Language language;
    MainWindow window{bridge, theme, language, pages()};
};

template <class T>
T* withText(QWidget& parent, const char* text)
{
    for (T* each : parent.findChildren<T*>())
        if (each->text() == QString::fromUtf8(text))
            return each;
    return nullptr;
}

} // namespace

/// Jobs of another machine in the window: over a real channel, and what they may not do to jobs of
/// this one.
class tst_watched_jobs : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        useTemporarySettings();
        FakeMachine::bringAgent(m_cache.path());
    }

    void aJobThereIsSeenAndStoppedFromHere()
    {
        FakeMachine machine(m_cache.path());
        machine.sitHere();
        QCOMPARE(machine.here().run(QStringLiteral("host add gpu1").split(u' ')).exitCode, 0);
        const auto started =
            machine.there().run(QStringLiteral("run --standalone --detach --name train --no-python "
                                               "/bin/sh -c")
                                    .split(u' ')
                                << QStringLiteral("echo hello; exec sleep 600"));
        QVERIFY2(started.exitCode == 0, started.error);
        {
            Dashboard dashboard;
            QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, 60'000));
            auto& hosts = pageOf<HostsPage>(dashboard.window);
            QTest::keyClick(&dashboard.window, Qt::Key_4, Qt::ControlModifier);
            QTRY_COMPARE(hosts.hosts().rowCount(), 1);
            for (auto* table : hosts.findChildren<QTableView*>())
                if (table->accessibleName() == QStringLiteral("Hosts as a table"))
                    table->selectRow(0);
            auto* show = withText<QPushButton>(hosts, "Show its jobs");
            QVERIFY(show != nullptr && show->isEnabled() && !show->isChecked());
            QTest::mouseClick(show, Qt::LeftButton);
            QTRY_COMPARE(dashboard.machineLine(), QStringLiteral("● gpu1: 1 job runs"));
            QTRY_VERIFY(show->isChecked());

            QTRY_COMPARE(dashboard.running().rowCount(), 1);
            const QModelIndex row = dashboard.running().index(0, 0);
            QCOMPARE(row.data().toString(), QStringLiteral("train"));
            const QString line = row.data(RunListModel::LineRole).toString();
            QVERIFY2(line.startsWith(QStringLiteral("gpu1 · ")), qPrintable(line));
            dashboard.window.showRun(row.data(RunListModel::IdRole).toString());
            QTRY_VERIFY(dashboard.job()->run().snapshot().state == RunState::Running);
            QTRY_VERIFY(dashboard.logHas(QStringLiteral("hello")));
            const JobActions& actions = dashboard.window.jobsPage().actions();
            QTRY_VERIFY(actions.stop->isEnabled());
            QVERIFY(actions.runAgain->isEnabled() && !actions.openLogs->isEnabled());
            QVERIFY2(actions.runAgain->toolTip().contains(QLatin1String("anew on gpu1")),
                     qPrintable(actions.runAgain->toolTip()));

            machine.unplug();
            QTRY_COMPARE(dashboard.machineLine(), QStringLiteral("▲ gpu1: not reached"));
            QTRY_VERIFY(dashboard.headSays(QStringLiteral("▲ gpu1 isn't reached: as last seen")));
            machine.plug();
            QTRY_COMPARE(dashboard.machineLine(), QStringLiteral("● gpu1: 1 job runs"));
            QTRY_VERIFY(dashboard.headSays(QStringLiteral("on gpu1")));

            actions.stop->trigger();
            auto* question =
                dashboard.job()->findChild<QMessageBox*>(QStringLiteral("confirmStop"));
            QVERIFY(question != nullptr);
            QTest::mouseClick(withText<QPushButton>(*question, "Stop"), Qt::LeftButton);
            QTRY_VERIFY(dashboard.job()->run().snapshot().state == RunState::Stopped);
            QTRY_COMPARE(dashboard.machineLine(), QStringLiteral("○ gpu1: no job runs"));
            QVERIFY(!actions.stop->isEnabled());
        }
        // The next window watches it without being told.
        Dashboard again;
        QTRY_COMPARE(again.machineLine(), QStringLiteral("○ gpu1: no job runs"));
    }

    void aJobIsLaunchedThereFromTheEditor()
    {
        QSettings().clear();
        FakeMachine machine(m_cache.path());
        machine.sitHere();
        QCOMPARE(machine.here().run(QStringLiteral("host add gpu1").split(u' ')).exitCode, 0);
        Dashboard dashboard;
        QVERIFY(QTest::qWaitForWindowActive(&dashboard.window, 60'000));
        QTest::keyClick(&dashboard.window, Qt::Key_N, Qt::ControlModifier);
        auto& editor = pageOf<EditorPage>(dashboard.window);
        JobSpec spec = freshJob();
        spec.name = "far";
        Role& role = spec.roles.front();
        role.kind = ProgramKind::Command;
        role.program = "/bin/sh";
        role.arguments = {"-c", "echo from $PWD; exec sleep 600"};
        role.workers = {WorkerCount::Kind::Number, 1};
        editor.openText(QString::fromStdString(jobFileText(spec).value()), machine.path({}));
        auto* runOn = named<QComboBox>(editor, "Run on");
        QTRY_COMPARE(runOn->count(), 4);
        runOn->setCurrentIndex(3);
        Q_EMIT runOn->activated(3);
        auto* launch = withText<QPushButton>(editor, "Launch");

        // Called off before it has come there.
        machine.write(QStringLiteral("held"));
        QTest::mouseClick(launch, Qt::LeftButton);
        QTRY_VERIFY(dashboard.launchBarSays(QStringLiteral("Starting the agent on gpu1")));
        QTRY_VERIFY(!machine.read(QStringLiteral("calls")).isEmpty());
        QTest::mouseClick(withText<QPushButton>(*dashboard.launchBar(), "Cancel"), Qt::LeftButton);
        QTRY_VERIFY(dashboard.launchBar() == nullptr);
        QVERIFY(dashboard.window.toast().text().contains(QLatin1String("those of gpu1")));
        QTRY_COMPARE(dashboard.machineLine(), QStringLiteral("◌ gpu1: connecting…"));
        dashboard.machines.setWatched(QStringLiteral("gpu1"), false);
        QVERIFY(QFile::remove(machine.path(QStringLiteral("held"))));

        QTest::mouseClick(launch, Qt::LeftButton);
        QTRY_VERIFY(dashboard.job() != nullptr);
        QTRY_VERIFY(dashboard.logHas(QStringLiteral("from ")));
        QTRY_COMPARE(dashboard.machineLine(), QStringLiteral("● gpu1: 1 job runs"));
        QVERIFY(dashboard.launchBar() == nullptr);
        const QString first = dashboard.window.jobsPage().shownRun();
        QVERIFY2(first.startsWith(QLatin1String("gpu1:")), qPrintable(first));

        // Once more, from its own page.
        dashboard.window.jobsPage().actions().runAgain->trigger();
        QTRY_VERIFY(dashboard.window.jobsPage().shownRun() != first);
        QTRY_COMPARE(dashboard.machineLine(), QStringLiteral("● gpu1: 2 jobs run"));
        QTRY_VERIFY(dashboard.logHas(QStringLiteral("from ")));

        // What goes wrong on the way is said.
        machine.write(QStringLiteral("refusal"), "user@gpu1: Permission denied (publickey).\n");
        dashboard.window.jobsPage().actions().runAgain->trigger();
        QTRY_VERIFY(dashboard.window.findChild<QMessageBox*>(QStringLiteral("launchFailure")));
        QVERIFY(dashboard.launchBar() == nullptr || dashboard.launchBar()->isHidden());
        dashboard.window.findChild<QMessageBox*>(QStringLiteral("launchFailure"))->close();
    }

    void aPortOfAJobThereIsHereUntilTheRunEnds()
    {
        FakeMachine machine(m_cache.path());
        machine.sitHere();
        const auto started = machine.there().run(
            QStringLiteral("run --standalone --detach --name board --no-python /bin/sh -c")
                .split(u' ')
            << QStringLiteral("mkdir served && cd served && touch a-file-of-the-job && exec "
                              "python3 -u -m http.server 0 --bind 127.0.0.1"));
        QVERIFY2(started.exitCode == 0, started.error);
        Dashboard dashboard;
        dashboard.machines.setWatched(QStringLiteral("gpu1"), true);
        QTRY_VERIFY_WITH_TIMEOUT(!dashboard.bridge.runs().empty(), 60'000);
        const std::string run = dashboard.bridge.runs().front().id;
        dashboard.window.showRun(QString::fromStdString(run));
        QString port;
        const auto isServed = [&] {
            const auto* log = dashboard.job()->findChild<LogView*>()->model();
            static const QRegularExpression Serving(QStringLiteral("127.0.0.1 port (\\d+)"));
            for (int row = 0; row < log->rowCount() && port.isEmpty(); ++row)
                port = Serving.match(log->index(row, 0).data().toString()).captured(1);
            return !port.isEmpty();
        };
        QTRY_VERIFY_WITH_TIMEOUT(isServed(), 60'000);

        JobsPage& jobs = dashboard.window.jobsPage();
        QTRY_VERIFY(jobs.actions().forwardPort->isEnabled());
        jobs.actions().forwardPort->trigger();
        auto* dialog = dashboard.job()->findChild<PortsDialog*>();
        QVERIFY(dialog != nullptr && dialog->isVisible());
        dialog->findChild<QComboBox*>()->setEditText(port);
        QTest::mouseClick(withText<QPushButton>(*dialog, "Forward"), Qt::LeftButton);
        const auto known = [&] { return jobs.ports().of(run); };
        QTRY_VERIFY_WITH_TIMEOUT(known().size() == 1 && known()[0].localPort > 0, 60'000);
        QCOMPARE(known()[0].host, QStringLiteral("gpu1"));
        QVERIFY2(known()[0].trouble.isEmpty(), qPrintable(known()[0].trouble));
        QVERIFY(known()[0].localPort != port.toInt()); // "there" is this machine: it is taken

        QTcpSocket browser;
        browser.connectToHost(QStringLiteral("127.0.0.1"),
                              static_cast<quint16>(known()[0].localPort));
        QVERIFY(browser.waitForConnected());
        browser.write("GET / HTTP/1.0\r\n\r\n");
        QByteArray page;
        QTRY_VERIFY_WITH_TIMEOUT((page += browser.readAll()).contains("a-file-of-the-job"), 60'000);

        QCOMPARE(machine.there().run({QStringLiteral("stop"), QStringLiteral("board")}).exitCode,
                 0);
        QTRY_VERIFY_WITH_TIMEOUT(known().empty(), 60'000);
    }

    /// The real torchrun has started it there.
    void aHangingJobThereIsReadAndEnded()
    {
        const QString python = test::torchInterpreter();
        if (python.isEmpty())
            QSKIP("no interpreter with torch");
        test::TorchrunJob job(python, QStringLiteral("hangs_there.py"), test::HangingProgram);
        QTRY_VERIFY2_WITH_TIMEOUT(job.output().contains("all there"),
                                  job.process().readAllStandardError().constData(), 300'000);
        FakeMachine machine(m_cache.path());
        machine.sitHere();
        Dashboard dashboard;
        dashboard.machines.setWatched(QStringLiteral("gpu1"), true);
        const auto card = [&]() -> ElsewhereCard* {
            for (auto* each : dashboard.window.findChildren<ElsewhereCard*>())
                if (each->isVisible())
                    return each;
            return nullptr;
        };
        QTRY_VERIFY_WITH_TIMEOUT(card() != nullptr, 120'000);
        QCOMPARE(card()->title(), QStringLiteral("Running elsewhere on gpu1"));
        auto* table = card()->findChild<QTableView*>();
        // Other tests have jobs on this machine, too.
        const auto rowOf = [&] {
            for (int row = 0; row < table->model()->rowCount(); ++row)
                if (table->model()->index(row, 0).data() == QStringLiteral("hangs_there.py"))
                    return row;
            return -1;
        };
        QTRY_VERIFY_WITH_TIMEOUT(rowOf() >= 0, 120'000);
        table->selectRow(rowOf());
        QTest::mouseClick(withText<QPushButton>(*card(), "Look at its stacks"), Qt::LeftButton);
        auto* dialog = dashboard.window.findChild<ForeignJobDialog*>();
        QVERIFY(dialog != nullptr);
        const auto* words = dialog->findChild<Banner*>();
        auto* again = withText<QPushButton>(*dialog, "Look again");
        // They may still be on their way into it.
        QTRY_VERIFY2_WITH_TIMEOUT(
            [&] {
                if (words->text().startsWith(
                        QStringLiteral("Ranks 1 and 2 are in all_reduce; rank 0 is not.")))
                    return true;
                if (again->isEnabled())
                    again->click();
                return false;
            }(),
            qPrintable(words->text()), 120'000);
        QVERIFY2(words->text().contains(QStringLiteral("hangs_there.py line 6")),
                 qPrintable(words->text()));

        QTest::mouseClick(withText<QPushButton>(*dialog, "End the job…"), Qt::LeftButton);
        const auto question = [&] {
            return dialog->findChild<QMessageBox*>(QStringLiteral("confirmEnd"));
        };
        QTRY_VERIFY(question() != nullptr);
        QVERIFY2(question()->informativeText().contains(QStringLiteral("this job on gpu1")),
                 qPrintable(question()->informativeText()));
        QCOMPARE(job.process().state(), QProcess::Running);
        for (QAbstractButton* each : question()->buttons())
            if (question()->buttonRole(each) == QMessageBox::DestructiveRole)
                QTest::mouseClick(each, Qt::LeftButton);
        QVERIFY(QTest::qWaitFor([&] { return job.process().state() == QProcess::NotRunning; },
                                120'000));
        QTRY_VERIFY_WITH_TIMEOUT(!again->isEnabled() && rowOf() < 0, 120'000);
    }

    void whatARunThereDidIsReadOnceItIsReached()
    {
        FarCluster cluster;
        Scenario scenario(cluster);
        EngineBridge bridge(cluster);
        const std::string run = scenario.restartedAndRunning();
        scenario.collectives(run);
        cluster.print(run, Scenario::ago(1), 0, "loss 0.25\n");
        cluster.isReached = false;
        RunView view(run);
        view.run.setEnded(std::nullopt); // it is over: there is nothing to wait for
        OperationFeed operations(bridge, view.run, view.span, view.attempts);
        NumberFeed numbers(bridge, view.run);
        operations.setWatched(true);
        numbers.setWatch(NumberFeed::Watch::Full);
        QTRY_VERIFY(operations.error().has_value());
        QTRY_VERIFY(cluster.refused >= 2);
        cluster.isReached = true;
        QTRY_VERIFY(!operations.error().has_value());
        QVERIFY(!operations.summary().rows.empty());
        QTRY_VERIFY(!numbers.summary().names.empty());
    }

    void theNumbersOfARunThereComeOnceItIsReached()
    {
        FarCluster cluster;
        EngineBridge bridge(cluster);
        cluster.print("gpu1:far", Scenario::ago(1), 0, "loss 0.25\n");
        cluster.isReached = false;
        RunDetails details(bridge);
        details.setVisible(true);
        details.show(Scenario::summary("gpu1:far", RunState::Succeeded, 2, 60), {});
        QTRY_VERIFY(cluster.refused > 0);
        QVERIFY(!details.text().contains(QStringLiteral("0.25")));
        cluster.isReached = true;
        QTRY_VERIFY(details.text().contains(QStringLiteral("0.25")));
    }

    void aJobElsewhereDoesNotKeepTheWindowOpen()
    {
        Window dashboard(pages());
        Session().setOnClose(Session::OnClose::Ask);
        RunSummary run = Scenario::summary("gpu1:far", RunState::Running, 2, 60);
        run.isLive = true;
        dashboard.cluster.setRun(run);
        QTRY_VERIFY(dashboard.bridge.find("gpu1:far") != nullptr);
        dashboard.window.show();
        QVERIFY(dashboard.window.close());
        dashboard.cluster.settle();
        QVERIFY(dashboard.cluster.commands().empty());
        Session().setOnClose(Session::OnClose::KeepRunning);
    }

    void whatNeedsItsFilesIsDisabledWithTheReason()
    {
        Window dashboard(pages());
        dashboard.language.choose(Language::Choice::English);
        dashboard.cluster.setRun(Scenario::summary("gpu1:far", RunState::Succeeded, 2, 60));
        dashboard.cluster.setRun(Scenario::summary("near", RunState::Succeeded, 2, 50));
        auto& history = pageOf<HistoryPage>(dashboard.window);
        auto* table = history.findChild<QTableView*>();
        QTRY_COMPARE(table->model()->rowCount(), 2);
        const int far =
            table->model()->index(0, 0).data().toString().startsWith(QLatin1String("gpu1: ")) ? 0
                                                                                              : 1;
        table->selectRow(far);
        auto* edit = withText<QPushButton>(history, "Edit a copy");
        QVERIFY(edit != nullptr && !edit->isEnabled());
        QCOMPARE(edit->toolTip(), QStringLiteral("Its files are on gpu1"));
        QVERIFY(withText<QPushButton>(history, "Open")->isEnabled());
        QVERIFY(withText<QPushButton>(history, "Export…")->isEnabled());
        table->selectAll();
        QVERIFY(withText<QPushButton>(history, "Compare")->isEnabled());
    }

private:
    QTemporaryDir m_cache;
};

QTEST_MAIN(tst_watched_jobs)
#include "tst_watched_jobs.moc"
