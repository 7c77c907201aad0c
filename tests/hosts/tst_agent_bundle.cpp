#include "engine/base/EventLoop.h"
#include "engine/hosts/AgentBundle.h"
#include "engine/hosts/HostLink.h"
#include "tests/support/Patience.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

using namespace ringmaster;

namespace {

/// As if nobody had used it for two days.
void age(const QString& path)
{
    std::filesystem::last_write_time(
        path.toStdString(), std::filesystem::file_time_type::clock::now() - std::chrono::hours(48));
}

std::string ownMachine()
{
    utsname system{};
    ::uname(&system);
    return system.machine;
}

/// Why a link has ended.
struct Ending : HostLink::Listener
{
    explicit Ending(EventLoop& itsLoop) : loop(itsLoop) {}

    void linkTold(const Message&) override {}
    void linkOpened(FileDescriptor) override { loop.stop(); }
    void linkEnded(const Error& reason, int) override
    {
        why = reason;
        loop.stop();
    }

    EventLoop& loop;
    Error why{};
};

} // namespace

/// What goes to a host that has no Ringmaster.
class tst_agent_bundle : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        qputenv("XDG_CACHE_HOME", m_folder->filePath(QStringLiteral("cache")).toUtf8());
        qputenv("XDG_DATA_HOME", m_folder->filePath(QStringLiteral("data")).toUtf8());
        qputenv("PATH", m_folder->path().toUtf8() + ':' + m_path);
        for (const char* name : {"ringmaster", "ringmaster-keeper"})
            QVERIFY(QFile::copy(Program, m_folder->filePath(QLatin1String(name))));
    }

    /// pyenv's shim is a script that looks for the real one, which that host hasn't.
    void onlyAPySpyThatIsAProgramGoesAlong()
    {
        QFile shim(reader());
        QVERIFY(shim.open(QIODevice::WriteOnly));
        shim.write("#!/bin/sh\nexec pyenv exec py-spy \"$@\"\n");
        shim.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        shim.close();
        const QStringList without = contentsOf(agentBundle());
        QVERIFY2(without.contains(QStringLiteral("bin/ringmaster-keeper")),
                 qPrintable(without.join(u' ')));
        QVERIFY(!without.contains(QStringLiteral("bin/py-spy")));

        QVERIFY(QFile::remove(reader()) && QFile::copy(Program, reader()));
        QVERIFY(contentsOf(agentBundle()).contains(QStringLiteral("bin/py-spy")));
    }

    /// Of another version, say: a host with the same home may be reading the first one.
    void whatAnotherCommandPacksTakesNothingAway()
    {
        const auto first = agentBundle();
        QVERIFY(QFile::copy(Program, reader()));
        const auto second = agentBundle();
        QVERIFY(first && second && first->hash != second->hash);
        QCOMPARE(archives(), namesOf({first->hash, second->hash}));
        const QStringList contents = contentsOf(first);
        QVERIFY2(contents.contains(QStringLiteral("bin/ringmaster")),
                 qPrintable(contents.join(u' ')));
        QVERIFY(!contents.contains(QStringLiteral("bin/py-spy")));
    }

    void whatNobodyUsesForADayGoes()
    {
        const auto first = agentBundle();
        QVERIFY(QFile::copy(Program, reader()));
        const auto second = agentBundle();
        QVERIFY(first && second);
        for (const QString& name : archives())
            age(bundles().filePath(name));
        QVERIFY(agentBundle()); // takes the second one into use
        QVERIFY(QFile::copy(Program, m_folder->filePath(QStringLiteral("ringmaster-sweep"))));
        const auto third = agentBundle();
        QVERIFY(third);
        QCOMPARE(archives(), namesOf({second->hash, third->hash}));
        // Here an open file stays.
        QVERIFY(contentsOf(first).contains(QStringLiteral("bin/ringmaster")));
    }

    /// As a host has them that mounts the home with other times.
    void theSameFilesStayTheSameArchive()
    {
        const auto first = agentBundle();
        age(m_folder->filePath(QStringLiteral("ringmaster-keeper")));
        const auto second = agentBundle();
        QVERIFY(first && second);
        QCOMPARE(second->hash, first->hash);
        QCOMPARE(inodeOf(*second), inodeOf(*first));
    }

    void hostsThatShareAHomeUnpackApart()
    {
        const AgentBundle bundle = packedByHand();
        const auto first = farShell(bundle);
        const auto second = farShell(bundle);
        QTRY_VERIFY(first->canReadLine() && second->canReadLine());
        QCOMPARE(answerTo(bundle, *second), AgentsWord);
        QCOMPARE(answerTo(bundle, *first), AgentsWord);
        QCOMPARE(agents(), QStringList{QString::fromStdString(bundle.hash)});
    }

    /// Its workers' files are for whom they were for before.
    void theAgentHasItsCallersUmask()
    {
        const AgentBundle bundle = packedByHand();
        const auto first = farShell(bundle);
        QTRY_VERIFY(first->canReadLine());
        QCOMPARE(answerTo(bundle, *first), AgentsWord);
        const auto again = farShell(bundle);
        QVERIFY(again->waitForFinished(Patience));
        QCOMPARE(again->readAllStandardOutput(), QByteArray("0027\n"));
    }

    void whatAKilledShellLeftGoesAfterADay()
    {
        const QDir folder(m_folder->filePath(QStringLiteral("cache/ringmaster/agents")));
        const QString installed = QStringLiteral("installed");
        const QString old = QStringLiteral("old.4711");
        const QString recent = QStringLiteral("recent.4711");
        for (const QString& name : {installed, old, recent})
            QVERIFY(folder.mkpath(name + QStringLiteral("/bin")));
        age(folder.filePath(installed));
        age(folder.filePath(old));
        const AgentBundle bundle = packedByHand();
        const auto shell = farShell(bundle);
        QTRY_VERIFY(shell->canReadLine());
        QCOMPARE(answerTo(bundle, *shell), AgentsWord);
        const QStringList wanted{QString::fromStdString(bundle.hash), installed, recent};
        QCOMPARE(agents(), wanted);
    }

    void anArchiveThatCannotBeReadEndsTheLink_data()
    {
        QTest::addColumn<QString>("archive");
        QTest::newRow("reading fails") << QStringLiteral("/"); // a folder
        QTest::newRow("it is shorter than it was") << QStringLiteral("/dev/null");
    }

    void anArchiveThatCannotBeReadEndsTheLink()
    {
        QFETCH(QString, archive);
        const AgentBundle bundle{.archive = std::make_shared<const FileDescriptor>(
                                     ::open(archive.toUtf8().constData(), O_RDONLY | O_CLOEXEC)),
                                 .size = 1000,
                                 .machine = ownMachine()};
        EventLoop loop;
        Ending ending(loop);
        const auto link = HostLink::open(
            loop, ending,
            {.host = {.name = "far"},
             .command = {"/bin/sh", "-c", "echo \"WANTED $(uname -m)\"; exec cat >/dev/null"},
             .sentinel = "READY",
             .bundleRequest = "WANTED ",
             .bundle = bundle});
        QVERIFY(link.has_value());
        loop.run();
        const std::string why = describe(ending.why);
        QVERIFY2(ending.why.code == code::BundleUnreadable, why.c_str());
        QVERIFY(!ending.why.detail.empty());
    }

private:
    QString reader() const { return m_folder->filePath(QStringLiteral("py-spy")); }

    static QStringList contentsOf(const Result<AgentBundle>& bundle)
    {
        if (!bundle)
            return {QString::fromStdString(describe(bundle.error()))};
        QProcess tar;
        tar.start(QStringLiteral("tar"),
                  {QStringLiteral("-tzf"),
                   QStringLiteral("/proc/%1/fd/%2").arg(getpid()).arg(bundle->archive->get())});
        tar.waitForFinished();
        return QString::fromUtf8(tar.readAllStandardOutput()).split(u'\n');
    }

    QDir bundles() const
    {
        return QDir(m_folder->filePath(QStringLiteral("cache/ringmaster/bundle")));
    }

    QStringList archives() const { return bundles().entryList({QStringLiteral("*.gz")}); }

    static QStringList namesOf(const std::vector<std::string>& hashes)
    {
        QStringList names;
        for (const std::string& hash : hashes)
            names.append(QString::fromStdString(hash) + QStringLiteral(".tar.gz"));
        names.sort();
        return names;
    }

    static quint64 inodeOf(const AgentBundle& bundle)
    {
        struct stat info
        {
        };
        return ::fstat(bundle.archive->get(), &info) == 0 ? info.st_ino : 0;
    }

    /// Its agent prints its umask.
    AgentBundle packedByHand() const
    {
        QProcess shell;
        shell.setWorkingDirectory(m_folder->path());
        shell.start(
            QStringLiteral("/bin/sh"),
            {QStringLiteral("-c"),
             QStringLiteral("mkdir -p pack/bin && cd pack && "
                            "printf \"#!/bin/sh\\numask\\n\" >bin/ringmaster && "
                            "chmod 755 bin/ringmaster && sha256sum bin/ringmaster >MANIFEST && "
                            "tar -czf ../agent.tar.gz MANIFEST bin")});
        shell.waitForFinished(Patience);
        const QString file = m_folder->filePath(QStringLiteral("agent.tar.gz"));
        return {.archive = std::make_shared<const FileDescriptor>(
                    ::open(file.toUtf8().constData(), O_RDONLY | O_CLOEXEC)),
                .hash = "0123456789abcdef",
                .size = static_cast<std::uint64_t>(QFileInfo(file).size()),
                .machine = ownMachine()};
    }

    /// What ssh would run there, for a caller with the umask 027.
    static std::unique_ptr<QProcess> farShell(const AgentBundle& bundle)
    {
        const HostLink::Options link = sshLink({}, {.name = "far"}, bundle, {});
        QString script = QString::fromStdString(link.command.back());
        // The shells of two hosts may have the same pid.
        script.replace(QStringLiteral("$$"), QStringLiteral("7"));
        auto shell = std::make_unique<QProcess>();
        shell->setProcessChannelMode(QProcess::ForwardedErrorChannel);
        shell->start(QStringLiteral("/bin/sh"),
                     {QStringLiteral("-c"), QStringLiteral("umask 027; ") + script});
        return shell;
    }

    /// Gives it the bundle that it has asked for: its exit code, and what it then says.
    static QByteArray answerTo(const AgentBundle& bundle, QProcess& shell)
    {
        shell.readLine();
        QByteArray archive(static_cast<qsizetype>(bundle.size), '\0');
        if (::pread(bundle.archive->get(), archive.data(), bundle.size, 0) != archive.size())
            return "the bundle can't be read";
        shell.write(archive);
        shell.closeWriteChannel();
        if (!shell.waitForFinished(Patience))
            return "it doesn't end";
        return QByteArray::number(shell.exitCode()) + ": " + shell.readAllStandardOutput();
    }

    /// What is installed, and what is left over.
    QStringList agents() const
    {
        const QDir folder(m_folder->filePath(QStringLiteral("cache/ringmaster/agents")));
        return folder.entryList(QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name);
    }

    static inline const QByteArray AgentsWord = "0: 0027\n";
    static inline const QString Program = QStringLiteral("/bin/ls"); // needs a library beside libc
    const QByteArray m_path = qgetenv("PATH");
    std::unique_ptr<QTemporaryDir> m_folder;
};

QTEST_GUILESS_MAIN(tst_agent_bundle)
#include "tst_agent_bundle.moc"
