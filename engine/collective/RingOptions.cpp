#include "engine/collective/RingOptions.h"

#include <cstdlib>
#include <stdexcept>

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
    if (!name.empty())
        throw std::runtime_error("RINGMASTER_RING_ALGORITHM is '" + name +
                                 "', but must be auto, ring, tree or direct");
    return ring::Algorithm::Auto;
}

} // namespace

RingOptions RingOptions::fromEnvironment(std::chrono::milliseconds timeout)
{
    RingOptions options{timeout, algorithmNamed(variable("RINGMASTER_RING_ALGORITHM")),
                        variable("RINGMASTER_RING_INTERFACE"), variable("RINGMASTER_RING_STEPS"),
                        variable("RINGMASTER_RING_FAULT")};
    // What a job already says for gloo holds for the ring too, which needs one: gloo takes several.
    if (options.interface.empty()) {
        const std::string all = variable("GLOO_SOCKET_IFNAME");
        options.interface = all.substr(0, all.find(','));
    }
    return options;
}

} // namespace ringmaster::collective
