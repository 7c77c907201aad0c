#include "engine/store/HostLookup.h"

#include "engine/base/FileDescriptor.h"
#include "engine/base/Thread.h"
#include "engine/store/Codes.h"

#include <mutex>

#include <netdb.h>

namespace ringmaster {

using Addresses = std::vector<SocketAddress>;

/// Shared with the thread that asks, which nobody waits for: it may outlive the lookup.
struct HostLookup::Answer
{
    Pipe pipe{}; ///< Its writing end is closed once `addresses` is there.
    std::mutex mutex{};
    Result<Addresses> addresses{};

    Result<Addresses> get()
    {
        const std::lock_guard lock(mutex);
        return addresses;
    }
    void put(Result<Addresses> found)
    {
        const std::lock_guard lock(mutex);
        addresses = std::move(found);
        pipe.writeEnd.close();
    }
};

namespace {

Result<Addresses> withoutResolver(const std::string& host, std::uint16_t port)
{
    if (host == "localhost")
        return Addresses{RM_TRY(SocketAddress::parse("127.0.0.1", port)),
                         RM_TRY(SocketAddress::parse("::1", port))};
    return Addresses{RM_TRY(SocketAddress::parse(host, port))};
}

Result<Addresses> askResolver(const std::string& host, std::uint16_t port)
{
    addrinfo hints{};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_ADDRCONFIG | AI_NUMERICSERV;
    addrinfo* found = nullptr;
    const int problem = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (problem != 0)
        return fail(code::StoreHostUnknown, {{"host", host}}, gai_strerror(problem));
    Addresses addresses;
    for (const addrinfo* each = found; each; each = each->ai_next)
        addresses.emplace_back(each->ai_addr, each->ai_addrlen);
    freeaddrinfo(found);
    return addresses;
}

} // namespace

HostLookup::HostLookup(EventLoop& loop, std::string host, std::uint16_t port, Done done)
{
    if (auto known = withoutResolver(host, port)) {
        m_ready = loop.callAfter({}, [known, done = std::move(done)] { done(known); });
        return;
    }
    auto pipe = makePipe();
    if (!pipe) {
        m_ready = loop.callAfter(
            {}, [error = pipe.error(), done = std::move(done)] { done(tl::unexpected(error)); });
        return;
    }
    m_answer = std::make_shared<Answer>();
    m_answer->pipe = std::move(*pipe);
    m_ready = loop.watchReadable(m_answer->pipe.readEnd.get(),
                                 [answer = m_answer, done = std::move(done), this] {
                                     m_ready.cancel();
                                     done(answer->get());
                                 });
    auto thread = startThread("rm-lookup", [answer = m_answer, host = std::move(host), port] {
        answer->put(askResolver(host, port));
    });
    if (thread)
        thread->detach(); // where the resolver hangs, it is left behind
    else
        m_answer->put(tl::unexpected(thread.error()));
}

} // namespace ringmaster
