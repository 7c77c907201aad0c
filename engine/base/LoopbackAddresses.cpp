#include "engine/base/LoopbackAddresses.h"

namespace ringmaster {

std::vector<std::string> loopbackAddresses()
{
    return {"127.0.0.1", "::1", "127.0.1.1"};
}

} // namespace ringmaster
