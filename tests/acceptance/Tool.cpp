#include "tests/acceptance/Tool.h"

#include "tests/support/SharedTorch.h"

#include <QDeadlineTimer>
#include <QFile>
#include <QFileInfo>
#include <QHostAddress>
#include <QProcessEnvironment>
#include <QTcpSocket>

namespace ringmaster::acceptance {

using test::torchInterpreter;

QStringList Outcome::sortedLines() const
{
    QStringList lines = QString::fromUtf8(standardOutput).split(u'\n', Qt::SkipEmptyParts);
    lines.sort();
    return lines;
}

Tool::Tool(QString name, QString program, QStringList first)
    : m_name(std::move(name))
    , m_program(std::move(program))
    , m_first(std::move(first))
    , m_folder(std::make_shared<QTemporaryDir>())
{
}

Tool Tool::torchrun()
{
    return {QStringLiteral("torchrun"),
            torchInterpreter(),
            {QStringLiteral("-m"), QStringLiteral("torch.distributed.run")}};
}

Tool Tool::torchrun(const test::SharedTorch& torch)
{
    Tool tool = torchrun();
    tool.m_program = torch.python();
    return tool;
}

Tool Tool::ringmaster()
{
    return {QStringLiteral("ringmaster"),
            QStringLiteral(RINGMASTER_BUILD_DIR "/bin/ringmaster"),
            {QStringLiteral("run")}};
}

bool Tool::torchrunIsThere()
{
    return QFile::exists(QFileInfo(torchInterpreter()).path() + QStringLiteral("/torchrun"));
}

std::unique_ptr<QProcess> Tool::start(const QStringList& arguments,
                                      const QStringList& variables) const
{
    auto process = std::make_unique<QProcess>();
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const QString& variable :
         {QStringLiteral("OMP_NUM_THREADS"), QStringLiteral("TORCHELASTIC_ERROR_FILE"),
          QStringLiteral("CUDA_VISIBLE_DEVICES"), QStringLiteral("PYTHONUNBUFFERED")})
        environment.remove(variable);
    environment.insert(QStringLiteral("XDG_STATE_HOME"),
                       m_folder->filePath(QStringLiteral("state")));
    environment.insert(QStringLiteral("XDG_RUNTIME_DIR"), m_folder->path());
    environment.insert(QStringLiteral("PYTHON_EXEC"), torchInterpreter());
    environment.insert(QStringLiteral("LAUNCH_FOLDER"), m_folder->path());
    for (const QString& variable : variables)
        environment.insert(variable.section(u'=', 0, 0), variable.section(u'=', 1));
    process->setProcessEnvironment(environment);
    process->setWorkingDirectory(m_folder->path());
    process->start(m_program, m_first + arguments);
    process->waitForStarted();
    return process;
}

Outcome Tool::run(const QStringList& arguments, const QStringList& variables) const
{
    return finish(*start(arguments, variables));
}

Outcome finish(QProcess& process, int seconds)
{
    if (!process.waitForFinished(seconds * 1000)) {
        process.kill();
        process.waitForFinished();
    }
    Outcome outcome;
    // As a shell tells it: 128 and the signal.
    outcome.exitCode = process.exitStatus() == QProcess::NormalExit ? process.exitCode()
                                                                    : 128 + process.exitCode();
    outcome.standardOutput =
        process.property("seen").toByteArray() + process.readAllStandardOutput();
    outcome.standardError = process.readAllStandardError();
    return outcome;
}

bool waitForOutput(QProcess& process, const QByteArray& text, int seconds)
{
    const QDeadlineTimer deadline(seconds * 1000);
    for (;;) {
        const QByteArray seen =
            process.property("seen").toByteArray() + process.readAllStandardOutput();
        process.setProperty("seen", seen);
        if (seen.contains(text))
            return true;
        if (deadline.hasExpired() ||
            (process.state() == QProcess::NotRunning && process.bytesAvailable() == 0))
            return false;
        process.waitForReadyRead(200);
    }
}

bool isServed(int port)
{
    QTcpSocket socket;
    socket.connectToHost(QHostAddress::LocalHost, static_cast<quint16>(port));
    return socket.waitForConnected(1000);
}

QString program(const QString& name)
{
    return QStringLiteral(RINGMASTER_SOURCE_DIR "/tests/acceptance/programs/") + name;
}

} // namespace ringmaster::acceptance
