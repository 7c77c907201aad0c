#include "app/editor/ChecksPanel.h"
#include "app/editor/EditorPage.h"
#include "app/hosts/HostsPage.h"
#include "app/hosts/ImportDialog.h"
#include "app/hosts/PreflightPanel.h"
#include "app/jobs/HostStrip.h"
#include "app/jobs/JobPage.h"
#include "app/jobs/JobsPage.h"
#include "tests/app/RealDashboard.h"
#include "tests/launch/LabHosts.h"

#include <QApplication>
#include <QComboBox>
#include <QListWidget>
#include <QPushButton>
#include <QTableWidget>
#include <QtTest>

using namespace ringmaster;
using namespace ringmaster::app;

namespace {

constexpr int Patience = 180'000;

} // namespace

/// Two real hosts, from an ssh configuration to a job that goes on when one's cable is pulled, with
/// nothing but the dashboard.
class tst_hosts_by_clicking : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
            QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_LAB")));
        m_dashboard = std::make_unique<RealDashboard>();
        const QString folder = m_dashboard->folder();
        qputenv("HOME", folder.toLocal8Bit());
        qputenv("XDG_CONFIG_HOME", (folder + QLatin1String("/config")).toLocal8Bit());
        qputenv("XDG_CACHE_HOME", RINGMASTER_BUILD_DIR "/lab-cache");
        QVERIFY(QDir().mkpath(folder + QLatin1String("/config/ringmaster")));
        QFile book(folder + QLatin1String("/config/ringmaster/hosts.toml"));
        QVERIFY(book.open(QIODevice::WriteOnly));
        book.write("ssh_config = \"" + labFolder().toUtf8() + "/ssh_config\"\n");
        book.close();
        m_dashboard->window.resize(1280, 800);
        m_dashboard->window.show();
        QVERIFY(QTest::qWaitForWindowActive(&m_dashboard->window));
    }

    void cleanupTestCase()
    {
        if (m_dashboard == nullptr)
            return;
        for (const RunSummary& run : m_dashboard->bridge.runs())
            if (run.isLive)
                m_dashboard->bridge.send(run.id, StopRun{.now = true}, &m_dashboard->window,
                                         [](const Result<void>&) {});
        const auto isQuiet = [this] {
            return std::ranges::none_of(m_dashboard->bridge.runs(), &RunSummary::isLive);
        };
        QTRY_VERIFY_WITH_TIMEOUT(isQuiet(), Patience);
        m_dashboard.reset();
    }

    void twoHostsAreImportedAndChecked()
    {
        QTest::keyClick(&window(), Qt::Key_4, Qt::ControlModifier);
        QTRY_VERIFY_WITH_TIMEOUT(shown("Import from ~/.ssh/config…") != nullptr, Patience);
        QTest::mouseClick(shown("Import from ~/.ssh/config…"), Qt::LeftButton);
        auto* dialog = page().findChild<ImportDialog*>();
        auto* names = dialog->findChild<QListWidget*>();
        QTRY_COMPARE_WITH_TIMEOUT(names->count(), 2, Patience);
        for (int row = 0; row < 2; ++row) {
            QTest::keyClick(names, Qt::Key_Space);
            QTest::keyClick(names, Qt::Key_Down);
        }
        QTest::mouseClick(dialog->findChild<QPushButton*>(QStringLiteral("import")),
                          Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(page().hosts().rowCount(), 2, Patience);
        QTest::mouseClick(shown("Check all"), Qt::LeftButton);
        const auto haveAnswered = [this] {
            return page().hosts().at(0).report && page().hosts().at(1).report;
        };
        QTRY_VERIFY_WITH_TIMEOUT(haveAnswered(), Patience);
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
        auto* panel = page().findChild<PreflightPanel*>();
        QTest::mouseClick(shown("Run preflight"), Qt::LeftButton);
        const auto text = [panel] { return panel->matrix().index(0, 1).data().toString(); };
        QTRY_VERIFY2_WITH_TIMEOUT(text().endsWith(QLatin1String("ms")), qPrintable(text()),
                                  Patience);
        save("preflight");
    }

    void aJobRunsOnBoth()
    {
        QTest::mouseClick(named<QPushButton>("New job"), Qt::LeftButton);
        auto& editor = *window().findChild<EditorPage*>();
        editor.openText(QStringLiteral("name = \"both\"\ncommand = \"/bin/sh\"\nnodes = \"1:2\"\n"
                                       "arguments = [\"-c\", \"exec sleep 600\"]\n"),
                        QStringLiteral("/tmp"));
        auto* runOn = named<QComboBox>("Run on");
        runOn->setFocus();
        QTest::keyClick(runOn, Qt::Key_Down);
        auto* table = named<QTableWidget>("Hosts to choose from");
        QTRY_COMPARE_WITH_TIMEOUT(table->rowCount(), 3, Patience);
        for (const int row : {1, 2}) {
            table->setCurrentCell(row, 0);
            QTest::keyClick(table, Qt::Key_Space);
        }
        QCOMPARE(editor.job().hosts, (std::vector<std::string>{"lab1", "lab2"}));
        QTRY_VERIFY(table->isVisible());
        QTRY_VERIFY2(shown("Preflight") != nullptr, "no button");
        QTest::mouseClick(shown("Preflight"), Qt::LeftButton);
        const ChecksModel& checks = editor.findChild<ChecksPanel*>()->model();
        const auto reaches = [&checks] {
            return std::ranges::any_of(checks.rows(), [](const Finding& finding) {
                return codeName(finding.message.code) == "PreflightReaches";
            });
        };
        QTRY_VERIFY_WITH_TIMEOUT(reaches(), Patience);
        save("editor");
        QTest::mouseClick(shown("Launch"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(window().jobsPage().jobPage() != nullptr, Patience);
        QTRY_VERIFY2_WITH_TIMEOUT(healthy() == 2, qPrintable(strip()), Patience);
        QVERIFY2(strip().contains(QLatin1String("lab1  connected")), qPrintable(strip()));
        save("running");
    }

    void aPulledCableIsShownAndTheJobGoesOn()
    {
        QVERIFY(window().jobsPage().jobPage() != nullptr);
        QElapsedTimer timer;
        timer.start();
        turnInLab({QStringLiteral("cut"), QStringLiteral("lab2")});
        QTRY_VERIFY2_WITH_TIMEOUT(strip().contains(QLatin1String("lab2  connection lost")),
                                  qPrintable(strip()), Patience);
        qInfo("shown %.1f s after the cut", double(timer.elapsed()) / 1000);
        QTRY_VERIFY2_WITH_TIMEOUT(healthy() == 1, qPrintable(strip()), Patience);
        qInfo("one runs on %.1f s after the cut", double(timer.elapsed()) / 1000);
        save("cut");
        turnInLab({QStringLiteral("heal"), QStringLiteral("lab2")});
        QTRY_VERIFY2_WITH_TIMEOUT(healthy() == 2, qPrintable(strip()), Patience);
        const RunHistory& history = window().jobsPage().jobPage()->run().history();
        QCOMPARE(history.hostLanes().size(), size_t{2});
        QVERIFY(history.hostLanes()[1].spans.size() >= 4); // connecting, connected, lost, connected
        QVERIFY(window().jobsPage().jobPage()->run().clock().boundNs() > 0);
        save("back");
    }

private:
    MainWindow& window() const { return m_dashboard->window; }
    HostsPage& page() const { return *window().findChild<HostsPage*>(); }

    int healthy() const
    {
        const auto& workers = window().jobsPage().jobPage()->run().snapshot().workers;
        return static_cast<int>(
            std::ranges::count(workers, WorkerState::Healthy, &WorkerSnapshot::state));
    }

    QString strip() const
    {
        QStringList texts;
        for (const HostBadge* badge : window().jobsPage().jobPage()->findChildren<HostBadge*>())
            texts << badge->accessibleName();
        return texts.join(QStringLiteral("; "));
    }

    QPushButton* shown(const char* text) const
    {
        for (QPushButton* button : window().findChildren<QPushButton*>()) {
            if (button->text() == QString::fromUtf8(text) && button->isVisible())
                return button;
        }
        return nullptr;
    }

    template <class T>
    T* named(const char* name) const
    {
        for (T* widget : window().findChildren<T*>()) {
            if (widget->accessibleName() == QLatin1String(name))
                return widget;
        }
        return nullptr;
    }

    void save(const char* name) const
    {
        const QString folder = QStringLiteral(RINGMASTER_BUILD_DIR "/screenshots");
        QDir().mkpath(folder);
        QVERIFY(
            window().grab().save(QStringLiteral("%1/lab-%2.png").arg(folder, QLatin1String(name))));
    }

    std::unique_ptr<RealDashboard> m_dashboard;
};

int main(int argc, char** argv)
{
    return runInLab(argc, argv, "2", [](int count, char** words) {
        QApplication application(count, words);
        tst_hosts_by_clicking test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_hosts_by_clicking.moc"
