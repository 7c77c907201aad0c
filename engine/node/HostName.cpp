#include "engine/node/HostName.h"

#include "engine/base/Thread.h"
#include "engine/machine/LocalAddresses.h"

#include <chrono>
#include <future>
#include <memory>

namespace ringmaster {

namespace {

constexpr auto LookupPatience = std::chrono::milliseconds(300);

} // namespace

std::string hostNameSoon()
{
    auto promise = std::make_shared<std::promise<std::string>>();
    auto future = promise->get_future();
    // Left behind where the resolver hangs: nothing of ours is touched by it then.
    auto thread = startThread("rm-lookup", [promise] { promise->set_value(fullHostName()); });
    if (!thread)
        return shortHostName();
    thread->detach();
    return future.wait_for(LookupPatience) == std::future_status::ready ? future.get()
                                                                        : shortHostName();
}

} // namespace ringmaster
