#pragma once

#include <QFile>
#include <QStandardPaths>

#include <functional>
#include <vector>

#include <unistd.h>

/// A Slurm of its own (tests/labs/slurm.sh), for tests of the command and of the dashboard.

/// Empty: it can be brought up here.
inline QByteArray whyNoSlurm()
{
    if (::geteuid() != 0)
        return "a Slurm of its own needs root";
    for (const char* command : {"sbatch", "srun", "slurmctld", "slurmd", "munged"})
        if (QStandardPaths::findExecutable(QLatin1String(command)).isEmpty() &&
            !QFile::exists(QLatin1String("/usr/sbin/") + QLatin1String(command)))
            return QByteArray(command) + " is missing (Debian: slurm-wlm, munge)";
    return {};
}

/// Runs the test beside one; where that can't be, the test finds the reason in RINGMASTER_NO_SLURM.
inline int runBesideSlurm(int argc, char** argv, const char* nodes,
                          const std::function<int(int, char**)>& test)
{
    if (const QByteArray reason = whyNoSlurm(); !reason.isEmpty())
        qputenv("RINGMASTER_NO_SLURM", reason);
    else if (!qEnvironmentVariableIsSet("SLURM_CONF")) {
        std::vector<char*> words{const_cast<char*>(RINGMASTER_SOURCE_DIR "/tests/labs/slurm.sh"),
                                 const_cast<char*>(nodes)};
        words.insert(words.end(), argv, argv + argc);
        words.push_back(nullptr);
        ::execv(words.front(), words.data());
        return 1;
    }
    return test(argc, argv);
}
