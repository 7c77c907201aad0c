#pragma once

#include <string>
#include <vector>

namespace ringmaster {

/// What /proc says of this process as its command line and its environment: those of a program
/// that was started without exec. ps, py-spy and the sweep by the run's token read them there.
/// False where the kernel can't (no CONFIG_CHECKPOINT_RESTORE): the old ones stay.
bool setProcessImage(const std::vector<std::string>& arguments,
                     const std::vector<std::string>& environment);

} // namespace ringmaster
