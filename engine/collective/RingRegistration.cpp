// How the user's Python gets at the ring: by an operator that puts it into a process group that is
// made for that. So neither Python's headers nor pybind11 are needed, and one object serves every
// Python of one torch.

#include "engine/collective/RingBackend.h"
#include "engine/ledger/hook/TorchIdentity.h"

#include <cstring>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/library.h>

namespace ringmaster::collective {

namespace {

/// Before torch 2.11 it has no getter.
struct GroupAccess : c10d::ProcessGroup
{
    static c10::intrusive_ptr<c10d::Store> storeOf(const c10d::ProcessGroup& group)
    {
        return group.*(&GroupAccess::store_);
    }
};

void attach(const c10::intrusive_ptr<c10d::ProcessGroup>& group, std::int64_t rank,
            std::int64_t size, std::int64_t timeoutMs)
{
    const auto options = RingOptions::fromEnvironment(std::chrono::milliseconds(timeoutMs));
    auto backend = c10::make_intrusive<RingBackend>(
        GroupAccess::storeOf(*group), static_cast<int>(rank), static_cast<int>(size), options);
    group->setBackend(c10::DeviceType::CPU, c10d::ProcessGroup::BackendType::CUSTOM,
                      c10::intrusive_ptr<c10d::Backend>(std::move(backend)));
}

} // namespace

} // namespace ringmaster::collective

extern "C" {

/// The torch that this is compiled for: version, commit and ABI of std::string.
__attribute__((visibility("default"))) const char* ringmasterTorch()
{
    return RINGMASTER_TORCH_IDENTITY;
}

/// Makes the operator; not while it is loaded, for the loader asks ringmasterTorch() before. 0, or
/// 1 with the reason in `error`. Once a process.
__attribute__((visibility("default"))) int ringmasterRegisterRing(char* error, size_t errorSize)
{
    try {
        // Never destroyed: groups may outlive the statics.
        auto* library = new torch::Library(torch::Library::DEF, "ringmaster_ring", std::nullopt,
                                           __FILE__, __LINE__);
        library->def("attach(__torch__.torch.classes.c10d.ProcessGroup group, int rank, int size, "
                     "int timeout_ms) -> ()",
                     &ringmaster::collective::attach);
        return 0;
    } catch (const std::exception& exception) {
        std::strncpy(error, exception.what(), errorSize - 1);
        return 1;
    }
}
}
