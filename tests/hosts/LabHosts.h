#pragma once

#include <QProcess>
#include <QtTest>

#include <functional>
#include <vector>

#include <unistd.h>

/// The lab itself (tests/labs/hosts.sh), for tests of the command and of the dashboard.

inline QString labFolder()
{
    return qEnvironmentVariable("RINGMASTER_LAB");
}

/// "cut lab2": the cables and switches of the lab.
inline void turnInLab(const QStringList& words)
{
    QProcess script;
    script.setProcessChannelMode(QProcess::ForwardedChannels);
    script.start(QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/labs/hosts.sh"), words);
    QVERIFY(script.waitForFinished(60'000));
    QCOMPARE(script.exitCode(), 0);
}

/// Runs the test within the lab; without one, the test finds out why.
inline int runInLab(int argc, char** argv, const char* hosts,
                    const std::function<int(int, char**)>& test)
{
    if (qEnvironmentVariableIsSet("RINGMASTER_LAB") ||
        qEnvironmentVariableIsSet("RINGMASTER_NO_LAB"))
        return test(argc, argv);
    std::vector<char*> words{const_cast<char*>(RINGMASTER_SOURCE_DIR "/tests/labs/hosts.sh"),
                             const_cast<char*>(hosts)};
    words.insert(words.end(), argv, argv + argc);
    words.push_back(nullptr);
    ::execv(words.front(), words.data());
    return 1;
}
