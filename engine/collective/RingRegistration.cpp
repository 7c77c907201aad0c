#include "engine/collective/RingBackend.h"

#include <pybind11/chrono.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/version.h>

namespace ringmaster::collective {

namespace {

c10::intrusive_ptr<c10d::Backend> create(const c10::intrusive_ptr<c10d::Store>& store, int rank,
                                         int size, std::chrono::milliseconds timeout)
{
    return c10::make_intrusive<RingBackend>(store, rank, size,
                                            RingOptions::fromEnvironment(timeout));
}

} // namespace

} // namespace ringmaster::collective

// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables): pybind11's own.
PYBIND11_MODULE(_ring, module)
{
    module.doc() = "Ringmaster's ring, for torch.distributed";
    module.attr("torch_version") = TORCH_VERSION;
    module.def("create", &ringmaster::collective::create, pybind11::arg("store"),
               pybind11::arg("rank"), pybind11::arg("size"), pybind11::arg("timeout"),
               pybind11::call_guard<pybind11::gil_scoped_release>());
}
