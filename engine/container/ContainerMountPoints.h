#pragma once

#include "engine/container/ContainerCommand.h"

namespace ringmaster {

/// Makes the folders of an image that charliecloud would make itself when it may write there
/// (--write): of two workers that start at once one finds that the other has just made such a
/// folder, and fails. A link within the image isn't followed; what can't be made is left to it.
void makeMountPoints(const ContainerSpec& spec, const ContainerFacts& facts);

} // namespace ringmaster
