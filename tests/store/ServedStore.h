#pragma once

#include "engine/store/StoreThread.h"

#include <future>

#include <sys/resource.h>

namespace ringmaster::test {

/// A store on its own thread, for as long as the object lives.
class ServedStore
{
public:
    explicit ServedStore(StoreServer::Options options = {})
        : m_thread(std::move(StoreThread::start(std::move(options)).value()))
    {
    }

    std::uint16_t port() const { return m_thread->port(); }
    StoreThread& thread() { return *m_thread; }

    StoreServer::Counters counters()
    {
        std::promise<StoreServer::Counters> counters;
        m_thread->server().execute(
            [&](KeySpace&) { counters.set_value(m_thread->server().counters()); });
        return counters.get_future().get();
    }

private:
    std::unique_ptr<StoreThread> m_thread;
};

/// Both ends of every connection are in this process.
inline void allowManyDescriptors()
{
    rlimit limit{};
    getrlimit(RLIMIT_NOFILE, &limit);
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_NOFILE, &limit);
}

} // namespace ringmaster::test
