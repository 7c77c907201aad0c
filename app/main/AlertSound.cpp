#include "app/main/AlertSound.h"

#include "engine/base/DescriptorLimit.h"

#include <QApplication>
#include <QProcess>
#include <QStandardPaths>

namespace ringmaster::app {

namespace {

bool startPlayer(const QString& program, const QStringList& arguments)
{
    qint64 pid = 0;
    const bool isStarted = QProcess::startDetached(program, arguments, QString(), &pid);
    if (isStarted)
        restoreDescriptorLimit(static_cast<pid_t>(pid));
    return isStarted;
}

} // namespace

void playAlertSound(bool isBadNews)
{
    // Names of the sound naming specification, which every sound theme knows.
    const QString sound = isBadNews ? QStringLiteral("dialog-warning") : QStringLiteral("complete");
    const QString canberra = QStandardPaths::findExecutable(QStringLiteral("canberra-gtk-play"));
    if (!canberra.isEmpty() && startPlayer(canberra, {QStringLiteral("-i"), sound}))
        return;
    const QString file =
        QStandardPaths::locate(QStandardPaths::GenericDataLocation,
                               QStringLiteral("sounds/freedesktop/stereo/%1.oga").arg(sound));
    for (const QString& name : {QStringLiteral("pw-play"), QStringLiteral("paplay")}) {
        const QString player = QStandardPaths::findExecutable(name);
        if (!file.isEmpty() && !player.isEmpty() && startPlayer(player, {file}))
            return;
    }
    QApplication::beep();
}

} // namespace ringmaster::app
