#pragma once

#include "tests/cli/Ringmaster.h"

#include <QDir>
#include <QFile>

#include <csignal>

#include <sys/types.h>

namespace ringmaster::test {

inline QByteArray textOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

inline QByteArray commandOf(const QString& pid)
{
    return textOf("/proc/" + pid + "/cmdline").replace('\0', ' ');
}

inline QStringList allProcesses()
{
    return QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs);
}

/// Keeper and guard of a run; the keeper's command line is its path and the run.
inline QList<pid_t> keepersOf(const QByteArray& run, const QByteArray& between = {})
{
    QList<pid_t> found;
    for (const QString& pid : allProcesses()) {
        const QByteArray command = commandOf(pid);
        if (command.contains("ringmaster-keeper " + between) && command.contains(run))
            found.append(pid.toInt());
    }
    return found;
}

/// Unique by the folder's random name; `sleep` adds its arguments up.
inline QByteArray sleepOf(const Ringmaster& ringmaster)
{
    return "sleep 900 0." + QByteArray::number(qHash(ringmaster.folder()) % 1'000'000);
}

inline QList<pid_t> processesThatBegin(const QByteArray& command)
{
    QList<pid_t> found;
    for (const QString& pid : allProcesses())
        if (commandOf(pid).startsWith(command))
            found.append(pid.toInt());
    return found;
}

inline QList<pid_t> sleepers(const Ringmaster& ringmaster)
{
    return processesThatBegin(sleepOf(ringmaster));
}

/// A run's agent, keeper and guard, of which none can end what the others leave.
inline bool killAgentAndKeepers(QProcess& agent, const QByteArray& run)
{
    const QList<pid_t> keepers = keepersOf(run);
    for (const pid_t pid : keepers)
        ::kill(pid, SIGSTOP);
    agent.kill();
    for (const pid_t pid : keepers)
        ::kill(pid, SIGKILL);
    return keepers.size() == 2 && agent.waitForFinished(60'000);
}

} // namespace ringmaster::test
