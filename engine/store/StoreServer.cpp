#include "engine/store/StoreServer.h"

#include "engine/base/Log.h"
#include "engine/store/LocalWaits.h"
#include "engine/store/ServedConnection.h"

#include <algorithm>
#include <cerrno>
#include <map>
#include <unordered_map>

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>

namespace ringmaster {

namespace {

constexpr size_t ComplaintsLogged = 100;
constexpr int AcceptsAtOnce = 256;

FileDescriptor spareDescriptor()
{
    return FileDescriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

} // namespace

class StoreServer::Impl final : public ServedConnection::Host
{
public:
    Impl(EventLoop& loop, Options options)
        : m_loop(loop)
        , m_options(std::move(options))
        , m_keys(m_options.limits, m_options.writeFilter)
        , m_localWaits(m_keys, m_loop)
    {
    }

    ~Impl() override
    {
        m_sweep.cancel();
        m_connections.clear();
    }

    Result<void> start();

    void runTask(const std::function<void(KeySpace&)>& task)
    {
        task(m_keys);
        m_keys.tellWaiters();
        sendLateReplies();
    }

    void wait(std::vector<std::string> keys, std::chrono::milliseconds timeout,
              std::function<void(KeySpace&, Result<void>)> task)
    {
        m_localWaits.wait(std::move(keys), timeout,
                          [this, then = std::move(task)](Result<void> result) {
                              then(m_keys, std::move(result));
                          });
        m_localWaits.sweep();
    }

    void post(EventLoop::Task task)
    {
        m_loop.post(std::move(task));
        m_poller->returnToLoop();
    }
    std::uint16_t port() const { return m_port; }
    Counters counters() const
    {
        return {m_connections.size(), m_accepted,     m_refused,
                m_keys.keyCount(),    m_keys.bytes(), m_bufferedBytes};
    }

private:
    struct Listener final : Poller::Handler
    {
        Listener(Impl& impl, FileDescriptor fd) : owner(impl), socket(std::move(fd)) {}
        void ready(std::uint32_t) override { owner.acceptFrom(socket.get()); }

        Impl& owner;
        FileDescriptor socket;
    };

    void ended(ServedConnection& connection) override;
    void refused(const ServedConnection& connection, const Error& reason) override;
    void hasLateReply(ServedConnection& connection) override { m_late.push_back(&connection); }
    bool accountBuffers(std::size_t before, std::size_t now) override;
    void unsettledChanged(bool isUnsettled) override;

    void acceptFrom(int listener);
    void welcome(FileDescriptor socket, const SocketAddress& peer);
    bool isWelcome(const SocketAddress& peer);
    void complain(const SocketAddress::HostBytes& peer, const Error& reason) const;
    void sendLateReplies();
    void sweepSoon();
    void sweep();

    EventLoop& m_loop;
    Options m_options;
    KeySpace m_keys;
    LocalWaits m_localWaits;
    std::unique_ptr<Poller> m_poller;
    std::vector<std::unique_ptr<Listener>> m_listeners;
    std::vector<SocketAddress::HostBytes> m_allowedPeers;
    std::unique_ptr<ServedConnection::Shared> m_shared;
    std::unordered_map<int, std::unique_ptr<ServedConnection>> m_connections;
    std::map<SocketAddress::HostBytes, std::size_t> m_connectionsOfPeer;
    std::vector<ServedConnection*> m_late;
    FileDescriptor m_spare = spareDescriptor();
    EventLoop::Registration m_sweep;
    std::size_t m_unsettled = 0;
    std::size_t m_bufferedBytes = 0;
    std::size_t m_accepted = 0;
    std::size_t m_refused = 0;
    std::uint16_t m_port = 0;
};

Result<void> StoreServer::Impl::start()
{
    for (const std::string& peer : m_options.allowedPeers)
        m_allowedPeers.push_back(RM_TRY(SocketAddress::parse(peer, 0)).host());
    std::vector<FileDescriptor> sockets = RM_TRY(listenOn(m_options.addresses, m_options.port));
    m_poller = RM_TRY(Poller::create(m_loop,
                                     m_options.hasLoopForItself ? Poller::WhileBusy::Stays
                                                                : Poller::WhileBusy::ReturnsToLoop,
                                     [this] { sendLateReplies(); }));
    // NOLINTNEXTLINE(modernize-make-unique): clang 14 makes no aggregate from parentheses.
    m_shared.reset(new ServedConnection::Shared{*m_poller, *this});
    for (FileDescriptor& socket : sockets) {
        const SocketAddress address = SocketAddress::ofSocket(socket.get());
        m_port = address.port();
        if (address.isWildcard())
            log::warning("store", "listening on every interface (" + address.text() +
                                      "): the store has no access control");
        m_listeners.push_back(std::make_unique<Listener>(*this, std::move(socket)));
        RM_TRY(m_poller->add(m_listeners.back()->socket.get(), EPOLLIN, *m_listeners.back()));
    }
    return {};
}

void StoreServer::Impl::acceptFrom(int listener)
{
    for (int i = 0; i < AcceptsAtOnce; ++i) {
        sockaddr_storage storage{};
        socklen_t length = sizeof storage;
        auto* address = reinterpret_cast<sockaddr*>(&storage);
        FileDescriptor socket(::accept4(listener, address, &length, SOCK_NONBLOCK | SOCK_CLOEXEC));
        if (!socket.isOpen() && (errno == EMFILE || errno == ENFILE)) {
            // Without a descriptor the client would stay in the queue and wake us without end.
            m_spare.close();
            FileDescriptor(::accept4(listener, nullptr, nullptr, SOCK_CLOEXEC)).close();
            m_spare = spareDescriptor();
            ++m_refused;
            continue;
        }
        if (!socket.isOpen() && (errno == ECONNABORTED || errno == EINTR))
            continue;
        if (!socket.isOpen())
            return;
        welcome(std::move(socket), SocketAddress(address, length));
    }
}

void StoreServer::Impl::welcome(FileDescriptor socket, const SocketAddress& peer)
{
    if (!isWelcome(peer)) {
        ++m_refused;
        return;
    }
    const int fd = socket.get();
    auto connection =
        std::make_unique<ServedConnection>(std::move(socket), peer, m_keys, *m_shared);
    if (!connection->start()) {
        ++m_refused;
        return;
    }
    ++m_accepted;
    ++m_connectionsOfPeer[peer.host()];
    m_connections[fd] = std::move(connection);
}

bool StoreServer::Impl::isWelcome(const SocketAddress& peer)
{
    if (m_connections.size() >= m_options.connections)
        return false;
    const auto ofPeer = m_connectionsOfPeer.find(peer.host());
    if (ofPeer != m_connectionsOfPeer.end() && ofPeer->second >= m_options.connectionsPerPeer)
        return false;
    return m_allowedPeers.empty() || peer.isLoopback() ||
           std::find(m_allowedPeers.begin(), m_allowedPeers.end(), peer.host()) !=
               m_allowedPeers.end();
}

void StoreServer::Impl::ended(ServedConnection& connection)
{
    const auto ofPeer = m_connectionsOfPeer.find(connection.peer());
    if (--ofPeer->second == 0)
        m_connectionsOfPeer.erase(ofPeer);
    std::replace(m_late.begin(), m_late.end(), &connection,
                 static_cast<ServedConnection*>(nullptr));
    m_connections.erase(connection.descriptor());
}

void StoreServer::Impl::refused(const ServedConnection& connection, const Error& reason)
{
    ++m_refused;
    complain(connection.peer(), reason);
}

void StoreServer::Impl::complain(const SocketAddress::HostBytes& peer, const Error& reason) const
{
    // A hostile peer must not fill the disk.
    if (m_refused > ComplaintsLogged)
        return;
    log::warning("store", "port " + std::to_string(m_port) + ": closed a connection from " +
                              SocketAddress(peer).hostText() + ": " + describe(reason));
}

bool StoreServer::Impl::accountBuffers(std::size_t before, std::size_t now)
{
    m_bufferedBytes = m_bufferedBytes - before + now;
    return now <= before || m_bufferedBytes <= m_options.bufferedBytes;
}

void StoreServer::Impl::unsettledChanged(bool isUnsettled)
{
    m_unsettled = isUnsettled ? m_unsettled + 1 : m_unsettled - 1;
    if (isUnsettled && !m_sweep.isActive())
        sweepSoon();
}

void StoreServer::Impl::sweepSoon()
{
    const auto shortest = std::min(m_options.handshakeTimeout, m_options.requestTimeout);
    const auto period = std::min<std::chrono::milliseconds>(std::chrono::seconds(1), shortest / 4);
    m_sweep = m_loop.callAfter(period, [this] { sweep(); });
}

void StoreServer::Impl::sweep()
{
    const auto now = ServedConnection::Clock::now();
    std::vector<ServedConnection*> all;
    for (const auto& [fd, connection] : m_connections)
        all.push_back(connection.get());
    for (ServedConnection* connection : all)
        connection->checkPatience(now, {m_options.handshakeTimeout, m_options.requestTimeout});
    if (m_unsettled > 0)
        sweepSoon();
}

void StoreServer::Impl::sendLateReplies()
{
    // A reply that can't be sent ends its connection, which then leaves a hole.
    // NOLINTNEXTLINE(modernize-loop-convert): the list may grow meanwhile.
    for (size_t i = 0; i < m_late.size(); ++i) {
        if (m_late[i])
            m_late[i]->sendLateReply();
    }
    m_late.clear();
    m_localWaits.sweep();
}

StoreServer::StoreServer(std::shared_ptr<Impl> impl) : m_impl(std::move(impl)) {}
StoreServer::~StoreServer() = default;

Result<std::unique_ptr<StoreServer>> StoreServer::listen(EventLoop& loop, Options options)
{
    auto impl = std::make_shared<Impl>(loop, std::move(options));
    RM_TRY(impl->start());
    return std::unique_ptr<StoreServer>(new StoreServer(std::move(impl)));
}

std::uint16_t StoreServer::port() const
{
    return m_impl->port();
}

StoreServer::Counters StoreServer::counters() const
{
    return m_impl->counters();
}

void StoreServer::execute(std::function<void(KeySpace&)> task)
{
    m_impl->post([weak = std::weak_ptr<Impl>(m_impl), task = std::move(task)] {
        if (const auto impl = weak.lock())
            impl->runTask(task);
    });
}

void StoreServer::executeOnceThere(std::vector<std::string> keys, std::chrono::milliseconds timeout,
                                   std::function<void(KeySpace&, Result<void>)> task)
{
    m_impl->post([weak = std::weak_ptr<Impl>(m_impl), keys = std::move(keys), timeout,
                  task = std::move(task)]() mutable {
        if (const auto impl = weak.lock())
            impl->wait(std::move(keys), timeout, std::move(task));
    });
}

} // namespace ringmaster
