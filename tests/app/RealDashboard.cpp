#include "tests/app/RealDashboard.h"

#include "app/main/Pages.h"
#include "tests/app/Window.h"

namespace ringmaster::app {

namespace {

/// With folders that are this process's from now on.
std::shared_ptr<const Ringmaster> commandWithFolders(const QString& runtimeFolder)
{
    auto command = std::make_shared<const Ringmaster>(runtimeFolder);
    useTemporarySettings();
    for (const char* name : {"XDG_RUNTIME_DIR", "XDG_STATE_HOME", "OMP_NUM_THREADS"})
        qputenv(name, command->environment().value(QLatin1String(name)).toLocal8Bit());
    return command;
}

} // namespace

RealDashboard::RealDashboard(const QString& runtimeFolder)
    : m_command(commandWithFolders(runtimeFolder))
    , cluster({.command = Ringmaster::executable().toStdString()})
    , window(bridge, theme, language, pages())
{
    language.choose(Language::Choice::English);
}

} // namespace ringmaster::app
