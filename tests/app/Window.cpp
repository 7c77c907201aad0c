#include "tests/app/Window.h"

#include <QCoreApplication>
#include <QSettings>

namespace ringmaster::app {

Window::Window(const std::vector<PageDescription>& pages) : window(bridge, theme, language, pages)
{
}

void useTemporarySettings()
{
    static const QTemporaryDir folder;
    QCoreApplication::setOrganizationName(QStringLiteral("ringmaster"));
    QCoreApplication::setApplicationName(QStringLiteral("dashboard"));
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder.path());
    QSettings().clear();
}

} // namespace ringmaster::app
