#include "app/main/MainWindow.h"

#include <QCoreApplication>
#include <QDir>

namespace ringmaster::app {

QString examplesFolder()
{
    const QDir executable(QCoreApplication::applicationDirPath());
    const QString candidates[] = {
        executable.filePath(QStringLiteral("../share/ringmaster/examples")),
        QStringLiteral(RINGMASTER_EXAMPLES),
    };
    for (const QString& folder : candidates) {
        if (QDir(folder).exists())
            return QDir::cleanPath(folder);
    }
    return {};
}

} // namespace ringmaster::app
