#pragma once

#include "engine/base/EventLoop.h"
#include "engine/store/Store.h"

#include <memory>

namespace ringmaster {

class StoreServer;

/// The store of a StoreServer in this process, without a socket: same keys, same waiters, same
/// limits. Its callbacks run on `loop`, which may be another than the server's and must outlive it.
/// The server outlives this object, or ends its loop first.
class LocalStore final : public Store
{
public:
    LocalStore(StoreServer& server, EventLoop& loop);

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
    template <class T>
    Callback<T> onOwnLoop(Callback<T> done) const;
    template <class T, class Operation>
    void run(Callback<T> done, Operation operation);
    template <class T, class Read>
    void runOnceThere(Result<std::vector<std::string>> keys, Duration timeout, Callback<T> done,
                      Read read);

    StoreServer& m_server;
    EventLoop& m_loop;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster
