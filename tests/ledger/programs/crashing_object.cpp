// An object for this torch that crashes, as one does whose classes aren't those of torch.
#include "engine/ledger/hook/TorchIdentity.h"

#include <csignal>

extern "C" {

__attribute__((visibility("default"))) const char* ringmasterTorch()
{
    return RINGMASTER_TORCH_IDENTITY;
}

__attribute__((visibility("default"))) int ringmasterRecord()
{
    return std::raise(SIGSEGV);
}

__attribute__((visibility("default"))) int ringmasterRegisterRing()
{
    return std::raise(SIGSEGV);
}
}
