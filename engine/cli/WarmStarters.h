#pragma once

namespace ringmaster {

/// `ringmaster ps --warm` and `ringmaster stop --warm`; their exit codes.
int printWarmStarters(bool isJson);
int stopWarmStarters();

} // namespace ringmaster
