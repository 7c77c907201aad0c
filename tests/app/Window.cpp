#include "tests/app/Window.h"

#include <QCoreApplication>
#include <QSettings>

namespace ringmaster::app {

Window::Window(const std::vector<PageDescription>& pages) : window(bridge, theme, language, pages)
{
}

namespace {

/// Each window asks all interpreters that it finds. Of a developer's machine with pyenv that would
/// be dozens of starts in each test, most of them by shell scripts that never keep an answer.
void leavePyenvOut(const QTemporaryDir& folder)
{
    QStringList path = qEnvironmentVariable("PATH").split(u':');
    path.removeIf([](const QString& entry) { return entry.endsWith(QLatin1String("/shims")); });
    qputenv("PATH", QFile::encodeName(path.join(u':')));
    qputenv("PYENV_ROOT", QFile::encodeName(folder.path()));
}

} // namespace

void useTemporarySettings()
{
    static const QTemporaryDir folder;
    QCoreApplication::setOrganizationName(QStringLiteral("ringmaster"));
    QCoreApplication::setApplicationName(QStringLiteral("dashboard"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QSettings().clear();
    leavePyenvOut(folder);
}

} // namespace ringmaster::app
