#pragma once

#include <QFile>
#include <QProcess>
#include <QStandardPaths>

namespace ringmaster::test {

/// The Python whose torch the tests use: RINGMASTER_PYTHON, else what packaging/ has written down,
/// else the environment that it makes. Empty: none of them has torch.
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
