#pragma once

#include "engine/store/Store.h"

#include <memory>

namespace ringmaster {

/// Another store with "prefix/" before every key, as torch's PrefixStore. The other store outlives
/// it. Destroying it drops the callbacks that are pending in it, not those of the other store's
/// other users.
class PrefixStore final : public Store
{
public:
    PrefixStore(std::string prefix, Store& store);

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
    std::string prefixed(const std::string& key) const;
    std::vector<std::string> prefixed(const std::vector<std::string>& keys) const;

    /// The same callback, but only while this object lives.
    template <class T>
    Callback<T> whileAlive(Callback<T> done) const;

    std::string m_prefix;
    Store& m_store;
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
};

} // namespace ringmaster
