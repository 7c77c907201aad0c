#include "engine/store/StoreThread.h"

#include "engine/base/Thread.h"

namespace ringmaster {

Result<std::unique_ptr<StoreThread>> StoreThread::start(StoreServer::Options options)
{
    options.hasLoopForItself = true;
    std::unique_ptr<StoreThread> made;
    RM_TRY(guardThreads([&]() -> Result<void> {
        made.reset(new StoreThread);
        made->m_server = RM_TRY(StoreServer::listen(made->m_loop, std::move(options)));
        made->m_thread = startThreadOrThrow("rm-store", [&loop = made->m_loop] { loop.run(); });
        return {};
    }));
    return made;
}

StoreThread::~StoreThread()
{
    if (m_thread.joinable())
        m_server->execute([this](KeySpace&) { m_loop.stop(); });
    if (m_thread.joinable())
        m_thread.join();
}

std::unique_ptr<Store> StoreThread::localStore(EventLoop& loop)
{
    return std::make_unique<LocalStore>(*m_server, loop);
}

} // namespace ringmaster
