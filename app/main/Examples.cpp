#include "app/main/Examples.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace ringmaster::app {

namespace {

struct ExampleText
{
    Q_DECLARE_TR_FUNCTIONS(Examples)
};

} // namespace

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

QString noExampleText(const QString& name)
{
    return ExampleText::tr("There is no example named %1.").arg(name);
}

} // namespace ringmaster::app
