#pragma once

#include "app/main/MainWindow.h"
#include "engine/control/LocalCluster.h"
#include "tests/cli/Ringmaster.h"

#include <memory>

namespace ringmaster::app {

/// The dashboard as its main() puts it together, over real agents, with folders and settings of its
/// own.
class RealDashboard
{
private:
    std::shared_ptr<const Ringmaster> m_command; ///< First: it says where the folders are.

public:
    /// `runtimeFolder`: one that several share, and with it their warm starters; empty: its own.
    explicit RealDashboard(const QString& runtimeFolder = {});

    QString folder() const { return m_command->folder(); }
    const Ringmaster& command() const { return *m_command; }
    /// The folders are there as long as somebody has it: agents may outlive the dashboard.
    std::shared_ptr<const Ringmaster> sharedCommand() const { return m_command; }

    LocalCluster cluster;
    EngineBridge bridge{cluster};
    Theme theme;
    Language language;
    MainWindow window;
};

} // namespace ringmaster::app
