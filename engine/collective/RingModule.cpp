#include "engine/collective/RingBackend.h"

#include <cstdlib>

#include <pybind11/chrono.h>
#include <torch/csrc/utils/pybind.h>
#include <torch/version.h>

namespace ringmaster::collective {

namespace {

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : value;
}

ring::Algorithm algorithmNamed(const std::string& name)
{
    for (const auto algorithm : {ring::Algorithm::Auto, ring::Algorithm::Ring,
                                 ring::Algorithm::Tree, ring::Algorithm::Direct}) {
        if (name == nameOf(algorithm))
            return algorithm;
    }
    TORCH_CHECK(name.empty(), "RINGMASTER_RING_ALGORITHM is '", name,
                "', but must be auto, ring, tree or direct");
    return ring::Algorithm::Auto;
}

c10::intrusive_ptr<c10d::Backend> create(const c10::intrusive_ptr<c10d::Store>& store, int rank,
                                         int size, std::chrono::milliseconds timeout)
{
    RingBackend::Options options{timeout, algorithmNamed(variable("RINGMASTER_RING_ALGORITHM")),
                                 variable("RINGMASTER_RING_INTERFACE")};
    // What a job already says for gloo holds for the ring too.
    if (options.interface.empty())
        options.interface = variable("GLOO_SOCKET_IFNAME");
    return c10::make_intrusive<RingBackend>(store, rank, size, std::move(options));
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
