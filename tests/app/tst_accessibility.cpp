#include "app/editor/EditorPage.h"
#include "app/hosts/HostsPage.h"
#include "app/hosts/PreflightPanel.h"
#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "app/jobs/LogView.h"
#include "app/jobs/WorkerTiles.h"
#include "app/learn/FaultQuestion.h"
#include "app/main/Pages.h"
#include "engine/base/Codes.h"
#include "tests/app/EditorFields.h"
#include "tests/app/LearnWindow.h"
#include "tests/app/PageOf.h"
#include "tests/lesson/Steps.h"

#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QRadioButton>
#include <QTableView>
#include <QtTest>

#include <set>

using namespace ringmaster;
using namespace ringmaster::app;

/// What a screen reader finds on each page, and that no page needs a mouse.
class tst_accessibility : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { qputenv("XDG_STATE_HOME", QFile::encodeName(m_state.path())); }

    void init()
    {
        useTemporarySettings();
        m_dashboard = std::make_unique<Window>(pages());
        m_dashboard->language.choose(Language::Choice::English);
        window().show();
        QVERIFY(QTest::qWaitForWindowActive(&window(), 60'000));
    }

    void cleanup() { m_dashboard.reset(); }

    void everyPageCanBeReadAndReached_data()
    {
        QTest::addColumn<QString>("page");
        for (const char* page : {"empty", "list", "job", "failed job", "tables", "job on hosts",
                                 "bandwidth", "editor", "history", "learn", "hosts"})
            QTest::newRow(page) << QString::fromLatin1(page);
    }

    void everyPageCanBeReadAndReached()
    {
        QFETCH(QString, page);
        show(page);
        QTRY_VERIFY2(nameless().isEmpty(), qPrintable(nameless().join(u'\n')));
        const QStringList lost = notReachedWithTab();
        QVERIFY2(lost.isEmpty(), qPrintable(lost.join(u'\n')));
    }

    void tablesAreReadCellByCell_data()
    {
        QTest::addColumn<QString>("page");
        for (const char* page : {"list", "tables", "bandwidth", "editor", "history", "hosts"})
            QTest::newRow(page) << QString::fromLatin1(page);
    }

    void tablesAreReadCellByCell()
    {
        QFETCH(QString, page);
        show(page);
        int tables = 0;
        for (QTableView* table : window().findChildren<QTableView*>()) {
            if (!table->isVisible())
                continue;
            QTRY_VERIFY2(table->model()->rowCount() > 0, qPrintable(table->accessibleName()));
            QAccessibleTableInterface* cells = interfaceOf(table)->tableInterface();
            QVERIFY(cells != nullptr);
            QCOMPARE(cells->rowCount(), table->model()->rowCount());
            for (int column = 0; column < cells->columnCount(); ++column)
                QVERIFY2(!cells->columnDescription(column).isEmpty(),
                         qPrintable(table->accessibleName()));
            for (int row = 0; row < std::min(3, cells->rowCount()); ++row)
                QVERIFY2(!cells->cellAt(row, 0)->text(QAccessible::Name).isEmpty(),
                         qPrintable(table->accessibleName()));
            ++tables;
        }
        QVERIFY(tables > 0);
    }

    void tilesAndLogAreReadRowByRow()
    {
        show(QStringLiteral("job"));
        auto* tiles = window().findChild<WorkerTiles*>();
        QAccessibleInterface* list = interfaceOf(tiles);
        QCOMPARE(list->role(), QAccessible::List);
        QCOMPARE(list->childCount(), 8);
        QVERIFY2(
            list->child(3)->text(QAccessible::Name).startsWith(QStringLiteral("rank 3: Running")),
            qPrintable(list->child(3)->text(QAccessible::Name)));
        QCOMPARE(list->child(3)->role(), QAccessible::ListItem);
        QTRY_VERIFY(!list->child(3)->rect().isEmpty());
        tiles->setFocus();
        QTest::keyClick(tiles, Qt::Key_Home);
        QTest::keyClick(tiles, Qt::Key_Right);
        QVERIFY(list->child(1)->state().selected);
        QVERIFY(!list->child(2)->state().selected);
        QCOMPARE(list->focusChild(), list->child(1));
        QCOMPARE(list->indexOfChild(list->child(1)), 1);

        auto* log = window().findChild<LogView*>();
        QTRY_VERIFY(log->model()->rowCount() > 0);
        QAccessibleInterface* lines = interfaceOf(log);
        QTRY_VERIFY(lines->childCount() > 0);
        // What is on the screen, however long the log is.
        QVERIFY(lines->childCount() <= log->height() / log->fontMetrics().height() + 2);
        QVERIFY(!lines->child(0)->text(QAccessible::Name).isEmpty());
    }

    void aJobIsLaunchedWithTheKeyboardAlone()
    {
        m_dashboard->cluster.answerLaunchWith(m_dashboard->scenario.restartedAndRunning());
        m_dashboard->cluster.settle();
        press(Qt::Key_N, Qt::ControlModifier);
        QCOMPARE(focusName(), QStringLiteral("Program"));
        QTest::keyClicks(focus(), QStringLiteral("/bin/true"));
        press(Qt::Key_Backtab, Qt::ShiftModifier);
        QCOMPARE(focusName(), QStringLiteral("Kind"));
        press(Qt::Key_Down);
        press(Qt::Key_Down);
        tabTo(QStringLiteral("Workers per node"));
        press(Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(focus(), QStringLiteral("2"));
        tabTo(QStringLiteral("When a worker fails"));
        press(Qt::Key_Space);
        tabTo(QStringLiteral("Restart at most"));
        press(Qt::Key_Up);
        press(Qt::Key_Return, Qt::ControlModifier);
        QTRY_COMPARE(m_dashboard->cluster.launched().size(), size_t{1});
        const JobSpec spec = m_dashboard->cluster.launched().front();
        QCOMPARE(spec.roles.front().kind, ProgramKind::Command);
        QCOMPARE(spec.roles.front().workers.number, 2);
        QCOMPARE(spec.restart.maxRestarts, 1);
        QTRY_VERIFY(window().jobsPage().jobPage() != nullptr &&
                    window().jobsPage().jobPage()->isVisible());
        // On the job's page: a rank, then its log.
        QTRY_COMPARE(window().findChild<WorkerTiles*>()->model()->rowCount(), 8);
        tabTo(QStringLiteral("Workers as tiles"));
        press(Qt::Key_Right);
        press(Qt::Key_Right);
        QVERIFY(window().jobsPage().jobPage()->selectedRank() >= 0);
        press(Qt::Key_F, Qt::ControlModifier);
        QCOMPARE(focusName(), QStringLiteral("Filter the log"));
    }

    /// F, the kind, the rank, what will come of it, who will tell, and then the fault itself.
    void aFaultIsMadeWithTheKeyboardAlone()
    {
        m_dashboard.reset();
        LearnWindow learn;
        QVERIFY(learn.open());
        QVERIFY(learn.launch());
        learn.publish({attemptOf(2), test::lineStep(0, 9), test::lineStep(1, 9)});
        QTRY_COMPARE_WITH_TIMEOUT(learn.page().player().size(), size_t{2}, LearnWindow::Patience);
        learn.press(Qt::Key_F);
        const auto pressInMenu = [](Qt::Key key) {
            QVERIFY(QApplication::activePopupWidget() != nullptr);
            QTest::keyClick(QApplication::activePopupWidget(), key);
        };
        QTRY_VERIFY(QApplication::activePopupWidget() != nullptr);
        pressInMenu(Qt::Key_Down);
        pressInMenu(Qt::Key_Down); // Pause the worker
        pressInMenu(Qt::Key_Right);
        pressInMenu(Qt::Key_Down); // on rank 1
        pressInMenu(Qt::Key_Return);
        QTRY_VERIFY(learn.page().findChild<FaultQuestion*>() != nullptr);
        auto* question = learn.page().findChild<FaultQuestion*>();
        QVERIFY(QTest::qWaitForWindowActive(question, 60'000));
        const auto answers = question->findChildren<QRadioButton*>();
        const auto pressHere = [question](Qt::Key key) {
            QTest::keyClick(question->focusWidget(), key);
        };
        for (int i = 0; i < 20 && question->focusWidget() != answers.first(); ++i)
            pressHere(Qt::Key_Tab);
        QCOMPARE(question->focusWidget(), answers.first());
        pressHere(Qt::Key_Space);
        pressHere(Qt::Key_Down); // the ranks wait
        QVERIFY(answers.at(1)->isChecked());
        pressHere(Qt::Key_Tab);
        pressHere(Qt::Key_Space); // the agent
        pressHere(Qt::Key_Return);
        const auto fault = [&learn]() -> std::optional<InjectFault> {
            for (const auto& [run, command] : learn.dashboard().cluster.commands())
                if (const auto* sent = std::get_if<InjectFault>(&command))
                    return *sent;
            return std::nullopt;
        };
        QTRY_VERIFY(fault().has_value());
        QCOMPARE(fault()->kind, InjectFault::Kind::Pause);
        QCOMPARE(fault()->globalRank, 1);
    }

private:
    MainWindow& window() { return m_dashboard->window; }
    QWidget* focus() { return window().focusWidget(); }

    QString focusName()
    {
        // The line edit inside an editable combo box, or a spin box, stands for it.
        QWidget* widget = focus();
        while (widget != nullptr && widget->accessibleName().isEmpty() &&
               (qobject_cast<QComboBox*>(widget->parent()) != nullptr ||
                qobject_cast<QAbstractSpinBox*>(widget->parent()) != nullptr))
            widget = widget->parentWidget();
        return widget == nullptr ? QString() : widget->accessibleName();
    }

    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::keyClick(focus(), key, modifiers);
    }

    void tabTo(const QString& name)
    {
        for (int i = 0; i < 100 && focusName() != name; ++i)
            press(Qt::Key_Tab);
        QCOMPARE(focusName(), name);
    }

    static QAccessibleInterface* interfaceOf(QWidget* widget)
    {
        return QAccessible::queryAccessibleInterface(widget);
    }

    void show(const QString& page)
    {
        if (page == QLatin1String("empty"))
            return;
        m_dashboard->scenario.finished();
        const std::string failed = m_dashboard->scenario.failed();
        const std::string running = m_dashboard->scenario.restartedAndRunning();
        m_dashboard->cluster.settle();
        QTRY_COMPARE(m_dashboard->bridge.runs().size(), size_t{3});
        if (page == QLatin1String("editor"))
            QTest::keyClick(&window(), Qt::Key_N, Qt::ControlModifier);
        if (page == QLatin1String("history"))
            QTest::keyClick(&window(), Qt::Key_5, Qt::ControlModifier);
        if (page == QLatin1String("learn"))
            QTest::keyClick(&window(), Qt::Key_3, Qt::ControlModifier);
        if (page == QLatin1String("failed job"))
            showRun(failed, 4);
        if (page == QLatin1String("job on hosts"))
            showRun(m_dashboard->scenario.onHosts(), 6);
        if (page == QLatin1String("bandwidth"))
            showSweep();
        if (page == QLatin1String("hosts"))
            showHosts();
        if (page != QLatin1String("job") && page != QLatin1String("tables"))
            return;
        showRun(running, 8);
        if (page == QLatin1String("tables"))
            window().jobsPage().jobPage()->restoreState(
                {{QStringLiteral("workersTable"), true}, {QStringLiteral("timelineTable"), true}});
    }

    void showSweep()
    {
        m_dashboard->scenario.sweep("sweep all_reduce gloo,ring", 5);
        m_dashboard->cluster.settle();
        QTRY_VERIFY(m_dashboard->bridge.find("sweep") != nullptr);
        QTest::keyClick(&window(), Qt::Key_2, Qt::ControlModifier);
    }

    void showHosts()
    {
        m_dashboard->cluster.hosts().setHosts({{.name = "gpu1"}, {.name = "gpu2"}});
        m_dashboard->cluster.hosts().setFindings(
            {{PreflightFinding::Grade::Bad,
              "gpu2",
              "",
              {code::FileNotFound, {{"path", "/no/python"}}, {}},
              "ssh gpu2 true"}});
        QTest::keyClick(&window(), Qt::Key_4, Qt::ControlModifier);
        auto* page = &pageOf<HostsPage>(window());
        QTRY_COMPARE(page->hosts().rowCount(), 2);
        page->restoreState({{QStringLiteral("table"), true}});
        QTest::mouseClick(button<QPushButton>(*page, "Run preflight"), Qt::LeftButton);
        QTRY_COMPARE(page->findChild<PreflightPanel*>()->matrix().badCount(), 1);
    }

    void showRun(const std::string& run, int ranks)
    {
        m_dashboard->cluster.settle();
        QTRY_VERIFY(m_dashboard->bridge.find(run) != nullptr);
        window().showRun(QString::fromStdString(run));
        QTRY_COMPARE(window().findChild<WorkerTiles*>()->model()->rowCount(), ranks);
    }

    QList<QWidget*> reachable()
    {
        QList<QWidget*> widgets;
        for (QWidget* widget : window().findChildren<QWidget*>()) {
            if (widget->isVisible() && widget->isEnabled() && widget->focusProxy() == nullptr &&
                (widget->focusPolicy() & Qt::TabFocus) == Qt::TabFocus)
                widgets << widget;
        }
        return widgets;
    }

    static QString described(const QWidget* widget)
    {
        return QStringLiteral("%1 “%2” in %3")
            .arg(QLatin1String(widget->metaObject()->className()), widget->accessibleName(),
                 QLatin1String(widget->parentWidget()->metaObject()->className()));
    }

    QStringList nameless()
    {
        QStringList found;
        for (QWidget* widget : reachable()) {
            QAccessibleInterface* interface = interfaceOf(widget);
            const QAccessible::Role role = interface->role();
            const bool isPart = qobject_cast<QComboBox*>(widget->parent()) != nullptr;
            if (!isPart &&
                (interface->text(QAccessible::Name).isEmpty() || role == QAccessible::NoRole ||
                 role == QAccessible::Client || role == QAccessible::Pane))
                found << described(widget) + QStringLiteral(" is role %1").arg(role);
        }
        return found;
    }

    /// Tab must not get caught on its way around the window.
    QStringList notReachedWithTab()
    {
        std::set<QWidget*> seen;
        constexpr int Enough = 300;
        for (int i = 0; i < Enough; ++i) {
            press(Qt::Key_Tab);
            if (!seen.insert(focus()).second)
                break;
        }
        QStringList missed;
        for (QWidget* widget : reachable()) {
            const bool isPart = qobject_cast<QComboBox*>(widget->parent()) != nullptr;
            if (!isPart && !seen.contains(widget))
                missed << described(widget);
        }
        return missed;
    }

    QTemporaryDir m_state;
    std::unique_ptr<Window> m_dashboard;
};

QTEST_MAIN(tst_accessibility)
#include "tst_accessibility.moc"
