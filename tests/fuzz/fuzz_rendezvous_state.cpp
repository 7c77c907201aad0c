#include "engine/rendezvous/Base64.h"
#include "engine/rendezvous/PickleReader.h"
#include "engine/rendezvous/StateCodec.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

using namespace ringmaster;

/// What is accepted as a state is written as a state that is read as the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    (void)decodeState(bytes);
    (void)pickle::read(bytes);
    const Result<RendezvousState> state = decodeState(encodeBase64(bytes));
    if (!state)
        return 0;
    const Result<RendezvousState> again = decodeState(encodeState(*state));
    if (!again || *again != *state)
        std::abort();
    return 0;
}
