#include "engine/store/TcpStoreClient.h"

#include "engine/store/StoreChecks.h"
#include "engine/store/StoreConnection.h"
#include "engine/store/StoreWire.h"

#include <algorithm>
#include <list>

namespace ringmaster {

using wire::Opcode;
using Kind = StoreReplyReader::Kind;

class TcpStoreClient::Impl
{
public:
    Impl(EventLoop& eventLoop, Options given) : m_loop(eventLoop), m_options(std::move(given)) {}

    /// Sends a request, or says on the next turn why it can't be made; `convert` makes a T of a
    /// StoreReply.
    template <class T, class Convert>
    void ask(Result<std::string> bytes, StoreReplyReader reader, Callback<T> done, Convert convert)
    {
        if (!bytes) {
            failLater(std::move(done), bytes.error());
            return;
        }
        quick().request(*std::move(bytes), std::move(reader),
                        [done = std::move(done), convert](Result<StoreReply> reply) {
                            if (reply)
                                done(convert(*std::move(reply)));
                            else
                                done(tl::unexpected(std::move(reply).error()));
                        });
    }

    /// A write without a reply has a PING behind it, whose echo says that the write was carried
    /// out.
    void write(Result<std::string> bytes, Callback<void> done)
    {
        if (bytes) {
            wire::appendOpcode(*bytes, Opcode::Ping);
            wire::appendInteger<std::uint32_t>(*bytes, 0);
        }
        ask<void>(std::move(bytes), StoreReplyReader(Kind::Word), std::move(done),
                  [](StoreReply) { return Result<void>(); });
    }

    /// Calls `then` (with the keys as on the wire) when all keys are there.
    template <class T, class Then>
    void onceThere(const std::vector<std::string>& userKeys, Duration timeout, Callback<T> done,
                   Then then);

private:
    StoreConnection& quick();
    StoreConnection& forWaiting();
    std::unique_ptr<StoreConnection> makeConnection();

    template <class T>
    void failLater(Callback<T> done, Error error)
    {
        m_loop.post([alive = std::weak_ptr<bool>(m_alive), done = std::move(done),
                     error = std::move(error)] {
            if (!alive.expired())
                done(tl::unexpected(error));
        });
    }

    EventLoop& m_loop;
    Options m_options;
    bool m_wasConnected = false;
    bool m_isAnnounced = false;
    std::unique_ptr<StoreConnection> m_quick;
    std::list<std::unique_ptr<StoreConnection>> m_waiting;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

std::unique_ptr<StoreConnection> TcpStoreClient::Impl::makeConnection()
{
    m_wasConnected = m_wasConnected || (m_quick && m_quick->wasEverReady());
    return std::make_unique<StoreConnection>(
        m_loop, StoreConnection::Options{m_options.host, m_options.port,
                                         m_wasConnected ? m_options.reconnectTimeout
                                                        : m_options.connectTimeout,
                                         m_options.replyTimeout});
}

StoreConnection& TcpStoreClient::Impl::quick()
{
    if (m_quick && !m_quick->isBroken())
        return *m_quick;
    auto made = makeConnection();
    // The broken one may be telling those whom it fails, and this may be one of them.
    if (m_quick)
        m_loop.post([broken = std::shared_ptr<StoreConnection>(std::move(m_quick))] {});
    m_quick = std::move(made);
    if (m_options.announcesItself && !std::exchange(m_isAnnounced, true)) {
        std::string bytes;
        wire::appendRequest(bytes, Opcode::Add, {"init/"});
        wire::appendInteger<std::int64_t>(bytes, 1);
        m_quick->request(std::move(bytes), StoreReplyReader(Kind::Integer),
                         [](const Result<StoreReply>&) {});
    }
    return *m_quick;
}

StoreConnection& TcpStoreClient::Impl::forWaiting()
{
    m_waiting.remove_if([](const auto& connection) { return connection->isBroken(); });
    const auto idle = std::find_if(m_waiting.begin(), m_waiting.end(),
                                   [](const auto& connection) { return connection->isIdle(); });
    if (idle != m_waiting.end())
        return **idle;
    m_waiting.push_back(makeConnection());
    return *m_waiting.back();
}

template <class T, class Then>
void TcpStoreClient::Impl::onceThere(const std::vector<std::string>& userKeys, Duration timeout,
                                     Callback<T> done, Then then)
{
    Result<std::vector<std::string>> keys = wireKeys(userKeys);
    if (!keys) {
        failLater(std::move(done), keys.error());
        return;
    }
    std::string bytes;
    wire::appendKeysRequest(bytes, Opcode::Check, *keys);
    const auto deadline = StoreConnection::Clock::now() + timeout;
    quick().request(
        std::move(bytes), StoreReplyReader(Kind::Byte),
        [this, keys = *std::move(keys), timeout, deadline, done = std::move(done),
         then](const Result<StoreReply>& reply) {
            const auto left = std::chrono::ceil<Duration>(deadline - StoreConnection::Clock::now());
            if (!reply)
                done(tl::unexpected(reply.error()));
            else if (reply->number == wire::CheckAllPresent)
                then(keys, done);
            else if (left <= Duration::zero())
                done(tl::unexpected(keysMissing(keys, timeout)));
            else
                forWaiting().wait(keys, left, [keys, done, then](const Result<StoreReply>& waited) {
                    if (waited)
                        then(keys, done);
                    else
                        done(tl::unexpected(waited.error()));
                });
        });
}

namespace {

Result<std::string> keyRequest(Opcode opcode, std::string_view key)
{
    std::string bytes;
    wire::appendRequest(bytes, opcode, {RM_TRY(wireKey(key))});
    return bytes;
}

Result<std::string> keyValueRequest(Opcode opcode, std::string_view key, std::string_view value)
{
    RM_TRY(checkValue(value));
    std::string bytes;
    wire::appendRequest(bytes, opcode, {RM_TRY(wireKey(key)), value});
    return bytes;
}

Result<std::string> multiSetRequest(const Store::Entries& entries)
{
    std::string bytes;
    wire::appendOpcode(bytes, Opcode::MultiSet);
    wire::appendInteger<std::uint64_t>(bytes, entries.size());
    for (const auto& [key, value] : entries) {
        RM_TRY(checkValue(value));
        wire::appendString(bytes, RM_TRY(wireKey(key)));
        wire::appendString(bytes, value);
    }
    return bytes;
}

std::string bare(Opcode opcode)
{
    std::string bytes;
    wire::appendOpcode(bytes, opcode);
    return bytes;
}

} // namespace

TcpStoreClient::TcpStoreClient(EventLoop& loop, Options options)
    : m_impl(std::make_unique<Impl>(loop, std::move(options)))
{
}

TcpStoreClient::~TcpStoreClient() = default;

void TcpStoreClient::connect(Callback<void> done)
{
    m_impl->write(std::string(), std::move(done));
}

void TcpStoreClient::set(std::string key, std::string value, Callback<void> done)
{
    m_impl->write(keyValueRequest(Opcode::Set, key, value), std::move(done));
}

void TcpStoreClient::append(std::string key, std::string value, Callback<void> done)
{
    m_impl->write(keyValueRequest(Opcode::Append, key, value), std::move(done));
}

void TcpStoreClient::multiSet(Entries entries, Callback<void> done)
{
    m_impl->write(multiSetRequest(entries), std::move(done));
}

void TcpStoreClient::get(std::string key, Duration timeout, Callback<std::string> done)
{
    m_impl->onceThere(
        {std::move(key)}, timeout, std::move(done),
        [this](const std::vector<std::string>& keys, const Callback<std::string>& answer) {
            std::string bytes;
            wire::appendRequest(bytes, Opcode::Get, {keys.front()});
            m_impl->ask(Result<std::string>(std::move(bytes)), StoreReplyReader(Kind::Text), answer,
                        [](StoreReply reply) -> Result<std::string> {
                            return std::move(reply.texts.front());
                        });
        });
}

void TcpStoreClient::multiGet(std::vector<std::string> keys, Duration timeout,
                              Callback<std::vector<std::string>> done)
{
    using Values = std::vector<std::string>;
    m_impl->onceThere(
        keys, timeout, std::move(done),
        [this](const std::vector<std::string>& all, const Callback<Values>& answer) {
            std::string bytes;
            wire::appendKeysRequest(bytes, Opcode::MultiGet, all);
            m_impl->ask(Result<std::string>(std::move(bytes)),
                        StoreReplyReader(Kind::Texts, all.size()), answer,
                        [](StoreReply reply) -> Result<Values> { return std::move(reply.texts); });
        });
}

void TcpStoreClient::wait(std::vector<std::string> keys, Duration timeout, Callback<void> done)
{
    m_impl->onceThere(
        keys, timeout, std::move(done),
        [](const std::vector<std::string>&, const Callback<void>& answer) { answer({}); });
}

void TcpStoreClient::check(std::vector<std::string> keys, Callback<bool> done)
{
    const auto request = [&]() -> Result<std::string> {
        std::string bytes;
        wire::appendKeysRequest(bytes, Opcode::Check, RM_TRY(wireKeys(keys)));
        return bytes;
    };
    m_impl->ask(request(), StoreReplyReader(Kind::Byte), std::move(done),
                [](const StoreReply& reply) -> Result<bool> {
                    return reply.number == wire::CheckAllPresent;
                });
}

void TcpStoreClient::add(std::string key, std::int64_t delta, Callback<std::int64_t> done)
{
    Result<std::string> bytes = keyRequest(Opcode::Add, key);
    if (bytes)
        wire::appendInteger(*bytes, delta);
    m_impl->ask(std::move(bytes), StoreReplyReader(Kind::Integer), std::move(done),
                [](const StoreReply& reply) -> Result<std::int64_t> { return reply.number; });
}

void TcpStoreClient::compareSet(std::string key, std::string expected, std::string desired,
                                Callback<std::string> done)
{
    const auto request = [&]() -> Result<std::string> {
        RM_TRY(checkValue(expected));
        RM_TRY(checkValue(desired));
        std::string bytes;
        wire::appendRequest(bytes, Opcode::CompareSet, {RM_TRY(wireKey(key)), expected, desired});
        return bytes;
    };
    m_impl->ask(
        request(), StoreReplyReader(Kind::Text), std::move(done),
        [](StoreReply reply) -> Result<std::string> { return std::move(reply.texts.front()); });
}

void TcpStoreClient::deleteKey(std::string key, Callback<bool> done)
{
    m_impl->ask(keyRequest(Opcode::DeleteKey, key), StoreReplyReader(Kind::Integer),
                std::move(done),
                [](const StoreReply& reply) -> Result<bool> { return reply.number > 0; });
}

void TcpStoreClient::keyCount(Callback<std::int64_t> done)
{
    m_impl->ask(Result<std::string>(bare(Opcode::KeyCount)), StoreReplyReader(Kind::Integer),
                std::move(done),
                [](const StoreReply& reply) -> Result<std::int64_t> { return reply.number; });
}

void TcpStoreClient::listKeys(Callback<std::vector<std::string>> done)
{
    m_impl->ask(Result<std::string>(bare(Opcode::ListKeys)), StoreReplyReader(Kind::CountedTexts),
                std::move(done), [](StoreReply reply) -> Result<std::vector<std::string>> {
                    return userKeys(std::move(reply.texts));
                });
}

} // namespace ringmaster
