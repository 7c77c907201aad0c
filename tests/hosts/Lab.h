#pragma once

#include "tests/cli/Ringmaster.h"
#include "tests/hosts/LabHosts.h"

#include <QElapsedTimer>
#include <QJsonDocument>
#include <QStandardPaths>
#include <QtTest>

/// Hosts in namespaces (tests/labs/hosts.sh), and the command that uses them. The test program runs
/// inside the lab: main() sees to it.
class Lab
{
public:
    Lab()
    {
        auto& environment = m_ringmaster.environment();
        environment.insert("HOME", m_ringmaster.folder());
        environment.insert("XDG_CACHE_HOME", RINGMASTER_BUILD_DIR "/lab-cache");
        // The agent that is packed there has py-spy, if this machine has: tests that run at the
        // same time have to find the same one, or each packs its own in the other's place.
        environment.insert("XDG_DATA_HOME",
                           QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));
        environment.insert("XDG_CONFIG_HOME", m_ringmaster.folder() + "/config");
        QDir().mkpath(m_ringmaster.folder() + "/config/ringmaster");
        QFile book(m_ringmaster.folder() + "/config/ringmaster/hosts.toml");
        if (book.open(QIODevice::WriteOnly))
            book.write("ssh_config = \"" + folder().toUtf8() + "/ssh_config\"\n");
    }

    /// For what this process asks of the engine by itself.
    void setEnvironmentHere()
    {
        for (const char* name : {"XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME",
                                 "XDG_STATE_HOME", "XDG_RUNTIME_DIR"})
            qputenv(name, m_ringmaster.environment().value(name).toUtf8());
    }

    static QString folder() { return labFolder(); }
    Ringmaster& ringmaster() { return m_ringmaster; }

    /// Program files live where every host sees them.
    std::unique_ptr<QProcess> start(const QStringList& arguments)
    {
        auto process = std::make_unique<QProcess>();
        process->setProcessEnvironment(m_ringmaster.environment());
        process->setWorkingDirectory(RINGMASTER_SOURCE_DIR "/tests/hosts/programs");
        process->setStandardInputFile(QProcess::nullDevice());
        process->start(Ringmaster::executable(), arguments);
        return process;
    }

    static void turn(const QStringList& words) { turnInLab(words); }

    static QByteArray on(const QString& host, const QStringList& command)
    {
        QProcess script;
        script.start(RINGMASTER_SOURCE_DIR "/tests/labs/hosts.sh",
                     QStringList{"on", host} + command);
        script.waitForFinished(60'000);
        return script.readAllStandardOutput();
    }

    /// For a shell there: its sshd reads its settings anew, and listens again.
    static QString reloadSshd()
    {
        const QString listening = "$(grep -c 'Server listening on 0' /run/lab/log)";
        return "{ before=" + listening + "; kill -HUP $(pgrep -o sshd); until [ " + listening +
               " -gt $before ]; do sleep 0.02; done; }";
    }

    /// Processes of Ringmaster, or of a job, on a host.
    static QByteArray left(const QString& host)
    {
        return on(host,
                  {"sh", "-c", "ps -eo pid,args | grep -E '[r]ingmaster|[s]leep 6|[p]rograms/'"});
    }

    QJsonObject show()
    {
        const auto outcome = m_ringmaster.run({"show", "--json"});
        return QJsonDocument::fromJson(outcome.output).object();
    }

private:
    Ringmaster m_ringmaster;
};
