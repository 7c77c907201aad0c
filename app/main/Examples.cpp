#include "app/main/MainWindow.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace ringmaster::app {

QString exampleFile(const QString& name)
{
    const QDir executable(QCoreApplication::applicationDirPath());
    const QString candidates[] = {
        executable.filePath(QStringLiteral("../share/ringmaster/examples")),
        QStringLiteral(RINGMASTER_EXAMPLES),
    };
    for (const QString& folder : candidates) {
        const QString path =
            QDir::cleanPath(folder + QLatin1Char('/') + name) + QStringLiteral(".ringjob");
        if (QFileInfo::exists(path))
            return path;
    }
    return {};
}

} // namespace ringmaster::app
