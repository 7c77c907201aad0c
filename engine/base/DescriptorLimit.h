#pragma once

#include <string>

#include <sys/resource.h>
#include <sys/types.h>

namespace ringmaster {

/// Lets this process have as many descriptors as the system allows it: an agent needs several a
/// worker, a lead several a host. What it starts keeps the limit that the user has set, since
/// programs that use select() break above 1024.
void raiseDescriptorLimit();

/// The soft limit before raiseDescriptorLimit(), or the present one.
rlim_t usersDescriptorLimit();

/// "NAME=value" for the environment of ringmaster-keeper, which gives what it starts that limit: it
/// forks before restoreDescriptorLimit() could reach it.
std::string usersDescriptorLimitVariable();

/// Gives a child that was just started the user's limit back; 0: this process, between fork() and
/// exec().
void restoreDescriptorLimit(pid_t child);

} // namespace ringmaster
