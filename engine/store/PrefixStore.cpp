#include "engine/store/PrefixStore.h"

namespace ringmaster {

PrefixStore::PrefixStore(std::string prefix, Store& store)
    : m_prefix(std::move(prefix) + "/"), m_store(store)
{
}

std::string PrefixStore::prefixed(const std::string& key) const
{
    return m_prefix + key;
}

std::vector<std::string> PrefixStore::prefixed(const std::vector<std::string>& keys) const
{
    std::vector<std::string> all;
    all.reserve(keys.size());
    for (const std::string& key : keys)
        all.push_back(prefixed(key));
    return all;
}

template <class T>
Store::Callback<T> PrefixStore::whileAlive(Callback<T> done) const
{
    return [alive = std::weak_ptr<bool>(m_alive), done = std::move(done)](Result<T> result) {
        if (!alive.expired())
            done(std::move(result));
    };
}

void PrefixStore::set(std::string key, std::string value, Callback<void> done)
{
    m_store.set(prefixed(key), std::move(value), whileAlive(std::move(done)));
}

void PrefixStore::append(std::string key, std::string value, Callback<void> done)
{
    m_store.append(prefixed(key), std::move(value), whileAlive(std::move(done)));
}

void PrefixStore::multiSet(Entries entries, Callback<void> done)
{
    for (auto& [key, value] : entries)
        key = prefixed(key);
    m_store.multiSet(std::move(entries), whileAlive(std::move(done)));
}

void PrefixStore::get(std::string key, Duration timeout, Callback<std::string> done)
{
    m_store.get(prefixed(key), timeout, whileAlive(std::move(done)));
}

void PrefixStore::multiGet(std::vector<std::string> keys, Duration timeout,
                           Callback<std::vector<std::string>> done)
{
    m_store.multiGet(prefixed(keys), timeout, whileAlive(std::move(done)));
}

void PrefixStore::wait(std::vector<std::string> keys, Duration timeout, Callback<void> done)
{
    m_store.wait(prefixed(keys), timeout, whileAlive(std::move(done)));
}

void PrefixStore::check(std::vector<std::string> keys, Callback<bool> done)
{
    m_store.check(prefixed(keys), whileAlive(std::move(done)));
}

void PrefixStore::add(std::string key, std::int64_t delta, Callback<std::int64_t> done)
{
    m_store.add(prefixed(key), delta, whileAlive(std::move(done)));
}

void PrefixStore::compareSet(std::string key, std::string expected, std::string desired,
                             Callback<std::string> done)
{
    m_store.compareSet(prefixed(key), std::move(expected), std::move(desired),
                       whileAlive(std::move(done)));
}

void PrefixStore::deleteKey(std::string key, Callback<bool> done)
{
    m_store.deleteKey(prefixed(key), whileAlive(std::move(done)));
}

void PrefixStore::keyCount(Callback<std::int64_t> done)
{
    m_store.keyCount(whileAlive(std::move(done)));
}

void PrefixStore::listKeys(Callback<std::vector<std::string>> done)
{
    m_store.listKeys(whileAlive(std::move(done)));
}

} // namespace ringmaster
