#include "app/main/AlertCommand.h"

#include "engine/base/DescriptorLimit.h"

#include <QProcess>
#include <QTimer>

#include <chrono>

using namespace std::chrono_literals;

namespace ringmaster::app {

namespace {
constexpr auto CommandLimit = 60s;
} // namespace

void AlertCommand::run(const QString& command, const QProcessEnvironment& told)
{
    auto* process = new QProcess(this);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(told);
    environment.insert(QStringLiteral("RINGMASTER_ALERT_COMMAND"), command);
    process->setProcessEnvironment(environment);
    process->setStandardInputFile(QProcess::nullDevice());
    process->setStandardOutputFile(QProcess::nullDevice());
    process->setChildProcessModifier([] { restoreDescriptorLimit(0); });
    connect(process, &QProcess::errorOccurred, this, [this, process](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        Q_EMIT failed(process->errorString());
        process->deleteLater();
    });
    connect(process, &QProcess::finished, this,
            [this, process](int exitCode, QProcess::ExitStatus status) {
                const QString said = QString::fromUtf8(process->readAllStandardError()).trimmed();
                if (status == QProcess::CrashExit)
                    Q_EMIT failed(said.isEmpty() ? tr("it was ended") : said);
                else if (exitCode != 0)
                    Q_EMIT failed(said.isEmpty() ? tr("exit code %1").arg(exitCode) : said);
                process->deleteLater();
            });
    QTimer::singleShot(CommandLimit, process, &QProcess::kill);
    process->start(QStringLiteral("/bin/sh"),
                   {QStringLiteral("-c"), QStringLiteral("eval \"$RINGMASTER_ALERT_COMMAND\"")});
}

} // namespace ringmaster::app
