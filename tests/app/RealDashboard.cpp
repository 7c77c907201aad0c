#include "tests/app/RealDashboard.h"

#include "app/main/Pages.h"
#include "tests/app/Window.h"

namespace ringmaster::app {

RealDashboard::SystemInfo::SystemInfo(const QString& runtimeFolder) : command(runtimeFolder)
{
    useTemporarySettings();
    for (const char* name : {"XDG_RUNTIME_DIR", "XDG_STATE_HOME", "OMP_NUM_THREADS"})
        qputenv(name, command.environment().value(QLatin1String(name)).toLocal8Bit());
}

RealDashboard::RealDashboard(const QString& runtimeFolder)
    : m_systemInfo(runtimeFolder)
    , cluster({.command = Ringmaster::executable().toStdString()})
    , window(bridge, theme, language, pages())
{
    language.choose(Language::Choice::English);
}

} // namespace ringmaster::app
