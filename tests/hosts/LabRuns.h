#pragma once

#include "tests/hosts/Lab.h"

/// A `ringmaster run` in the lab, as several tests have it.

inline constexpr int ForProcesses = 180'000;

inline QStringList run(const QStringList& options, const QString& script)
{
    return QStringList{"run", "--quiet"} + options +
           QStringList{"--no-python", "/bin/sh", "-c", script};
}

/// For initTestCase(). The agent is packed and copied, which a busy machine takes minutes for.
inline void needLabWithAgent(const QString& host)
{
    if (qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
        QSKIP(qPrintable(qEnvironmentVariable("RINGMASTER_NO_LAB")));
    Lab lab;
    const auto first = Ringmaster::finish(*lab.start({"ps", "--on", host}), 600'000);
    QVERIFY2(first.exitCode == 0, first.error);
}

/// What the process has printed so far, kept.
inline QByteArray& outputOf(QProcess& process, QByteArray& text)
{
    process.waitForReadyRead(50);
    text += process.readAllStandardOutput();
    return text;
}
