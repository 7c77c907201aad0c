#pragma once

#include <optional>
#include <string>
#include <vector>

namespace ringmaster {

/// Where a store has to listen so that this machine, and others that know it as `host`, reach it:
/// loopback, and the addresses of `host` that an interface here has; all that the interfaces have
/// where the name is known here as a loopback one only. Looks a name up unless it is a loopback
/// one.
std::vector<std::string> listenAddresses(const std::string& host);

/// localhost, or an address in the notation of a loopback one. Looks nothing up.
bool isLoopbackName(const std::string& host);

/// Whether `host` names this machine: localhost, a loopback address, the host's name, or an address
/// of one of its interfaces. Looks the name up unless it is one of the first three.
bool isThisMachine(const std::string& host);

/// The first address of a network interface, IPv4 before IPv6; nothing where it has none.
std::optional<std::string> addressOfInterface(const std::string& name);

/// This machine's address on the way to `host`; nothing is sent. Looks the name up.
std::optional<std::string> addressTowards(const std::string& host);

/// The machine's name as it calls itself.
std::string shortHostName();

/// The machine's name as torchrun publishes it: fully qualified where the resolver knows more than
/// the name.
std::string fullHostName();

} // namespace ringmaster
