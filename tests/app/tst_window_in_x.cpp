#include "tests/cli/Ringmaster.h"
#include "tests/support/Patience.h"

#include <QFile>
#include <QStandardPaths>
#include <QtTest>

#include <unistd.h>

namespace {

constexpr const char* UnderX = RINGMASTER_SOURCE_DIR "/tests/app/under_x.sh";

} // namespace

/// The executable `ringmaster-gui` in a window of a real X server, driven from outside with the
/// keyboard. Starts itself once more with under_x.sh.
class tst_window_in_x : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        // Keys go to the window in front, which is a window manager's word.
        for (const char* program : {"xdotool", "openbox"})
            if (QStandardPaths::findExecutable(program).isEmpty())
                QSKIP("no xdotool or no openbox; see packaging/packages/tests.txt");
        m_command.environment().insert("QT_QPA_PLATFORM", "xcb");
        m_command.environment().insert("XDG_CONFIG_HOME", m_command.folder() + "/config");
        QFile job(jobFile());
        QVERIFY(job.open(QIODevice::WriteOnly));
        job.write("name = \"sleepers\"\ncommand = \"sleep\"\narguments = [\"600\"]\nworkers = 2\n"
                  "[rendezvous]\nstandalone = true\n");
    }

    void cleanup()
    {
        for (const QString& run : m_command.runs())
            m_command.run({"stop", "--now", run});
        for (const auto& window : m_windows)
            end(*window);
        m_windows.clear();
    }

    void aSecondCommandOpensItsFileInTheFirstWindow()
    {
        QProcess& first = start({});
        QVERIFY(titleIs("Jobs – Ringmaster"));
        QProcess& second = start({"job.ringjob"});
        QVERIFY(second.waitForFinished(Patience));
        QCOMPARE(second.exitCode(), 0);
        QVERIFY(titleIs("New job – Ringmaster"));
        QCOMPARE(first.state(), QProcess::Running);
    }

    void aWindowAfterAKilledOneIsTheFirstAgain()
    {
        QProcess& killed = start({});
        QVERIFY(titleIs("Jobs – Ringmaster"));
        killed.kill();
        QVERIFY(killed.waitForFinished(Patience));
        start({"job.ringjob"});
        QVERIFY(titleIs("New job – Ringmaster"));
    }

    void aWindowOfItsOwnCanBeHad()
    {
        start({});
        QVERIFY(titleIs("Jobs – Ringmaster"));
        QProcess& other = start({"--new-window", "job.ringjob"});
        QVERIFY(titleIs("New job – Ringmaster"));
        QCOMPARE(other.state(), QProcess::Running);
    }

    void theKeyboardLaunchesAJobAndClosingLeavesItRunning()
    {
        QProcess& window = start({"job.ringjob"});
        QVERIFY(titleIs("New job – Ringmaster"));
        // Launching waits for the checks. A key pressed again while it does may launch once more.
        const int pressed = press("ctrl+Return", [this] { return !m_command.runs().isEmpty(); });
        QVERIFY(pressed > 0);
        QVERIFY(titleIs("Running – sleepers – Ringmaster"));
        QVERIFY(m_command.runs().size() <= pressed);
        QVERIFY(press("question", [] { return hasWindow("Keyboard shortcuts"); }) > 0);
        QVERIFY(press("Escape", [] { return !hasWindow("Keyboard shortcuts"); }) > 0);
        QVERIFY(press("ctrl+q", [] { return hasWindow("Close the window\\?"); }) > 0);
        QVERIFY(press("Return", [&] { return window.state() == QProcess::NotRunning; }) > 0);
        QCOMPARE(window.exitCode(), 0);
        QVERIFY2(m_command.run({"ps"}).output.contains("sleepers"), m_command.run({"ps"}).output);
    }

    /// Where the user's limit of processes is reached; here no thread can have its stack.
    void saysWhyItCannotStart()
    {
        QProcess refused;
        refused.setProcessEnvironment(m_command.environment());
        refused.start("/bin/sh", {"-c", "ulimit -s 137438953472 && exec \"$0\"",
                                  QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster-gui")});
        QVERIFY(refused.waitForFinished(Patience));
        const QByteArray said = refused.readAllStandardError();
        QVERIFY2(refused.exitStatus() == QProcess::NormalExit && refused.exitCode() == 2, said);
        QVERIFY2(said.startsWith("ringmaster-gui: ") && said.contains("ulimit -u"), said);
    }

private:
    QString jobFile() const { return m_command.folder() + "/job.ringjob"; }

    QProcess& start(const QStringList& arguments)
    {
        auto window = std::make_unique<QProcess>();
        window->setProcessEnvironment(m_command.environment());
        window->setWorkingDirectory(m_command.folder());
        window->setProcessChannelMode(QProcess::ForwardedErrorChannel);
        window->start(QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster-gui"), arguments);
        m_windows.push_back(std::move(window));
        return *m_windows.back();
    }

    static void end(QProcess& window)
    {
        if (window.state() == QProcess::NotRunning)
            return;
        window.kill();
        window.waitForFinished();
    }

    static bool hasWindow(const char* title)
    {
        QProcess search;
        search.start("xdotool", {"search", "--onlyvisible", "--name", title});
        return search.waitForFinished() && search.exitCode() == 0;
    }

    static bool titleIs(const char* title)
    {
        return QTest::qWaitFor([title] { return hasWindow(title); }, Patience);
    }

    /// Once more only while it has had no effect: the window may not have the focus yet. How many
    /// times it took; 0: it was in vain.
    static int press(const char* key, const std::function<bool()>& worked)
    {
        constexpr int Attempts = 10;
        for (int attempt = 1; attempt <= Attempts; ++attempt) {
            QProcess::execute("xdotool", {"key", "--clearmodifiers", key});
            if (QTest::qWaitFor(worked, Patience / Attempts))
                return attempt;
        }
        return 0;
    }

    Ringmaster m_command;
    std::vector<std::unique_ptr<QProcess>> m_windows;
};

int main_tst_window_in_x(int argc, char** argv)
{
    // Never on the screen of whoever runs the tests: keys go to the window in front.
    if (qEnvironmentVariableIsEmpty("RINGMASTER_UNDER_X")) {
        std::vector<char*> words{const_cast<char*>(UnderX)};
        words.insert(words.end(), argv, argv + argc + 1);
        ::execv(UnderX, words.data());
        return 1;
    }
    QCoreApplication application(argc, argv);
    tst_window_in_x test;
    return QTest::qExec(&test, argc, argv);
}

#include "tst_window_in_x.moc"
