#include "engine/control/ControlServer.h"

#include "engine/base/LoopCall.h"
#include "engine/base/Thread.h"
#include "engine/control/Codes.h"
#include "engine/control/ControlService.h"

#include <future>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto EndPatience = 1s;

} // namespace

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

std::vector<RankActivity> ControlServer::Recording::ranks(const std::vector<int>& /*stacks*/)
{
    return {};
}

Result<RecordedMetrics> ControlServer::Recording::metrics()
{
    return fail(code::NotSupported, {{"what", "Metrics"}});
}

ControlServer::ControlServer(EventLoop& agentLoop, Host& host, Recording& recording,
                             Options options)
    : m_service(std::make_shared<ControlService>(m_loop, m_reading.loop(), agentLoop, host,
                                                 recording, std::move(options)))
    , m_thread(startThreadOrThrow("rm-control", [this] { m_loop.run(); }))
{
}

ControlServer::~ControlServer()
{
    callOnLoop(m_loop, [this] { m_service->beginEnd(); });
    // The server's threads go on meanwhile: subscribers take what is left, RPCs end.
    m_service->shutDown(EndPatience);
    m_reading.stop();
    m_loop.post([this] { m_loop.stop(); });
    m_thread.join();
    m_service->letSubscribersGo();
}

Result<std::filesystem::path> ControlServer::listen(const std::filesystem::path& folder)
{
    // The socket must be there when this returns, and its watch belongs to the server's thread.
    std::promise<Result<std::filesystem::path>> opened;
    m_loop.post([this, &folder, &opened] { opened.set_value(m_service->listen(folder)); });
    return opened.get_future().get();
}

Result<int> ControlServer::serveMetrics(int port)
{
    std::promise<Result<int>> opened;
    m_loop.post([this, port, &opened] { opened.set_value(m_service->serveMetrics(port)); });
    return opened.get_future().get();
}

void ControlServer::serve(FileDescriptor connection)
{
    m_loop.post([this, held = std::make_shared<FileDescriptor>(std::move(connection))] {
        m_service->accept(std::move(*held));
    });
}

void ControlServer::publish(const Event& event)
{
    m_loop.post([this, event] { m_service->publish(event); });
}

} // namespace ringmaster
