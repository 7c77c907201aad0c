#include "engine/control/ControlServer.h"

#include "engine/base/Codes.h"
#include "engine/base/Log.h"
#include "engine/base/Thread.h"
#include "engine/control/ControlServerImpl.h"

#include <future>

namespace ringmaster {

Result<void> ControlServer::Host::obeys(std::uint64_t /*generation*/)
{
    return {};
}

Result<HeartbeatReply> ControlServer::Host::heartbeat(const Heartbeat& /*heartbeat*/)
{
    return fail(code::NotSupported, {{"what", "A lead"}});
}

void ControlServer::Host::takeStacks(std::function<void(Result<KeptEvidence>)> answer)
{
    answer(fail(code::NotSupported, {{"what", "Taking stacks"}}));
}

Result<OperationPage> ControlServer::Recording::operations(std::uint64_t /*cursor*/)
{
    return fail(code::NotSupported, {{"what", "Operations"}});
}

std::vector<RankState> ControlServer::Recording::ranks(const std::vector<int>& /*stacks*/)
{
    return {};
}

ControlServer::ControlServer(EventLoop& agentLoop, Host& host, Recording& recording,
                             Options options)
    : m_impl(std::make_shared<Impl>(agentLoop, host, recording, std::move(options)))
{
    m_impl->thread = startThreadOrThrow("rm-control", [impl = m_impl.get()] { impl->loop.run(); });
}

ControlServer::~ControlServer()
{
    m_impl->end();
}

Result<std::filesystem::path> ControlServer::listen(const std::filesystem::path& folder)
{
    // The socket must be there when this returns, and its watch belongs to the server's thread.
    std::promise<Result<std::filesystem::path>> opened;
    m_impl->loop.post([this, &folder, &opened] { opened.set_value(m_impl->listen(folder)); });
    return opened.get_future().get();
}

void ControlServer::serve(FileDescriptor connection)
{
    m_impl->loop.post([impl = m_impl.get(), held = std::make_shared<FileDescriptor>(std::move(
                                                connection))] { impl->serve(std::move(*held)); });
}

void ControlServer::publish(const Event& event)
{
    m_impl->loop.post([impl = m_impl.get(), event] { impl->publish(event); });
}

} // namespace ringmaster
