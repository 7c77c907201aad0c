#pragma once

#include "tests/cli/Ringmaster.h"

#include <QDir>
#include <QtTest>

#include <csignal>

/// A machine that a stand-in for ssh reaches, and the command that uses it. The machine is this
/// one, with folders of its own.
class FakeMachine
{
public:
    explicit FakeMachine(const QString& cache)
    {
        QProcessEnvironment& here = m_here.environment();
        const QString programs = QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/remote/programs");
        here.insert(QStringLiteral("PATH"),
                    programs + QStringLiteral(":") + here.value(QStringLiteral("PATH")));
        here.insert(QStringLiteral("RINGMASTER_FAKE_SSH"), m_there.folder());
        here.insert(QStringLiteral("XDG_CACHE_HOME"),
                    QStringLiteral(RINGMASTER_BUILD_DIR "/lab-cache"));
        here.insert(QStringLiteral("XDG_CONFIG_HOME"), m_here.folder() + QStringLiteral("/config"));
        QProcessEnvironment& there = m_there.environment();
        there.insert(QStringLiteral("HOME"), m_there.folder());
        there.insert(QStringLiteral("XDG_CONFIG_HOME"),
                     m_there.folder() + QStringLiteral("/config"));
        QDir().mkpath(cache);
        QFile::link(cache, m_there.folder() + QStringLiteral("/cache"));
    }

    /// Packs the agent and brings it to `cache`, which a busy machine takes minutes for.
    static void bringAgent(const QString& cache)
    {
        FakeMachine machine(cache);
        const auto listing = machine.here().start(QStringLiteral("ps --on gpu1").split(u' '));
        const auto first = Ringmaster::finish(*listing, 600'000);
        QVERIFY2(first.exitCode == 0, first.error);
        QVERIFY2(first.error.contains("gpu1: the agent is copied there"), first.error);
    }

    /// What a test that has failed leaves there.
    ~FakeMachine()
    {
        if (processes() == 0)
            return;
        const QStringList runs = m_there.runs();
        for (const QString& run : runs)
            (void)m_there.run({QStringLiteral("stop"), QStringLiteral("--now"), run});
    }
    FakeMachine(const FakeMachine&) = delete;
    FakeMachine& operator=(const FakeMachine&) = delete;

    /// This process sits here from now on, as a dashboard does. Before it has threads.
    void sitHere() const
    {
        for (const char* name : {"PATH", "RINGMASTER_FAKE_SSH", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
                                 "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
            qputenv(name, m_here.environment().value(QLatin1String(name)).toUtf8());
        qputenv("PATH", QFileInfo(Ringmaster::executable()).absolutePath().toUtf8() + ":" +
                            qgetenv("PATH"));
    }

    Ringmaster& here() { return m_here; }
    Ringmaster& there() { return m_there; }

    QString path(const QString& file) const
    {
        return m_there.folder() + QStringLiteral("/") + file;
    }

    void write(const QString& file, const QByteArray& text = {}) const
    {
        QFile target(path(file));
        QVERIFY(target.open(QIODevice::WriteOnly));
        target.write(text);
    }

    /// A folder here with `hello.sh`, to be brought there.
    QString makeProject(const QByteArray& script) const
    {
        const QString project = m_here.folder() + QStringLiteral("/project");
        QDir().mkpath(project);
        QFile program(project + QStringLiteral("/hello.sh"));
        if (!program.open(QIODevice::WriteOnly))
            qFatal("%s can't be written", qPrintable(program.fileName()));
        program.write(script);
        return project;
    }

    QByteArray read(const QString& file) const
    {
        QFile source(path(file));
        return source.open(QIODevice::ReadOnly) ? source.readAll() : QByteArray();
    }

    void unplug() const
    {
        write(QStringLiteral("unplugged"));
        for (const QByteArray& pid : read(QStringLiteral("pids")).split('\n'))
            if (pid.toInt() > 1 && isSsh(pid))
                ::kill(pid.toInt(), SIGKILL);
    }

    void plug() const { QFile::remove(path(QStringLiteral("unplugged"))); }

    /// Processes there that somebody here has started, and those of runs.
    int processes() const
    {
        return processesWith("XDG_STATE_HOME=" + path(QStringLiteral("state")).toUtf8());
    }

private:
    bool isSsh(const QByteArray& pid) const
    {
        QFile file(QStringLiteral("/proc/%1/environ").arg(QString::fromLatin1(pid)));
        return file.open(QIODevice::ReadOnly) &&
               file.readAll().contains("RINGMASTER_FAKE_SSH=" + m_there.folder().toUtf8());
    }

    Ringmaster m_here;
    Ringmaster m_there;
};
