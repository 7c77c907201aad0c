#include "engine/rendezvous/RendezvousStateValidator.h"

#include "engine/rendezvous/State.h"
#include "engine/rendezvous/StateCodec.h"

namespace ringmaster {

bool isHarmlessWrite(std::string_view key, std::string_view value)
{
    // Keys of a round have a path below the id: texts and numbers, which nobody unpickles.
    if (!key.starts_with(RunKeyPrefix) ||
        key.find('/', RunKeyPrefix.size()) != std::string_view::npos)
        return true;
    return value == EmptyStateText || decodeState(value).has_value();
}

} // namespace ringmaster
