#include "app/main/AlertSound.h"

#include <QApplication>
#include <QProcess>
#include <QStandardPaths>

namespace ringmaster::app {

void playAlertSound(bool isBadNews)
{
    // Names of the sound naming specification, which every sound theme knows.
    const QString sound = isBadNews ? QStringLiteral("dialog-warning") : QStringLiteral("complete");
    const QString canberra = QStandardPaths::findExecutable(QStringLiteral("canberra-gtk-play"));
    if (!canberra.isEmpty() && QProcess::startDetached(canberra, {QStringLiteral("-i"), sound}))
        return;
    const QString file =
        QStandardPaths::locate(QStandardPaths::GenericDataLocation,
                               QStringLiteral("sounds/freedesktop/stereo/%1.oga").arg(sound));
    for (const QString& name : {QStringLiteral("pw-play"), QStringLiteral("paplay")}) {
        const QString player = QStandardPaths::findExecutable(name);
        if (!file.isEmpty() && !player.isEmpty() && QProcess::startDetached(player, {file}))
            return;
    }
    QApplication::beep();
}

} // namespace ringmaster::app
