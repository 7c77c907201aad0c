#include "engine/store/StoreThread.h"

#include <csignal>

#include <pthread.h>

namespace ringmaster {

namespace {

/// Signals are the agent's business: a thread inherits the mask of the one that starts it.
std::thread startWithoutSignals(std::function<void()> body)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    std::thread thread(std::move(body));
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

} // namespace

Result<std::unique_ptr<StoreThread>> StoreThread::start(StoreServer::Options options)
{
    options.hasLoopForItself = true;
    std::unique_ptr<StoreThread> made(new StoreThread);
    made->m_server = RM_TRY(StoreServer::listen(made->m_loop, std::move(options)));
    made->m_thread = startWithoutSignals([&loop = made->m_loop] {
        pthread_setname_np(pthread_self(), "rm-store");
        loop.run();
    });
    return made;
}

StoreThread::~StoreThread()
{
    if (m_server)
        m_server->execute([this](KeySpace&) { m_loop.stop(); });
    if (m_thread.joinable())
        m_thread.join();
}

std::unique_ptr<Store> StoreThread::localStore(EventLoop& loop)
{
    return std::make_unique<LocalStore>(*m_server, loop);
}

} // namespace ringmaster
