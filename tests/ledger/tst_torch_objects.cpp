#include "tests/cli/Ringmaster.h"
#include "tests/support/TorchTest.h"

#include <QDir>
#include <QDirIterator>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <filesystem>

namespace fs = std::filesystem;

namespace {

constexpr int CompilersPatience = 600'000;

/// An installation beside the build's that brings no objects for any torch.
class BareInstallation
{
public:
    BareInstallation() : m_folder(QStringLiteral(RINGMASTER_BUILD_DIR "/bare-XXXXXX"))
    {
        const fs::path built = RINGMASTER_BUILD_DIR "/bin";
        const fs::path here = m_folder.path().toStdString();
        // Links that are no symbolic ones: the command looks beside itself.
        for (const char* program : {"ringmaster", "ringmaster-keeper"})
            fs::create_hard_link(built / program, here / program);
        fs::create_directories(here / "ringmaster-hook");
        for (const char* folder : {"ringmaster-hook/start", "ringmaster-hook/source"})
            fs::create_directory_symlink(built / folder, here / folder);
        fs::copy(built / "ringmaster-hook/parts", here / "ringmaster-hook/parts");
        fs::copy(built / "ringmaster-ring", here / "ringmaster-ring", fs::copy_options::recursive);
        QDirIterator objects(m_folder.path(), {"torch-*.so"}, QDir::Files,
                             QDirIterator::Subdirectories);
        while (objects.hasNext())
            QFile::remove(objects.next());
    }

    QString path(const char* name) const { return m_folder.filePath(QString::fromLatin1(name)); }

private:
    QTemporaryDir m_folder;
};

} // namespace

/// Recorder and ring for a torch that Ringmaster brings none for: compiled once, and taken from
/// then on.
class tst_torch_objects : public ringmaster::test::TorchTest
{
    Q_OBJECT

private:
    /// By kind; empty: the builder said nothing, and why is in `m_said`.
    QMap<QString, QJsonObject> builder(const QString& what, const QStringList& variables = {})
    {
        QProcess process;
        process.setProcessEnvironment(with(variables, m_environment));
        process.start(python(),
                      {m_place->path("ringmaster-hook/parts/_ringmaster_objects.py"), what});
        process.waitForFinished(CompilersPatience);
        m_said = process.readAllStandardError();
        QMap<QString, QJsonObject> told;
        for (const QByteArray& line : process.readAllStandardOutput().split('\n')) {
            const QJsonObject object = QJsonDocument::fromJson(line).object();
            if (!object.isEmpty())
                told[object["kind"].toString()] = object;
        }
        return told;
    }

    QString stateOf(const char* kind) { return builder("show")[kind]["state"].toString(); }

    static QProcessEnvironment with(const QStringList& variables, QProcessEnvironment environment)
    {
        for (const QString& variable : variables)
            environment.insert(variable.section('=', 0, 0), variable.section('=', 1));
        return environment;
    }

    Ringmaster::Outcome run(const Ringmaster& ringmaster, const QStringList& arguments,
                            const QStringList& variables = {}) const
    {
        QProcess process;
        QProcessEnvironment environment = with(variables, ringmaster.environment());
        environment.insert("XDG_CACHE_HOME", m_cache.path());
        environment.insert("RINGMASTER_INSTALLED_IN", python());
        process.setProcessEnvironment(environment);
        process.setWorkingDirectory(ringmaster.folder());
        process.setStandardInputFile(QProcess::nullDevice());
        process.start(m_place->path("ringmaster"), arguments);
        return Ringmaster::finish(process, 120'000);
    }

    /// What a run of two ranks has recorded; nothing if it failed.
    struct Recorded
    {
        QByteArray events;
        QByteArray operations;
    };
    Recorded recordedOf(const QString& program, const QStringList& variables = {}) const
    {
        const Ringmaster ringmaster;
        const auto done =
            run(ringmaster,
                {"run", "--warm", "off", "--nproc-per-node", "2", "--python", python(), program},
                variables);
        if (done.exitCode != 0) {
            qWarning("%s", done.error.constData());
            return {};
        }
        return {run(ringmaster, {"show", "--events"}).output,
                run(ringmaster, {"show", "--operations"}).output};
    }

    static QString program(const char* name)
    {
        return QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/ledger/programs/") + name;
    }

    void prepare() override
    {
        m_environment.insert("XDG_CACHE_HOME", m_cache.path());
        m_environment.insert("PYTHONDONTWRITEBYTECODE", "1");
        m_place = std::make_unique<BareInstallation>();
    }

    QTemporaryDir m_cache;
    QProcessEnvironment m_environment = QProcessEnvironment::systemEnvironment();
    std::unique_ptr<BareInstallation> m_place;
    QByteArray m_said;

private Q_SLOTS:
    void hostsAndBuildersThatShareACacheGetAlong()
    {
        QProcess checks;
        checks.setProcessEnvironment(m_environment);
        checks.start(python(),
                     {program("object_cache.py"), m_place->path("ringmaster-hook/parts")});
        const auto done = Ringmaster::finish(checks);
        QVERIFY2(done.exitCode == 0, done.error);
    }

    void whatCannotBeCompiledIsSaid()
    {
        // Neither is a compiler; the second one there is, and fails.
        const auto without = builder("build", {"PATH=/nowhere"});
        QVERIFY2(without["recorder"]["text"].toString().contains("no C++ compiler"), m_said);
        const auto failed = builder("build", {"CXX=/bin/false"});
        QCOMPARE(failed["recorder"]["state"].toString(), QString("failed"));
        QVERIFY(failed["recorder"]["text"].toString().contains("doesn't compile"));
        // That it failed is kept for this compiler, and isn't tried at each start.
        const auto again = builder("ensure", {"CXX=/bin/false"});
        QCOMPARE(again["recorder"]["state"].toString(), QString("failed"));
        QCOMPARE(stateOf("recorder"), QString("none"));
    }

    /// It is in a process of its own, which alone dies of that.
    void aProbeThatCrashesCostsNothing()
    {
        const QString compiler = "CXX=" + program("crashing_compiler");
        const auto told = builder("build", {compiler});
        for (const char* kind : {"recorder", "ring"}) {
            const QString reason = told[kind]["text"].toString();
            QVERIFY2(reason.startsWith("its probe ended with -11"), qPrintable(reason + m_said));
        }
        QDirIterator objects(m_cache.path(), {"*.so"}, QDir::Files, QDirIterator::Subdirectories);
        QVERIFY(!objects.hasNext());
        // The run has its operations, from Python, and says once why.
        const Recorded recorded = recordedOf(program("ddp.py"), {compiler});
        QCOMPARE(recorded.events.count("its probe ended with -11"), 1);
        QVERIFY2(recorded.operations.contains("all_reduce"), recorded.operations);
    }

    void theFirstRunHasThemCompiledForLaterOnes()
    {
        const QByteArray first = recordedOf(program("ddp.py")).events;
        QCOMPARE(first.count("One is compiled in the background"), 1);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf("recorder"), QString("cached"), CompilersPatience);
        QTRY_COMPARE_WITH_TIMEOUT(stateOf("ring"), QString("cached"), CompilersPatience);
        for (const char* later : {"ddp.py", "ring.py"}) {
            const Recorded recorded = recordedOf(program(later));
            QVERIFY(recorded.operations.contains("all_reduce"));
            QVERIFY2(!recorded.events.contains("no compiled recorder"), recorded.events);
        }
    }

    void doctorShowsThem()
    {
        const Ringmaster ringmaster;
        const QByteArray shown = run(ringmaster, {"doctor"}).output;
        QVERIFY2(shown.contains(m_cache.path().toUtf8() + "/ringmaster/torch/recorder-"), shown);
    }

    /// Who could have changed it might have it run anything.
    void onlyWhatIsAsItWasProbedIsTaken()
    {
        const QString object = builder("show")["recorder"]["text"].toString();
        QVERIFY(QFileInfo(object).isFile());
        const QString folder = QFileInfo(object).path();
        QCOMPARE(QFileInfo(folder).permissions() & (QFile::ReadGroup | QFile::WriteOther),
                 QFile::Permissions());
        QVERIFY(QFile::setPermissions(folder, QFileInfo(folder).permissions() | QFile::WriteOther));
        QVERIFY(stateOf("recorder") != "cached");
        QVERIFY(
            QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner));
        QCOMPARE(stateOf("recorder"), QString("cached"));
        QFile file(object);
        QVERIFY(file.open(QIODevice::Append));
        file.write("x");
        file.close();
        QCOMPARE(stateOf("recorder"), QString("none"));
    }
};

QTEST_GUILESS_MAIN(tst_torch_objects)
#include "tst_torch_objects.moc"
