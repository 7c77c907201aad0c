#include "engine/collective/sweep/Backends.h"

#include "engine/base/Paths.h"
#include "engine/collective/Codes.h"
#include "engine/collective/RingBackend.h"
#include "engine/collective/sweep/Options.h"

#include <dlfcn.h>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

namespace ringmaster::collective {

namespace {

constexpr const char* NcclObject = "ringmaster-sweep-nccl.so";

SweepBackend gloo(const SweepMembership& membership)
{
    auto options = c10d::ProcessGroupGloo::Options::create(membership.timeout);
    // As init_process_group() chooses, but for a name that can't be resolved: then loopback.
    for (const std::string& interface : listOf(environmentVariable("GLOO_SOCKET_IFNAME")))
        options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForInterface(interface));
    if (options->devices.empty())
        options->devices.push_back(
            environmentVariable("MASTER_ADDR") == "localhost"
                ? c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1")
                : c10d::ProcessGroupGloo::createDefaultDevice());
    return {.group = c10::make_intrusive<c10d::ProcessGroupGloo>(membership.store, membership.rank,
                                                                 membership.ranks, options)};
}

SweepBackend ring(const SweepMembership& membership)
{
    auto group =
        c10::make_intrusive<RingBackend>(membership.store, membership.rank, membership.ranks,
                                         RingOptions::fromEnvironment(membership.timeout));
    return {.group = group, .algorithm = [group] { return group->lastAlgorithm(); }};
}

SweepBackend nccl(const SweepMembership& membership)
{
    const auto here = executableFolder();
    void* object = nullptr;
    for (const auto& folder : {here, here.parent_path() / "libexec/ringmaster"}) {
        if (object == nullptr)
            object = ::dlopen((folder / NcclObject).c_str(), RTLD_NOW | RTLD_LOCAL);
    }
    TORCH_CHECK(object != nullptr, ::dlerror());
    using Join = void(const SweepMembership&, SweepBackend&);
    auto* join = reinterpret_cast<Join*>(::dlsym(object, "ringmasterJoinNccl"));
    TORCH_CHECK(join != nullptr, NcclObject, " is another version's");
    SweepBackend joined;
    join(membership, joined);
    return joined;
}

} // namespace

Result<SweepBackend> joinBackend(const std::string& name, const SweepMembership& membership)
{
    try {
        if (name == "gloo")
            return gloo(membership);
        if (name == "ring")
            return ring(membership);
        if (name == "nccl")
            return nccl(membership);
        return fail(code::BackendUnavailable, {{"backend", name}, {"reason", "unknown"}});
    } catch (const std::exception& exception) {
        return fail(code::BackendUnavailable, {{"backend", name}, {"reason", reasonOf(exception)}});
    }
}

std::string reasonOf(const std::exception& exception)
{
    const auto* error = dynamic_cast<const c10::Error*>(&exception);
    std::string text = error != nullptr ? error->what_without_backtrace() : exception.what();
    return text.substr(0, text.find('\n'));
}

} // namespace ringmaster::collective
