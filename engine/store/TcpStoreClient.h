#pragma once

#include "engine/base/EventLoop.h"
#include "engine/store/Store.h"

#include <cstdint>
#include <memory>
#include <string>

namespace ringmaster {

/// A store over TCP, in torch 2.11's own protocol: a Ringmaster's or torch's, either backend.
/// Requests share one connection and don't wait for each other; each wait that can't be answered at
/// once has a connection of its own, because a WAIT blocks its connection. A lost connection fails
/// what was pending, and the next call connects anew. Nothing is sent twice.
class TcpStoreClient final : public Store
{
public:
    struct Options
    {
        std::string host{};
        std::uint16_t port = 0;
        /// How long to wait for a store to be there at all: other nodes may start later.
        Duration connectTimeout = std::chrono::seconds(60);
        /// The same once there was one: then it has gone, and somebody should know soon.
        Duration reconnectTimeout = std::chrono::seconds(5);
        Duration replyTimeout = std::chrono::seconds(60);
        /// Count this client in "init/", as torch's clients do that know their world size: a torch
        /// server that waits for its workers looks there.
        bool announcesItself = false;
    };

    TcpStoreClient(EventLoop& loop, Options options);
    ~TcpStoreClient() override;

    /// Succeeds once a store has answered. Other calls need not wait for it.
    void connect(Callback<void> done);

    void set(std::string key, std::string value, Callback<void> done) override;
    void append(std::string key, std::string value, Callback<void> done) override;
    void multiSet(Entries entries, Callback<void> done) override;
    void get(std::string key, Duration timeout, Callback<std::string> done) override;
    void multiGet(std::vector<std::string> keys, Duration timeout,
                  Callback<std::vector<std::string>> done) override;
    void wait(std::vector<std::string> keys, Duration timeout, Callback<void> done) override;
    void check(std::vector<std::string> keys, Callback<bool> done) override;
    void add(std::string key, std::int64_t delta, Callback<std::int64_t> done) override;
    void compareSet(std::string key, std::string expected, std::string desired,
                    Callback<std::string> done) override;
    void deleteKey(std::string key, Callback<bool> done) override;
    void keyCount(Callback<std::int64_t> done) override;
    void listKeys(Callback<std::vector<std::string>> done) override;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace ringmaster
