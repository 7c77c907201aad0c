#include "app/main/AlertCommand.h"
#include "app/main/AlertsDialog.h"
#include "app/main/JobAlerts.h"
#include "app/main/MenuBar.h"
#include "app/widget/Toast.h"
#include "engine/base/Codes.h"
#include "engine/base/DescriptorLimit.h"
#include "engine/diagnose/Codes.h"
#include "tests/app/CutTexts.h"
#include "tests/app/Window.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDBusConnection>
#include <QDialogButtonBox>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QProcess>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>

using namespace ringmaster;
using namespace ringmaster::app;

/// What the user is told of jobs: on a session bus of our own with a daemon that shows
/// notifications, by a sound, and by a command.
class tst_alerts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        // Before anything of ours looks for a bus.
        m_bus.start(QStringLiteral("dbus-daemon"),
                    {QStringLiteral("--session"), QStringLiteral("--nofork"),
                     QStringLiteral("--print-address")});
        if (!m_bus.waitForStarted(60'000))
            QSKIP("no dbus-daemon: see packaging/packages/tests.txt");
        QVERIFY(QTest::qWaitFor([this] { return m_bus.canReadLine(); }, 60'000));
        qputenv("DBUS_SESSION_BUS_ADDRESS", m_bus.readLine().trimmed());
    }

    void cleanupTestCase()
    {
        m_bus.kill();
        m_bus.waitForFinished();
    }

    void init()
    {
        useTemporarySettings();
        m_daemon = std::make_unique<QProcess>();
        m_daemon->start(QCoreApplication::applicationDirPath() +
                        QStringLiteral("/notification_daemon"));
        QVERIFY(nextLine() == QJsonObject());
        m_dashboard = std::make_unique<Window>();
        m_dashboard->language.choose(Language::Choice::English);
        m_dashboard->window.show();
        m_other = std::make_unique<QWidget>();
        m_other->show();
        QVERIFY(QTest::qWaitForWindowActive(m_other.get(), 60'000));
    }

    void cleanup()
    {
        m_other.reset();
        m_dashboard.reset();
        m_daemon->kill();
        m_daemon->waitForFinished();
        m_daemon.reset();
    }

    void theDaemonShowsThatAJobFailed()
    {
        begin("digits");
        become("digits", Health::Failed);
        const QJsonObject told = nextLine();
        QCOMPARE(told.value(QStringLiteral("application")).toString(),
                 QStringLiteral("Ringmaster"));
        QCOMPARE(told.value(QStringLiteral("summary")).toString(),
                 QStringLiteral("digits: Failed"));
    }

    void aHangIsToldWithWhoIsWaitedFor()
    {
        begin("digits");
        hang("digits");
        const QJsonObject told = nextLine();
        QCOMPARE(told.value(QStringLiteral("summary")).toString(),
                 QStringLiteral("digits: Hanging"));
        QVERIFY2(
            told.value(QStringLiteral("body")).toString().contains(QStringLiteral("for rank 2")),
            qPrintable(told.value(QStringLiteral("body")).toString()));
        // To and fro within a minute: told of once.
        become("digits", Health::Running);
        hang("digits");
        become("digits", Health::Finished);
        QCOMPARE(nextLine().value(QStringLiteral("summary")).toString(),
                 QStringLiteral("digits: Finished"));
    }

    /// On the program's button, by the protocol of Plasma's and Ubuntu's task bars.
    void theTaskBarSaysHowFarTheJobsAre()
    {
        const QString address = qEnvironmentVariable("DBUS_SESSION_BUS_ADDRESS");
        QDBusConnection taskBar =
            QDBusConnection::connectToBus(address, QStringLiteral("task bar"));
        QVERIFY(taskBar.connect({}, {}, QStringLiteral("com.canonical.Unity.LauncherEntry"),
                                QStringLiteral("Update"), this,
                                SLOT(taskBarTold(QString, QVariantMap))));
        m_taskBar.clear();
        for (int step = 1; step <= 30; ++step)
            m_dashboard->cluster.print("digits", Scenario::ago(60 - step), 0,
                                       "step " + std::to_string(step) + "/120\n");
        begin("digits");
        QTRY_VERIFY(m_taskBar.value(QStringLiteral("progress-visible")).toBool());
        QCOMPARE(m_taskBar.value(QStringLiteral("progress")).toDouble(), 0.25);
        m_dashboard->cluster.setRun(Scenario::summary("digits", RunState::Succeeded, 4, 100));
        QTRY_VERIFY(!m_taskBar.value(QStringLiteral("progress-visible")).toBool());
        QDBusConnection::disconnectFromBus(QStringLiteral("task bar"));
    }

    void aJobCanHaveARuleOfItsOwn()
    {
        AlertRules rules;
        AlertRule all = rules.ofAll();
        all.causes = {AlertCause::Slows};
        rules.setOfAll(all);
        rules.setOfJob(QStringLiteral("a/b: c"), AlertRule{.causes = {AlertCause::Finishes}});
        for (const char* job : {"a/b: c", "other"}) {
            begin(job);
            become(job, Health::Slow);
        }
        QCOMPARE(nextLine().value(QStringLiteral("summary")).toString(),
                 QStringLiteral("other: Slow"));
        become("other", Health::Finished);
        become("a/b: c", Health::Finished);
        QCOMPARE(nextLine().value(QStringLiteral("summary")).toString(),
                 QStringLiteral("a/b: c: Finished"));
        // Another session reads the same.
        QCOMPARE(AlertRules().ofJob(QStringLiteral("a/b: c"))->causes,
                 std::set<AlertCause>{AlertCause::Finishes});
        QVERIFY(!AlertRules().ofJob(QStringLiteral("a")).has_value());
        rules.setOfJob(QStringLiteral("a/b: c"), std::nullopt);
        QVERIFY(AlertRules().ruleFor(QStringLiteral("a/b: c")) == all);
    }

    void aCommandHasWhatHappenedInItsEnvironment()
    {
        const QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("told"));
        AlertRules rules;
        AlertRule rule = rules.ofAll();
        // Its shell's own arguments come last: what anybody can read of it.
        rule.command =
            QStringLiteral("{ printf '%s\\n' \"$RINGMASTER_ALERT_RUN\" \"$RINGMASTER_JOB\" "
                           "\"$RINGMASTER_STATE\" \"$RINGMASTER_CAUSE\"; "
                           "tr '\\0' ' ' </proc/$$/cmdline; : hunter2; } >%1.new && "
                           "mv %1.new %1")
                .arg(file);
        rules.setOfAll(rule);
        begin("digits; touch x");
        hang("digits; touch x");
        QTRY_VERIFY(QFileInfo::exists(file));
        QFile told(file);
        QVERIFY(told.open(QFile::ReadOnly));
        const QStringList lines = QString::fromUtf8(told.readAll()).split(u'\n');
        QCOMPARE(lines.value(0), QStringLiteral("digits; touch x"));
        QCOMPARE(lines.value(1), QStringLiteral("digits; touch x"));
        QCOMPARE(lines.value(2), QStringLiteral("hanging"));
        QVERIFY2(lines.value(3).contains(QStringLiteral("for rank 2")), qPrintable(lines.value(3)));
        const QString arguments = lines.mid(4).join(u' ');
        QVERIFY2(!arguments.contains(QStringLiteral("hunter2")) &&
                     !arguments.contains(QStringLiteral("digits")) &&
                     arguments.contains(QStringLiteral("sh")),
                 qPrintable(arguments));
    }

    void aCommandThatFailsIsTold()
    {
        AlertRules rules;
        AlertRule rule = rules.ofAll();
        rule.command = QStringLiteral("echo no such channel >&2; exit 3");
        rules.setOfAll(rule);
        begin("digits");
        become("digits", Health::Failed);
        QTRY_VERIFY(m_dashboard->window.toast().isVisibleTo(&m_dashboard->window));
        const auto labels = m_dashboard->window.toast().findChildren<QLabel*>();
        QVERIFY(std::ranges::any_of(labels, [](const QLabel* label) {
            return label->text().contains(QStringLiteral("no such channel"));
        }));
    }

    void aSoundIsPlayedByTheDesktopsPlayer()
    {
        const QTemporaryDir folder;
        const QString player = folder.filePath(QStringLiteral("canberra-gtk-play"));
        QFile script(player);
        QVERIFY(script.open(QFile::WriteOnly));
        script.write("#!/bin/sh\n: >\"${0%/*}/$2\"\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        const QByteArray path = qgetenv("PATH");
        qputenv("PATH", folder.path().toUtf8() + ':' + path);
        AlertRules rules;
        AlertRule rule = rules.ofAll();
        rule.sounds = true;
        rules.setOfAll(rule);
        begin("digits");
        hang("digits");
        QTRY_VERIFY(QFileInfo::exists(folder.filePath(QStringLiteral("dialog-warning"))));
        become("digits", Health::Finished);
        QTRY_VERIFY(QFileInfo::exists(folder.filePath(QStringLiteral("complete"))));
        qputenv("PATH", path);
    }

    void theUserChoosesByADialog()
    {
        begin("digits");
        AlertsDialog* dialog = open();
        check(dialog, "it slows", true);
        check(dialog, "it finishes", false);
        // The rule of one job, and that of all is kept beside it.
        auto* jobs = dialog->findChild<QComboBox*>();
        QCOMPARE(jobs->count(), 2);
        jobs->setCurrentIndex(1);
        QVERIFY(!box(dialog, "it slows")->isEnabled() && box(dialog, "it slows")->isChecked());
        check(dialog, "As for all jobs", false);
        check(dialog, "Desktop notification", false);
        dialog->findChild<QLineEdit*>()->setText(QStringLiteral("true"));
        press(dialog, QDialogButtonBox::Save);
        const AlertRules rules;
        QCOMPARE(rules.ofAll().causes,
                 (std::set{AlertCause::Hangs, AlertCause::Fails, AlertCause::Slows}));
        QVERIFY(rules.ofAll().notifies && rules.ofAll().command.isEmpty());
        const auto own = rules.ofJob(QStringLiteral("digits"));
        QVERIFY(own && !own->notifies && own->command == QStringLiteral("true"));
    }

    void theDialogIsOfOneLanguageAndNothingOfItIsCut()
    {
        m_dashboard->language.choose(Language::Choice::Japanese);
        AlertsDialog* dialog = open();
        for (const auto* button : dialog->findChildren<QPushButton*>()) {
            QVERIFY2(button->text() != QLatin1String("Save") &&
                         button->text() != QLatin1String("Cancel"),
                     qPrintable(button->text()));
            QVERIFY(button->width() >= button->sizeHint().width());
        }
        QCOMPARE(cutTexts(*dialog), QStringList());
        dialog->close();
        m_dashboard->language.choose(Language::Choice::English);
    }

    void anAlertCanBeTriedAndNothingIsKept()
    {
        begin("digits");
        AlertsDialog* dialog = open();
        check(dialog, "it hangs", false);
        for (QPushButton* button : dialog->findChildren<QPushButton*>()) {
            if (button->text() == QStringLiteral("Try it"))
                button->click();
        }
        QCOMPARE(nextLine().value(QStringLiteral("summary")).toString(),
                 QStringLiteral("A job: Hanging"));
        press(dialog, QDialogButtonBox::Cancel);
        QVERIFY(AlertRules().ofAll() == AlertRule{});
    }

    /// The dashboard raises its own.
    void aCommandHasTheLimitOfOpenFilesThatTheUserHas()
    {
        rlimit before{};
        ::getrlimit(RLIMIT_NOFILE, &before);
        rlimit low = before;
        low.rlim_cur = 300;
        QCOMPARE(::setrlimit(RLIMIT_NOFILE, &low), 0);
        raiseDescriptorLimit();
        AlertCommand command;
        QSignalSpy failed(&command, &AlertCommand::failed);
        command.run(QStringLiteral("ulimit -S -n >&2; exit 1"), {});
        const bool hasFailed = failed.wait(60'000);
        ::setrlimit(RLIMIT_NOFILE, &before);
        QVERIFY(hasFailed);
        QCOMPARE(failed.front().front().toString(), QStringLiteral("300"));
    }

public Q_SLOTS:
    void taskBarTold(const QString& application, const QVariantMap& properties)
    {
        if (application.startsWith(QStringLiteral("application://")))
            m_taskBar = properties;
    }

private:
    void begin(const char* job)
    {
        m_dashboard->cluster.setRun(Scenario::summary(job, RunState::Running, 4, 100));
        QTRY_VERIFY(m_dashboard->bridge.find(job) != nullptr);
    }

    /// The window has heard of it.
    void become(const char* job, Health health, const Message& statement = {})
    {
        RunSummary run = *m_dashboard->bridge.find(job);
        run.health = {health, Scenario::ago(1), statement};
        if (health == Health::Failed)
            run.state = RunState::Failed;
        m_dashboard->cluster.setRun(run);
        QTRY_VERIFY(m_dashboard->bridge.find(job)->health.health == health);
    }

    void hang(const char* job)
    {
        become(job, Health::Hanging,
               {code::HangIdle, {{"ranks", "0"}, {"absent", "rank 2"}, {"seconds", "10"}}, {}});
    }

    /// That the daemon writes.
    QJsonObject nextLine()
    {
        if (!QTest::qWaitFor([this] { return m_daemon->canReadLine(); }, 60'000))
            return {{QStringLiteral("summary"), QStringLiteral("nothing came")}};
        return QJsonDocument::fromJson(m_daemon->readLine()).object();
    }

    AlertsDialog* open()
    {
        m_dashboard->window.findChild<MenuBar*>()->alerts->trigger();
        return m_dashboard->window.findChild<AlertsDialog*>();
    }

    static QCheckBox* box(AlertsDialog* dialog, const char* text)
    {
        for (QCheckBox* box : dialog->findChildren<QCheckBox*>()) {
            if (box->text() == QLatin1String(text))
                return box;
        }
        qFatal("no box: %s", text);
    }

    static void check(AlertsDialog* dialog, const char* text, bool isChecked)
    {
        box(dialog, text)->setChecked(isChecked);
    }

    static void press(AlertsDialog* dialog, QDialogButtonBox::StandardButton button)
    {
        dialog->findChild<QDialogButtonBox*>()->button(button)->click();
    }

    QProcess m_bus;
    QVariantMap m_taskBar; ///< What the task bar was told last.
    std::unique_ptr<QProcess> m_daemon;
    std::unique_ptr<Window> m_dashboard;
    std::unique_ptr<QWidget> m_other; ///< That is in use instead of the window.
};

QTEST_MAIN(tst_alerts)
#include "tst_alerts.moc"
