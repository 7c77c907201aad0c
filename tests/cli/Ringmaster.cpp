#include "tests/cli/Ringmaster.h"

#include <QCoreApplication>
#include <QDeadlineTimer>
#include <QDir>
#include <QFile>

Ringmaster::Ringmaster(const QString& runtimeFolder)
    : m_environment(QProcessEnvironment::systemEnvironment())
{
    const QString runtime = runtimeFolder.isEmpty() ? folder() + "/runtime" : runtimeFolder;
    QDir().mkpath(runtime);
    QFile::setPermissions(runtime, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    m_environment.insert("XDG_RUNTIME_DIR", runtime);
    m_environment.insert("XDG_STATE_HOME", folder() + "/state");
    m_environment.insert("OMP_NUM_THREADS", "1");
    m_environment.insert("LC_ALL", "C.UTF-8");
}

QString Ringmaster::executable()
{
    return QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster");
}

std::unique_ptr<QProcess> Ringmaster::start(const QStringList& arguments) const
{
    auto process = std::make_unique<QProcess>();
    process->setProcessEnvironment(m_environment);
    process->setWorkingDirectory(folder());
    process->setStandardInputFile(QProcess::nullDevice());
    process->start(executable(), arguments);
    return process;
}

Ringmaster::Outcome Ringmaster::run(const QStringList& arguments) const
{
    const auto process = start(arguments);
    return finish(*process);
}

Ringmaster::Outcome Ringmaster::finish(QProcess& process, int milliseconds)
{
    if (process.state() != QProcess::NotRunning && !process.waitForFinished(milliseconds)) {
        process.kill();
        process.waitForFinished();
        return {-1, process.readAllStandardOutput(), "too slow: " + process.readAllStandardError()};
    }
    const bool isSignal = process.exitStatus() == QProcess::CrashExit;
    return {isSignal ? 128 + process.exitCode() : process.exitCode(),
            process.readAllStandardOutput(), process.readAllStandardError()};
}

QStringList Ringmaster::runs() const
{
    QStringList ids;
    const QByteArray table = run({"ps", "--all"}).output;
    for (const QByteArray& line : table.split('\n').mid(1)) {
        if (!line.isEmpty())
            ids.append(QString::fromUtf8(line.left(line.indexOf(' '))));
    }
    return ids;
}

bool waitForText(QProcess& process, const QByteArray& text, QProcess::ProcessChannel channel,
                 int milliseconds)
{
    const QDeadlineTimer patience(milliseconds);
    process.setReadChannel(channel);
    for (;;) {
        const qsizetype at = process.peek(process.bytesAvailable()).indexOf(text);
        if (at >= 0) {
            (void)process.read(at + text.size());
            return true;
        }
        if (process.state() == QProcess::NotRunning || patience.hasExpired())
            return false;
        process.waitForReadyRead(100);
    }
}

int processesWith(const QByteArray& text)
{
    int found = 0;
    const QStringList entries = QDir("/proc").entryList({"[0-9]*"}, QDir::Dirs);
    for (const QString& pid : entries) {
        if (pid.toLongLong() == QCoreApplication::applicationPid())
            continue;
        for (const char* name : {"cmdline", "environ"}) {
            QFile file("/proc/" + pid + "/" + name);
            if (file.open(QIODevice::ReadOnly) && file.readAll().contains(text)) {
                ++found;
                break;
            }
        }
    }
    return found;
}
