#pragma once

#include <QFile>
#include <QProcess>
#include <QStandardPaths>

namespace ringmaster::test {

/// RINGMASTER_TORCH=newest: the tests run with the newest torch, not with the pinned one.
inline bool isNewestTorch()
{
    return qEnvironmentVariable("RINGMASTER_TORCH") == QLatin1String("newest");
}

/// The Python whose torch the tests use: RINGMASTER_PYTHON, else what packaging/ has written down,
/// else the environment that it makes; for the newest torch RINGMASTER_PYTHON_NEWEST, else its
/// environment. Empty: none of them has torch.
inline QString torchInterpreter()
{
    static const QString found = [] {
        const QString folder =
            QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation) +
            QLatin1String("/ringmaster/");
        QStringList candidates{qEnvironmentVariable("RINGMASTER_PYTHON")};
        QFile recorded(folder + QLatin1String("interpreter"));
        if (recorded.open(QIODevice::ReadOnly))
            candidates += QString::fromLocal8Bit(recorded.readLine()).trimmed();
        candidates += folder + QLatin1String("venv/bin/python");
        if (isNewestTorch())
            candidates = {qEnvironmentVariable("RINGMASTER_PYTHON_NEWEST"),
                          folder + QLatin1String("venv-newest/bin/python")};
        candidates.removeAll(QString());
        for (const QString& candidate : candidates) {
            QProcess python;
            python.start(candidate, {QStringLiteral("-c"),
                                     QStringLiteral("import importlib.util as u, sys; "
                                                    "sys.exit(u.find_spec('torch') is None)")});
            if (python.waitForFinished() && python.exitStatus() == QProcess::NormalExit &&
                python.exitCode() == 0)
                return candidate;
        }
        return QString();
    }();
    return found;
}

} // namespace ringmaster::test
