#pragma once

#include "engine/base/FileDescriptor.h"
#include "engine/event/LeadCommands.h"

namespace ringmaster {

// How a channel between a lead and an agent begins: the agent says ByteChannel::Sentinel, the lead
// answers with the order, and from then on both speak the control service.

/// The lead's part. The channel's buffer takes it at once.
Result<void> sendLaunchRequest(int channel, const AgentLaunchRequest& order);

/// The agent's part; waits for it.
Result<AgentLaunchRequest> receiveLaunchRequest(int input);

/// Which machine this is, and since which start of it: "boot-id:ticks".
std::string machineLife();

/// Exit code of an agent command that was to find an agent which isn't there.
constexpr int AgentNotThereExit = 69;
/// … and of one whose lead isn't the run's any more.
constexpr int LeadReplacedExit = 70;
/// … and of one whose agent lives, but takes no connection now: it can be tried again.
constexpr int AgentBusyExit = 71;

} // namespace ringmaster
