#include "app/bandwidth/BandwidthPage.h"
#include "app/bandwidth/SweepChart.h"
#include "app/jobs/ArrivalLens.h"
#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "app/jobs/LogView.h"
#include "app/jobs/WorkerTiles.h"
#include "app/main/SideBar.h"
#include "app/model/LogModel.h"
#include "app/model/OperationTableModel.h"
#include "app/model/WorkerTableModel.h"
#include "app/widget/Banner.h"
#include "app/widget/ElidedLabel.h"
#include "app/widget/Pill.h"
#include "tests/app/Clicking.h"
#include "tests/app/PageOf.h"
#include "tests/app/RealDashboard.h"
#include "tests/support/Patience.h"
#include "tests/support/TorchInterpreter.h"

#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTableView>
#include <QToolButton>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// torch takes its time to be imported, twice, on a machine that has more to do.

} // namespace

/// A real job of two ranks over gloo, with nothing but the mouse and the keyboard. Runs offscreen
/// and, as `launch_by_clicking_in_x`, in windows of a real X server.
class tst_launch_by_clicking : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_python = ringmaster::test::torchInterpreter();
        if (m_python.isEmpty())
            QSKIP("no interpreter with torch");
        m_dashboard = std::make_unique<RealDashboard>();
        window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&window(), PatienceForJobs));
    }

    void cleanupTestCase() { m_dashboard.reset(); }

    void theFormIsFilledAndTheJobLaunched()
    {
        click(button(window(), "New job"));
        type(field<QLineEdit>("Name"), QStringLiteral("two ranks"));
        type(field<QLineEdit>("Program"),
             QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/app/programs/two_ranks.py"));
        type(field<QComboBox>("Interpreter")->lineEdit(), m_python);
        type(field<QComboBox>("Workers per node")->lineEdit(), QStringLiteral("2"));
        click(field<QToolButton>("When a worker fails"));
        type(field<QSpinBox>("Restart at most"), QStringLiteral("2"));
        click(button(window(), "Launch"));
        QTRY_VERIFY_WITH_TIMEOUT(window().jobsPage().jobPage() != nullptr, PatienceForJobs);
        QVERIFY(page().isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(tilesShow(Health::Running), PatienceForJobs);
        QTRY_COMPARE(chip("Running")->text(), QStringLiteral("Running 2"));
        m_token = ("RINGMASTER_RUN=" + page().run().run()).c_str();
        QVERIFY(processesWith(m_token) >= 2);
    }

    void aTileLeadsToTheLogOfItsRank()
    {
        requireJob();
        auto* tiles = page().findChild<WorkerTiles*>();
        QTest::mouseClick(tiles->viewport(), Qt::LeftButton, {},
                          tiles->visualRect(tiles->model()->index(1, 0)).center());
        QCOMPARE(page().selectedRank(), 1);
        QTRY_VERIFY_WITH_TIMEOUT(logHas(QStringLiteral("attempt 0 step 0 sum 3")), PatienceForJobs);
        const auto* log = page().findChild<LogView*>()->model();
        for (int row = 0; row < log->rowCount(); ++row)
            QCOMPARE(log->index(row, 0).data(LogModel::RankRole).toInt(), 1);
    }

    void whatTheRanksDoTogetherIsShownWhileTheyDoIt()
    {
        requireJob();
        QTableView* operations = nullptr;
        const auto areShown = [&] {
            operations = field<QTableView>("Operations"); // Hidden until there are some.
            return operations != nullptr && operations->model()->rowCount() > 0;
        };
        QTRY_VERIFY_WITH_TIMEOUT(areShown(), PatienceForJobs);
        const auto cell = [&](int column) {
            return operations->model()->index(0, column).data().toString();
        };
        QCOMPARE(cell(OperationTableModel::Kind), QStringLiteral("all_reduce"));
        QCOMPARE(cell(OperationTableModel::Group), QStringLiteral("default"));
        QTRY_VERIFY_WITH_TIMEOUT(cell(OperationTableModel::Count).toInt() > 0, PatienceForJobs);
        click(button(page(), "Arrivals"));
        auto* lens = page().findChild<ArrivalLens*>();
        QTRY_VERIFY_WITH_TIMEOUT(lens->isVisible() && lens->latecomer(), PatienceForJobs);
        click(button(page(), "Bandwidth"));
        const auto* tiles = page().findChild<WorkerTiles*>()->model();
        QTRY_VERIFY_WITH_TIMEOUT(tiles->index(0, 0)
                                     .data(WorkerTableModel::NoteRole)
                                     .toString()
                                     .contains(QStringLiteral("all_reduce #")),
                                 PatienceForJobs);
    }

    void aKilledRankRestartsTheGroup()
    {
        requireJob();
        QTRY_VERIFY(signalButton()->isEnabled());
        chooseFromMenu(signalButton(), QStringLiteral("SIGKILL"));
        auto* banner = page().findChild<Banner*>();
        QTRY_VERIFY_WITH_TIMEOUT(banner->isVisible(), PatienceForJobs);
        QTRY_VERIFY2(banner->text().contains(
                         QStringLiteral("Rank 1 ended by signal SIGKILL, which the user sent.")),
                     qPrintable(banner->text()));
        QVERIFY2(!banner->text().contains(QStringLiteral("scheduler")), qPrintable(banner->text()));
        QTRY_VERIFY_WITH_TIMEOUT(page().run().snapshot().attempt == 1 && tilesShow(Health::Running),
                                 PatienceForJobs);
        QTRY_VERIFY2(headSays(QStringLiteral("1 of 2 restarts used")), "the head shows no restart");
        QTRY_COMPARE(chip("Restarted")->text(), QStringLiteral("Restarted 2"));
        QTRY_VERIFY_WITH_TIMEOUT(logHas(QStringLiteral("attempt 1 step 0 sum 3")), PatienceForJobs);
    }

    void aStoppedJobLeavesNothingBehind()
    {
        requireJob();
        click(button(page(), "Stop"));
        auto* question = page().findChild<QMessageBox*>(QStringLiteral("confirmStop"));
        QVERIFY(question != nullptr);
        click(button(*question, "Stop"));
        QTRY_COMPARE_WITH_TIMEOUT(page().run().snapshot().state, RunState::Stopped,
                                  PatienceForJobs);
        QTRY_COMPARE(page().findChild<StatusBadge*>()->word(), QStringLiteral("Stopped by you"));
        QTRY_COMPARE_WITH_TIMEOUT(processesWith(m_token), 0, PatienceForJobs);
        // Nor the agent or its keeper, which live in this test's folders.
        QTRY_COMPARE_WITH_TIMEOUT(processesOfJobs(), 0, PatienceForJobs);
        QVERIFY(QDir(m_dashboard->folder() + QStringLiteral("/runtime/ringmaster"))
                    .entryList(QDir::AllEntries | QDir::System | QDir::NoDotAndDotDot)
                    .isEmpty());
    }

    void aSweepFromATerminalIsDrawn()
    {
        if (!QFile::exists(QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster-sweep")))
            QSKIP("the sweep's worker isn't built");
        const auto sweep = m_dashboard->command().start(
            QStringLiteral("sweep --backend gloo --ranks 2 --min 8 --max 512 --factor 4 --iters 3 "
                           "--warmup 1")
                .split(u' '));
        click(button(*window().findChild<SideBar*>(), "Bandwidth"));
        auto* chart = window().findChild<SweepChart*>();
        auto* page = &pageOf<BandwidthPage>(window());
        const auto isThere = [&] {
            for (const RunSummary& run : m_dashboard->bridge.runs()) {
                if (run.purpose == RunPurpose::Sweep) {
                    page->openRun(run.id);
                    return true;
                }
            }
            return false;
        };
        QTRY_VERIFY_WITH_TIMEOUT(isThere(), PatienceForJobs);
        QTableView* rows = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((rows = field<QTableView>("Measurements")) != nullptr,
                                 PatienceForJobs);
        QTRY_COMPARE_WITH_TIMEOUT(rows->model()->rowCount(), 4, PatienceForJobs);
        QCOMPARE(chart->series().size(), size_t{1});
        QCOMPARE(chart->series().front().points.size(), size_t{4});
        for (int row = 0; row < 4; ++row)
            QCOMPARE(rows->model()->index(row, SweepTableModel::Wrong).data().toString(),
                     QStringLiteral("0"));
        QCOMPARE(Ringmaster::finish(*sweep).exitCode, 0);
    }

private:
    MainWindow& window() { return m_dashboard->window; }
    JobPage& page() { return *window().jobsPage().jobPage(); }

    void requireJob()
    {
        if (m_token.isEmpty())
            QSKIP("no job was launched");
    }

    template <class W>
    W* field(const char* name)
    {
        return visibleField<W>(window(), name);
    }

    QToolButton* signalButton() { return field<QToolButton>("Signal rank 1"); }

    /// A menu that a button opens has a loop of its own until something is chosen.
    static void chooseFromMenu(QToolButton* button, const QString& text)
    {
        QTimer clicker;
        clicker.setInterval(20);
        connect(&clicker, &QTimer::timeout, &clicker, [&] {
            QMenu* menu = button->menu();
            if (!menu->isVisible())
                return;
            clicker.stop();
            for (QAction* action : menu->actions()) {
                if (action->text() == text)
                    QTest::mouseClick(menu, Qt::LeftButton, {},
                                      menu->actionGeometry(action).center());
            }
            menu->close();
        });
        clicker.start();
        QTest::mouseClick(button, Qt::LeftButton);
    }

    /// All but the starter of warm workers, which is the dashboard's and waits for the next job.
    int processesOfJobs() const
    {
        int found = 0;
        for (const QString& pid :
             QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[0-9]*")})) {
            QFile file(QStringLiteral("/proc/%1/environ").arg(pid));
            if (pid.toLongLong() == QCoreApplication::applicationPid() ||
                !file.open(QIODevice::ReadOnly))
                continue;
            const QByteArray environment = file.readAll();
            found += environment.contains(m_dashboard->folder().toUtf8()) &&
                     !environment.contains("RINGMASTER_STARTER=");
        }
        return found;
    }

    bool tilesShow(Health health)
    {
        const auto* tiles = page().findChild<WorkerTiles*>();
        for (int row = 0; row < tiles->model()->rowCount(); ++row) {
            const QModelIndex index = tiles->model()->index(row, 0);
            if (index.data(WorkerTableModel::HealthRole).toInt() != static_cast<int>(health) ||
                tiles->visualRect(index).isEmpty())
                return false;
        }
        return tiles->isVisible() && tiles->model()->rowCount() == 2;
    }

    bool logHas(const QString& text)
    {
        const auto* log = page().findChild<LogView*>()->model();
        for (int row = 0; row < log->rowCount(); ++row) {
            if (log->index(row, 0).data().toString() == text)
                return true;
        }
        return false;
    }

    FilterChip* chip(const char* word)
    {
        for (FilterChip* chip : page().findChildren<FilterChip*>()) {
            if (chip->text().startsWith(QLatin1String(word)))
                return chip;
        }
        return nullptr;
    }

    bool headSays(const QString& text)
    {
        for (const ElidedLabel* label : page().findChildren<ElidedLabel*>()) {
            if (label->text().contains(text))
                return true;
        }
        return false;
    }

    QString m_python;
    QByteArray m_token;
    std::unique_ptr<RealDashboard> m_dashboard;
};

QTEST_MAIN(tst_launch_by_clicking)
#include "tst_launch_by_clicking.moc"
