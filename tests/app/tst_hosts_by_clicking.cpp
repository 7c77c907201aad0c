#include "app/bandwidth/BandwidthPage.h"
#include "app/bandwidth/HostPicker.h"
#include "app/bandwidth/SweepTableModel.h"
#include "app/editor/ChecksPanel.h"
#include "app/editor/EditorPage.h"
#include "app/hosts/HostDialog.h"
#include "app/hosts/HostsPage.h"
#include "app/hosts/ImportDialog.h"
#include "app/hosts/PreflightPanel.h"
#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "app/jobs/LogView.h"
#include "app/main/SideBar.h"
#include "app/model/LogModel.h"
#include "app/widget/Banner.h"
#include "tests/app/Clicking.h"
#include "tests/app/PageOf.h"
#include "tests/app/RealDashboard.h"
#include "tests/app/ToldHosts.h"
#include "tests/hosts/LabHosts.h"
#include "tests/slurm/LabSlurm.h"
#include "tests/support/Patience.h"
#include "tests/support/TorchInterpreter.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListView>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QSpinBox>
#include <QStandardPaths>
#include <QTableView>
#include <QTableWidget>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

/// torch is imported by several workers at once, on a machine that has more to do.

} // namespace

/// Two real hosts, from an ssh configuration to a training that goes on when one's cable is pulled,
/// and the same job under a real Slurm: with nothing but the dashboard.
class tst_hosts_by_clicking : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
            QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_LAB")));
        m_python = ringmaster::test::torchInterpreter();
        if (m_python.isEmpty())
            QSKIP("no interpreter with torch");
        m_dashboard = std::make_unique<RealDashboard>();
        const QString folder = m_dashboard->folder();
        // The lab's commands pack the same agent into the same cache: with what this machine has.
        qputenv(
            "XDG_DATA_HOME",
            QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation).toLocal8Bit());
        qputenv("HOME", folder.toLocal8Bit());
        qputenv("XDG_CONFIG_HOME", (folder + QLatin1String("/config")).toLocal8Bit());
        qputenv("XDG_CACHE_HOME", RINGMASTER_BUILD_DIR "/lab-cache");
        QVERIFY(QDir().mkpath(folder + QLatin1String("/config/ringmaster")));
        QFile book(folder + QLatin1String("/config/ringmaster/hosts.toml"));
        QVERIFY(book.open(QIODevice::WriteOnly));
        book.write("ssh_config = \"" + labFolder().toUtf8() + "/ssh_config\"\n");
        book.close();
        window().resize(1280, 800);
        window().show();
        QVERIFY(QTest::qWaitForWindowExposed(&window(), PatienceForTorch));
    }

    void cleanupTestCase()
    {
        if (m_dashboard == nullptr)
            return;
        for (const RunSummary& run : m_dashboard->bridge.runs())
            if (run.isLive)
                m_dashboard->bridge.ask(&Cluster::send, run.id, StopRun{.now = true})
                    .then(&window(), [](const Result<void>&) {});
        QTRY_VERIFY_WITH_TIMEOUT(isQuiet(), PatienceForTorch);
        m_dashboard.reset();
    }

    void twoHostsAreImportedAndChecked()
    {
        if (!haveHosts())
            return;
        click(button(window(), "Check all"));
        const auto haveAnswered = [this] {
            return page().hosts().at(0).report && page().hosts().at(1).report;
        };
        QTRY_VERIFY_WITH_TIMEOUT(haveAnswered(), PatienceForTorch);
        for (int row = 0; row < 2; ++row) {
            const HostRow& host = page().hosts().at(row);
            QVERIFY2(host.facts() != nullptr, qPrintable(problemText(host)));
            QCOMPARE(host.facts()->name, host.host.name);
            QVERIFY(host.report->clockBound.count() > 0);
        }
        save("checked");
    }

    void thePreflightFindsTheWaysBetweenThem()
    {
        if (!haveHosts())
            return;
        auto* panel = page().findChild<PreflightPanel*>();
        click(button(*panel, "Run preflight"));
        const auto text = [panel] { return panel->matrix().index(0, 1).data().toString(); };
        QTRY_VERIFY2_WITH_TIMEOUT(text().endsWith(QLatin1String("ms")), qPrintable(text()),
                                  PatienceForTorch);
        save("preflight");
    }

    void theExampleTrainsOnBoth()
    {
        if (!hasJob())
            return;
        QVERIFY2(hosts().contains(QLatin1String("lab1  connected")), qPrintable(hosts()));
        save("running");
    }

    void aPulledCableIsShownAndTheJobGoesOn()
    {
        if (!hasJob())
            return;
        const int ofOne = timesJoined(1);
        QElapsedTimer timer;
        timer.start();
        turnInLab({QStringLiteral("cut"), QStringLiteral("lab2")});
        QTRY_VERIFY2_WITH_TIMEOUT(hosts().contains(QLatin1String("lab2  connection lost")),
                                  qPrintable(hosts()), PatienceForTorch);
        qInfo("shown %.1f s after the cut", double(timer.elapsed()) / 1000);
        QTRY_VERIFY2_WITH_TIMEOUT(timesJoined(1) > ofOne, qPrintable(hosts()), PatienceForTorch);
        qInfo("one trains on %.1f s after the cut", double(timer.elapsed()) / 1000);
        save("cut");
        const int ofTwo = timesJoined(2);
        turnInLab({QStringLiteral("heal"), QStringLiteral("lab2")});
        QTRY_VERIFY2_WITH_TIMEOUT(timesJoined(2) > ofTwo, qPrintable(hosts()), PatienceForTorch);
        const RunHistory& history = jobPage()->run().history();
        QCOMPARE(history.hostLanes().size(), size_t{2});
        // connecting, connected, lost, connected
        QVERIFY(history.hostLanes()[1].spans.size() >= 4);
        QVERIFY(jobPage()->run().clock().boundNs() > 0);
        save("back");
    }

    void whatBothMachinesDoIsShownByHost()
    {
        if (!hasJob())
            return;
        const auto machines = [this] {
            QStringList names;
            for (const DeviceHistory::Machine& machine : jobPage()->run().devices().machines())
                if (machine.samples.size() > 1)
                    names << QString::fromStdString(machine.node);
            names.sort();
            return names.join(u' ');
        };
        QTRY_COMPARE_WITH_TIMEOUT(machines(), QStringLiteral("lab1 lab2"), PatienceForTorch);
        save("devices");
    }

    void theJobIsStopped()
    {
        if (!hasJob())
            return;
        click(button(*jobPage(), "Stop"));
        auto* question = jobPage()->findChild<QMessageBox*>(QStringLiteral("confirmStop"));
        QVERIFY(question != nullptr);
        click(button(*question, "Stop"));
        QTRY_COMPARE_WITH_TIMEOUT(jobPage()->run().snapshot().state, RunState::Stopped,
                                  PatienceForTorch);
        QTRY_VERIFY_WITH_TIMEOUT(isQuiet(), PatienceForTorch);
    }

    void aSweepGoesBetweenThem()
    {
        if (sweepFacts(0).program.empty())
            QSKIP("the sweep's worker isn't built");
        if (!haveHosts())
            return;
        for (int row = 0; row < 2; ++row)
            nameTheInterpreterOf(row);
        click(button(*window().findChild<SideBar*>(), "Bandwidth"));
        for (const char* host : {"lab1", "lab2"}) {
            QAction* choice = nullptr;
            const auto isListed = [&] {
                for (QAction* action : field<HostPicker>("Where")->menu()->actions())
                    if (action->text() == QLatin1String(host))
                        choice = action;
                return choice != nullptr;
            };
            QTRY_VERIFY_WITH_TIMEOUT(isListed(), PatienceForTorch);
            choice->trigger();
        }
        click(field<QCheckBox>("Backend ring"));
        auto* largest = field<QComboBox>("Largest size");
        largest->setCurrentIndex(largest->findData(QVariant::fromValue(qlonglong(64))));
        QVERIFY(largest->currentIndex() >= 0);
        type(field<QSpinBox>("Ranks on each"), QStringLiteral("1"));
        auto* page = &pageOf<BandwidthPage>(window());
        auto* run = button(*page, "Run sweep");
        QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), PatienceForTorch);
        click(run);
        // Hidden until there is one.
        const QList<QTableView*> tables = page->findChildren<QTableView*>();
        const auto table =
            std::ranges::find(tables, QLatin1String("Measurements"), &QWidget::accessibleName);
        QVERIFY(table != tables.end());
        const QAbstractItemModel* rows = (*table)->model();
        const auto said = [page] { return page->findChild<Banner*>()->text(); };
        QTRY_VERIFY2_WITH_TIMEOUT(rows->rowCount() == 4, qPrintable(said()), PatienceForTorch);
        QTRY_VERIFY_WITH_TIMEOUT(isQuiet(), PatienceForTorch);
        save("bandwidth");
        for (int row = 0; row < 4; ++row)
            QVERIFY(rows->index(row, SweepTableModel::BusBandwidth).data().toString() !=
                    QStringLiteral("–"));
    }

    void oneFieldBringsTheSameJobUnderSlurm()
    {
        if (!hasJob())
            return;
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_SLURM"))
            QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_SLURM")));
        QAction* edit = nullptr;
        for (QAction* action : window().findChildren<QAction*>())
            if (action->text() == QLatin1String("Edit a copy") && action->isEnabled())
                edit = action;
        QVERIFY(edit != nullptr);
        edit->trigger();
        QVERIFY(editor().isVisible());
        const JobSpec before = editor().job();
        QCOMPARE(before.hosts.size(), size_t{2});
        QTest::keyClick(field<QComboBox>("Run on"), Qt::Key_Down);
        JobSpec wanted = before;
        wanted.runOn = RunOn::Slurm;
        wanted.hosts.clear();
        QVERIFY(editor().job() == wanted);
        save("slurm-editor");
        click(button(editor(), "Launch"));
        QTRY_VERIFY_WITH_TIMEOUT(jobPage()->run().run() != m_hostsRun, PatienceForTorch);
        QTRY_VERIFY2_WITH_TIMEOUT(timesJoined(2) > 0, qPrintable(hosts()), PatienceForTorch);
        QVERIFY2(hosts().contains(QLatin1String("n1  connected")) &&
                     hosts().contains(QLatin1String("n2  connected")),
                 qPrintable(hosts()));
        save("slurm");
    }

private:
    MainWindow& window() const { return m_dashboard->window; }
    HostsPage& page() const { return pageOf<HostsPage>(window()); }
    EditorPage& editor() const { return pageOf<EditorPage>(window()); }
    JobPage* jobPage() const { return window().jobsPage().jobPage(); }

    // What a function begins with, whether those before it have run or not.

    bool haveHosts()
    {
        if (page().hosts().rowCount() == 0)
            importHosts();
        click(button(*window().findChild<SideBar*>(), "Hosts"));
        return !QTest::currentTestFailed();
    }

    bool hasJob()
    {
        if (m_hostsRun.empty() && haveHosts())
            launchOnBoth();
        return !QTest::currentTestFailed();
    }

    void importHosts()
    {
        click(button(*window().findChild<SideBar*>(), "Hosts"));
        QTRY_VERIFY_WITH_TIMEOUT(button(window(), "Import from ~/.ssh/config…") != nullptr,
                                 PatienceForTorch);
        click(button(window(), "Import from ~/.ssh/config…"));
        auto* dialog = page().findChild<ImportDialog*>();
        auto* names = dialog->findChild<QListWidget*>();
        QTRY_COMPARE_WITH_TIMEOUT(names->count(), 2, PatienceForTorch);
        for (int row = 0; row < 2; ++row)
            tick(names, names->model()->index(row, 0));
        click(dialog->findChild<QPushButton*>(QStringLiteral("import")));
        QTRY_COMPARE_WITH_TIMEOUT(page().hosts().rowCount(), 2, PatienceForTorch);
    }

    void launchOnBoth()
    {
        click(field<QPushButton>("New job"));
        type(field<QLineEdit>("Name"), QStringLiteral("digits"));
        type(field<QLineEdit>("Program"), QStringLiteral("ddp_digits.py"));
        type(field<QLineEdit>("Arguments"), QStringLiteral("--epochs 100000"));
        type(field<QComboBox>("Interpreter")->lineEdit(), m_python);
        type(field<QLineEdit>("Working folder"),
             QStringLiteral(RINGMASTER_SOURCE_DIR "/resources/examples"));
        QTest::keyClick(field<QComboBox>("Run on"), Qt::Key_Down);
        auto* table = field<QTableWidget>("Hosts to choose from");
        QVERIFY(table != nullptr);
        QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 3, PatienceForTorch); // and this machine
        for (const int row : {1, 2})
            tick(table, table->model()->index(row, 0));
        type(field<QComboBox>("Workers per node")->lineEdit(), QStringLiteral("1"));
        type(field<QSpinBox>("Nodes at most"), QStringLiteral("2"));
        QCOMPARE(editor().job().hosts, (std::vector<std::string>{"lab1", "lab2"}));
        QCOMPARE(editor().job().nodes, (NodeRange{1, 2}));
        click(button(editor(), "Preflight"));
        const ChecksModel& checks = editor().findChild<ChecksPanel*>()->model();
        const auto reaches = [&checks] {
            return std::ranges::any_of(checks.rows(), [](const Finding& finding) {
                return codeName(finding.message.code) == "PreflightReaches";
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(reaches(), PatienceForTorch);
        save("editor");
        click(button(editor(), "Launch"));
        QTRY_VERIFY_WITH_TIMEOUT(jobPage() != nullptr, PatienceForTorch);
        m_hostsRun = jobPage()->run().run();
        QTRY_VERIFY2_WITH_TIMEOUT(timesJoined(2) > 0, qPrintable(hosts()), PatienceForTorch);
    }

    /// Of hosts whose own python3 has no torch.
    void nameTheInterpreterOf(int row)
    {
        click(button(*window().findChild<SideBar*>(), "Hosts"));
        auto* tiles = field<QListView>("Hosts as tiles");
        QTest::mouseClick(tiles->viewport(), Qt::LeftButton, {},
                          tiles->visualRect(tiles->model()->index(row, 0)).center());
        click(button(page(), "Edit…"));
        auto* dialog = page().findChild<HostDialog*>();
        type(visibleField<QLineEdit>(*dialog, "Interpreter"), m_python);
        click(button(*dialog, "Save"));
        QTRY_VERIFY_WITH_TIMEOUT(page().findChild<HostDialog*>() == nullptr, PatienceForTorch);
        QTRY_COMPARE_WITH_TIMEOUT(page().hosts().at(row).host.interpreter, m_python.toStdString(),
                                  PatienceForTorch);
    }

    bool isQuiet() const
    {
        return std::ranges::none_of(m_dashboard->bridge.runs(), &RunSummary::isLive);
    }

    /// How often rank 0 of the example has said that so many ranks have met.
    int timesJoined(int ranks) const
    {
        const auto* log = jobPage()->findChild<LogView*>()->model();
        const QString said = QStringLiteral("joined %1 ranks").arg(ranks);
        int count = 0;
        for (int row = 0; row < log->rowCount(); ++row)
            count += log->index(row, 0).data().toString().contains(said) ? 1 : 0;
        return count;
    }

    QString hosts() const { return toldHosts(*jobPage()).join(QStringLiteral("; ")); }

    static void tick(QAbstractItemView* view, const QModelIndex& index)
    {
        QStyleOptionViewItem option;
        option.rect = view->visualRect(index);
        option.features = QStyleOptionViewItem::HasCheckIndicator;
        const QRect box =
            view->style()->subElementRect(QStyle::SE_ItemViewItemCheckIndicator, &option, view);
        QTest::mouseClick(view->viewport(), Qt::LeftButton, {}, box.center());
    }

    template <class W>
    W* field(const char* name) const
    {
        return visibleField<W>(window(), name);
    }

    void save(const char* name) const
    {
        const QString folder = QStringLiteral(RINGMASTER_BUILD_DIR "/screenshots");
        QVERIFY(QDir().mkpath(folder));
        QVERIFY(
            window().grab().save(QStringLiteral("%1/lab-%2.png").arg(folder, QLatin1String(name))));
    }

    QString m_python;
    std::string m_hostsRun;
    std::unique_ptr<RealDashboard> m_dashboard;
};

int main_tst_hosts_by_clicking(int argc, char** argv)
{
    // A function of this test starts torch more than once.
    qputenv("QTEST_FUNCTION_TIMEOUT", "800000");
    const auto test = [](int count, char** words) {
        QApplication application(count, words);
        tst_hosts_by_clicking all;
        return QTest::qExec(&all, count, words);
    };
    return runInLab(argc, argv, "2", [&test](int count, char** words) {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
            return test(count, words);
        return runBesideSlurm(count, words, "2", test);
    });
}

#include "tst_hosts_by_clicking.moc"
