#pragma once

#include <string>

namespace ringmaster {

/// The other end of a HostProbe: answers on `output` what is asked on `input`, line by line, until
/// that ends.
void answerHostProbe(int input, int output);

/// Of this machine.
bool isOnPath(const std::string& program);

} // namespace ringmaster
