#pragma once

class QWidget;

namespace ringmaster::app {

class MachineBridge;

/// Puts the machines that are watched into a window: those of the last session, which the Hosts
/// page changes and the side bar tells of.
void showMachines(QWidget& window, MachineBridge& machines);

} // namespace ringmaster::app
