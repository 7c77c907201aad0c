#include "tests/hosts/Lab.h"

#include <QJsonArray>
#include <QJsonObject>
#include <QRegularExpression>

namespace {

constexpr int ForProcesses = 60'000;
const char* const StateFolder = "/root/.local/state/ringmaster";

void sh(const QString& host, const QString& script)
{
    Lab::on(host, {"sh", "-c", script});
}

void configureSshd(const QString& host, const QString& script)
{
    sh(host, "cd /run/lab && " + script + " && " + Lab::reloadSshd());
}

struct Found
{
    QString host;
    QString code;
    QString grade;
    QString fix;
};

} // namespace

/// Ten and more things that are wrong at once, on hosts over ssh: each is named with its remedy,
/// and gone once that was done.
class tst_misconfigured_hosts : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        if (qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
            QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_LAB")));
        m_lab = std::make_unique<Lab>();
        m_knownHosts = read(Lab::folder() + "/known_hosts");
        auto& ringmaster = m_lab->ringmaster();
        ringmaster.run({"host", "add", "lab3", "--interface", "nope", "--python", "/no/python",
                        "--code", "/not/there"});
    }

    void eachIsNamedWithItsRemedy()
    {
        seed();
        QElapsedTimer timer;
        timer.start();
        const QList<Found> found = check();
        qInfo("%lld findings in %.1f s", static_cast<long long>(found.size()),
              double(timer.elapsed()) / 1000);
        const QStringList wanted{
            "lab1 PreflightNotWritable",  "lab3 PreflightNotWritable", "lab3 PreflightDiskFull",
            "lab2 PreflightClockOff",     "lab2 PreflightLeftOvers",   "lab2 PreflightNameDiffers",
            "lab2 PreflightCannotReach",  "lab3 PreflightNoPython",    "lab3 PreflightPathMissing",
            "lab3 PreflightCannotListen", "lab4 HostKeyChanged",       "lab5 HostRefusesKey",
            "lab6 HostUnreachable",       "lab7 HostTooManySessions",  "lab8 HostDiskFull",
            "lab9 HostRefusesConnection", "nowhere HostNameUnknown"};
        for (const QString& each : wanted)
            QVERIFY2(has(found, each), qPrintable(each + " isn't in\n" + textOf(found)));
        // The others go on.
        QVERIFY2(has(found, "lab1 PreflightPython"), qPrintable(textOf(found)));
        m_fixes = found;
    }

    void whatTheyAdviseMendsThem()
    {
        QVERIFY2(!m_fixes.isEmpty(), "nothing was found before");
        // Lines for the shell are run as they stand, but for the lab's ssh settings.
        run(fixOf("lab2 PreflightLeftOvers"));
        run(fixOf("lab4 HostKeyChanged"));
        QVERIFY(!read(Lab::folder() + "/known_hosts").contains("10.77.0.14"));
        // What the sentences say, by hand.
        QVERIFY(write(Lab::folder() + "/known_hosts", m_knownHosts));
        configureSshd("lab2", "sed -i /LD_PRELOAD/d sshd_config");
        sh("lab2", "ip route del unreachable 10.77.0.11/32; "
                   "sed 's/10.77.0.99/10.77.0.11/' /etc/hosts >/run/hosts; "
                   "cat /run/hosts >/etc/hosts");
        sh("lab5", "cp /run/lab/kept /run/lab/authorized_keys");
        Lab::turn({"heal", "lab6"});
        configureSshd("lab7", "sed -i 's/^MaxSessions.*/MaxSessions 10/' sshd_config");
        for (const char* host : {"lab1", "lab3"})
            sh(host, QString("umount %1").arg(StateFolder));
        sh("lab8", "umount /root/.cache");
        configureSshd("lab9", "sed -i 's/^Port .*/Port 22/' sshd_config");
        m_lab->ringmaster().run({"host", "rm", "lab3"});
        endConnections();
        m_names.removeAll("nowhere");
        const QList<Found> found = check();
        for (const Found& each : found)
            QVERIFY2(each.grade != "bad" && !each.code.contains("ClockOff") &&
                         !each.code.contains("LeftOvers") && !each.code.contains("NameDiffers"),
                     qPrintable(textOf(found)));
    }

private:
    void seed()
    {
        configureSshd("lab2", "echo SetEnv LD_PRELOAD=" RINGMASTER_HOUR_AHEAD " >>sshd_config");
        sh("lab2", "sed 's/10.77.0.11 /10.77.0.99 /' /etc/hosts >/run/hosts; "
                   "cat /run/hosts >/etc/hosts; ip route add unreachable 10.77.0.11/32; "
                   "RANK=0 WORLD_SIZE=2 setsid -f sleep 600");
        QByteArray known = m_knownHosts;
        const QRegularExpression key("(10.77.0.14,lab4 \\S+ )(\\S+)");
        const QRegularExpression other("10.77.0.11,lab1 \\S+ (\\S+)");
        QString text = QString::fromUtf8(known);
        text.replace(key, "\\1" + other.match(text).captured(1));
        QVERIFY(write(Lab::folder() + "/known_hosts", text.toUtf8()));
        sh("lab5", "cp /run/lab/authorized_keys /run/lab/kept; : >/run/lab/authorized_keys");
        Lab::turn({"cut", "lab6"});
        configureSshd("lab7", "sed -i 's/^MaxSessions.*/MaxSessions 0/' sshd_config");
        const QString mount = "mkdir -p %1 && mount -t tmpfs -o %2 none %1";
        sh("lab1", mount.arg(StateFolder, "ro"));
        sh("lab3", mount.arg(StateFolder, "size=64k") + "; head -c 1M /dev/zero >" + StateFolder +
                       "/full || true");
        sh("lab8", "mkdir -p /root/.cache && mount -t tmpfs -o size=1m none /root/.cache");
        configureSshd("lab9", "sed -i 's/^Port .*/Port 2222/' sshd_config");
    }

    QList<Found> check()
    {
        const auto process = m_lab->start(QStringList{"check", "--json"} + m_names);
        const auto outcome = Ringmaster::finish(*process, 3 * ForProcesses);
        QList<Found> found;
        for (const QJsonValue& value : QJsonDocument::fromJson(outcome.output).array()) {
            const QJsonObject finding = value.toObject();
            found.append({finding.value("host").toString(),
                          finding.value("message").toObject().value("code").toString(),
                          finding.value("grade").toString(), finding.value("fix").toString()});
        }
        if (found.isEmpty())
            qWarning("%s%s", outcome.error.constData(), outcome.output.constData());
        return found;
    }

    void run(const QString& fix)
    {
        QVERIFY(!fix.isEmpty());
        QString line = fix;
        if (line.startsWith("ssh "))
            line.insert(4, "-F " + Lab::folder() + "/ssh_config ");
        QProcess shell;
        shell.setProcessEnvironment(m_lab->ringmaster().environment());
        shell.start("/bin/sh", {"-c", line});
        QVERIFY(shell.waitForFinished(ForProcesses));
        QVERIFY2(shell.exitCode() == 0, qPrintable(line + "\n" + shell.readAllStandardError()));
    }

    /// What goes on over a connection from before isn't asked of sshd again.
    void endConnections()
    {
        const QDir runtime(m_lab->ringmaster().environment().value("XDG_RUNTIME_DIR") +
                           "/ringmaster");
        for (const QString& socket : runtime.entryList({"ssh-*"}, QDir::System))
            QProcess::execute("ssh",
                              {"-F", Lab::folder() + "/ssh_config", "-o",
                               "ControlPath=" + runtime.filePath(socket), "-O", "exit", "lab1"});
    }

    QString fixOf(const QString& what) const
    {
        for (const Found& each : m_fixes) {
            if (each.host + " " + each.code == what)
                return each.fix;
        }
        return {};
    }

    static bool has(const QList<Found>& found, const QString& what)
    {
        return std::any_of(found.begin(), found.end(),
                           [&](const Found& each) { return each.host + " " + each.code == what; });
    }

    static QString textOf(const QList<Found>& found)
    {
        QStringList lines;
        for (const Found& each : found)
            lines << each.grade + " " + each.host + " " + each.code + " " + each.fix;
        return lines.join("\n");
    }

    static QByteArray read(const QString& path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    }

    static bool write(const QString& path, const QByteArray& content)
    {
        QFile file(path);
        return file.open(QIODevice::WriteOnly) && file.write(content) == content.size();
    }

    std::unique_ptr<Lab> m_lab;
    QStringList m_names{"lab1", "lab2", "lab3", "lab4", "lab5",
                        "lab6", "lab7", "lab8", "lab9", "nowhere"};
    QByteArray m_knownHosts;
    QList<Found> m_fixes;
};

int main_tst_misconfigured_hosts(int argc, char** argv)
{
    return runInLab(argc, argv, "9", [](int count, char** words) {
        QCoreApplication application(count, words);
        tst_misconfigured_hosts test;
        return QTest::qExec(&test, count, words);
    });
}

#include "tst_misconfigured_hosts.moc"
