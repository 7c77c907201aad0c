#pragma once

#include "tests/hosts/Lab.h"

/// A `ringmaster run` in the lab, as several tests have it.

inline constexpr int ForProcesses = 180'000;

inline QStringList run(const QStringList& options, const QString& script)
{
    return QStringList{"run", "--quiet"} + options +
           QStringList{"--no-python", "/bin/sh", "-c", script};
}

/// What the process has printed so far, kept.
inline QByteArray& outputOf(QProcess& process, QByteArray& text)
{
    process.waitForReadyRead(50);
    text += process.readAllStandardOutput();
    return text;
}
