#pragma once

#include "app/main/MainWindow.h"
#include "engine/control/LocalCluster.h"
#include "tests/cli/Ringmaster.h"

namespace ringmaster::app {

/// The dashboard as its main() puts it together, over real agents, with folders and settings of its
/// own.
class RealDashboard
{
private:
    /// Before anything asks where the folders are.
    class SystemInfo
    {
    public:
        explicit SystemInfo(const QString& runtimeFolder);

        Ringmaster command;
    } m_systemInfo;

public:
    /// `runtimeFolder`: one that several share, and with it their warm starters; empty: its own.
    explicit RealDashboard(const QString& runtimeFolder = {});

    QString folder() const { return m_systemInfo.command.folder(); }
    const Ringmaster& command() const { return m_systemInfo.command; }

    LocalCluster cluster;
    EngineBridge bridge{cluster};
    Theme theme;
    Language language;
    MainWindow window;
};

} // namespace ringmaster::app
