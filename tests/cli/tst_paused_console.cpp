#include "tests/cli/Ringmaster.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <csignal>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace {

/// Standard output that nobody reads yet, as that of `ringmaster run … | less`.
class PausedReader
{
public:
    explicit PausedReader(const QString& path) : m_path(path)
    {
        ::mkfifo(m_path.toLocal8Bit(), 0600);
        m_fd = ::open(m_path.toLocal8Bit(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    }
    ~PausedReader() { ::close(m_fd); }
    PausedReader(const PausedReader&) = delete;
    PausedReader& operator=(const PausedReader&) = delete;

    /// All until `process` has ended.
    QByteArray readToTheEnd(QProcess& process, int milliseconds = 60'000) const
    {
        QByteArray text;
        QElapsedTimer timer;
        timer.start();
        while (timer.elapsed() < milliseconds) {
            const bool isOver =
                process.waitForFinished(10) || process.state() == QProcess::NotRunning;
            text += readWhatIsThere();
            if (isOver)
                return text;
        }
        return "too slow";
    }

    QByteArray readWhatIsThere() const
    {
        QByteArray text;
        QByteArray space(1 << 20, '\0');
        ssize_t got = 0;
        while ((got = ::read(m_fd, space.data(), static_cast<size_t>(space.size()))) > 0)
            text.append(space.constData(), got);
        return text;
    }

    QString path() const { return m_path; }

private:
    QString m_path;
    int m_fd = -1;
};

std::unique_ptr<QProcess> startUnread(const Ringmaster& ringmaster, const PausedReader& reader,
                                      const QStringList& arguments)
{
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(ringmaster.environment());
    process->setWorkingDirectory(ringmaster.folder());
    process->setStandardInputFile(QProcess::nullDevice());
    process->setStandardOutputFile(reader.path());
    process->start(Ringmaster::executable(), arguments);
    return process;
}

QStringList unreadShell(const QStringList& options, const QString& script)
{
    return QStringList{"run", "--standalone"} + options +
           QStringList{"--no-python", "/bin/sh", "-c", script};
}

QString stateOf(const Ringmaster& ringmaster)
{
    const auto runs =
        QJsonDocument::fromJson(ringmaster.run({"ps", "--all", "--json"}).output).toVariant();
    const auto list = runs.toList();
    return list.isEmpty() ? QString() : list.first().toMap().value("state").toString();
}

} // namespace

class tst_paused_console : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void aRunThatEndsIsRecordedThoughNobodyReads()
    {
        const Ringmaster ringmaster;
        const PausedReader reader(ringmaster.folder() + "/output");
        const auto run =
            startUnread(ringmaster, reader,
                        unreadShell({}, "head -c 500000 /dev/zero | tr '\\0' x; echo; echo end"));
        QTRY_COMPARE(stateOf(ringmaster), QString("succeeded"));
        // Whoever reads in the end has it all.
        const QByteArray text = reader.readToTheEnd(*run);
        QCOMPARE(text.size(), 500'005);
        QVERIFY(text.endsWith("end\n"));
        QCOMPARE(run->exitCode(), 0);
    }

    void aStopEndsARunWhoseOutputNobodyReads()
    {
        const Ringmaster ringmaster;
        const PausedReader reader(ringmaster.folder() + "/output");
        // More than the pipe of the console takes.
        const QString full = ringmaster.folder() + "/full";
        const auto run = startUnread(
            ringmaster, reader,
            unreadShell({"--nproc-per-node", "2"},
                        "yes working | head -c 1000000; touch " + full + "; exec yes working"));
        QTRY_VERIFY(QFile::exists(full));
        QTRY_COMPARE(stateOf(ringmaster), QString("running"));
        const QString id = ringmaster.runs().value(0);
        const auto stopped = ringmaster.run({"stop", id});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
        QCOMPARE(stateOf(ringmaster), QString("stopped"));
        QVERIFY(run->waitForFinished(120'000));
        const QByteArray said = run->readAllStandardError();
        QVERIFY2(said.contains("ringmaster logs"), said);
    }

    void whoPrintsLittleGoesOnWhileTheConsoleIsFull()
    {
        const Ringmaster ringmaster;
        const PausedReader reader(ringmaster.folder() + "/output");
        // Rank 0 fills whatever there is; rank 1 says a little after that, and must not wait.
        const auto run = startUnread(
            ringmaster, reader,
            unreadShell(
                {"--nproc-per-node", "2"},
                "if [ $RANK = 0 ]; then yes working; fi;"
                " i=0; while [ $i -lt 600 ]; do echo step $i of many that are to come; i=$((i+1));"
                " sleep 0.002; done; touch " +
                    ringmaster.folder() + "/done; sleep 600"));
        QTRY_VERIFY(QFile::exists(ringmaster.folder() + "/done"));
        const auto stopped = ringmaster.run({"stop", "--now", ringmaster.runs().value(0)});
        QVERIFY2(stopped.exitCode == 0, stopped.error);
        QVERIFY(run->waitForFinished(120'000));
    }

    void whoPrintsMuchGoesOnWhileTheReaderPauses()
    {
        const Ringmaster ringmaster;
        const PausedReader reader(ringmaster.folder() + "/output");
        const QString done = ringmaster.folder() + "/done";
        const auto run =
            startUnread(ringmaster, reader,
                        unreadShell({}, "yes 123456789012345678901234567890 | head -c 20000000;"
                                        " touch " +
                                            done + "; while [ -e " + done +
                                            " ]; do sleep 0.1; done; echo end"));
        QTRY_VERIFY(QFile::exists(done));
        QByteArray text;
        QTRY_VERIFY((text += reader.readWhatIsThere()).contains("were left out here"));
        QVERIFY(QFile::remove(done));
        text += reader.readToTheEnd(*run);
        QVERIFY(text.endsWith("end\n"));
        QCOMPARE(run->exitCode(), 0);
        const auto logs = ringmaster.run({"logs", ringmaster.runs().value(0)});
        QVERIFY2(logs.output.size() > 20'000'000, logs.error);
    }

    void aLeadRecordsAllThoughNobodyReads()
    {
        // With these timeouts an agent misses the heartbeats after 13 s, and gives up 1 s later.
        constexpr int MoreThanAnAgentWaits = 16'000;
        const Ringmaster ringmaster;
        const PausedReader reader(ringmaster.folder() + "/output");
        const QString printed = ringmaster.folder() + "/printed";
        const QString enough = ringmaster.folder() + "/enough";
        const auto run = startUnread(
            ringmaster, reader,
            {"run", "--hosts", "localhost", "--rdzv-conf", "lead_timeout=1,node_timeout=12",
             "--no-python", "/bin/sh", "-c",
             "yes 123456789012345678901234567890 | head -c 20000000; touch " + printed +
                 "; until [ -e " + enough + " ]; do echo more; sleep 0.1; done; echo end"});
        QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(printed), 120'000);
        QElapsedTimer pause;
        pause.start();
        QTRY_VERIFY(pause.hasExpired(MoreThanAnAgentWaits));
        QCOMPARE(stateOf(ringmaster), QString("running"));
        QVERIFY(QFile(enough).open(QIODevice::WriteOnly));
        QTRY_COMPARE_WITH_TIMEOUT(stateOf(ringmaster), QString("succeeded"), 120'000);
        const auto logs = ringmaster.run({"logs", ringmaster.runs().value(0)});
        QVERIFY2(logs.output.size() > 20'000'000, logs.error);
        const QByteArray json = ringmaster.run({"show", "--json"}).output;
        const QJsonObject shown = QJsonDocument::fromJson(json).object();
        QVERIFY2(shown["attempt"].toInt(-1) == 0 && shown["restartsUsed"].toInt(-1) == 0, json);
        const QByteArray text = reader.readToTheEnd(*run);
        QVERIFY(text.contains("were left out here"));
        QCOMPARE(run->exitCode(), 0);
    }
};

QTEST_GUILESS_MAIN(tst_paused_console)
#include "tst_paused_console.moc"
