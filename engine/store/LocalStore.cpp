#include "engine/store/LocalStore.h"

#include "engine/store/StoreChecks.h"
#include "engine/store/StoreServer.h"

namespace ringmaster {

LocalStore::LocalStore(StoreServer& server, EventLoop& loop) : m_server(server), m_loop(loop) {}

template <class T>
Store::Callback<T> LocalStore::onOwnLoop(Callback<T> done) const
{
    return [&loop = m_loop, alive = std::weak_ptr<bool>(m_alive),
            done = std::move(done)](Result<T> result) mutable {
        // The callback goes along: what it holds is freed on the loop that it belongs to.
        loop.post([alive = std::move(alive), done = std::move(done),
                   result = std::move(result)]() mutable {
            if (!alive.expired())
                done(std::move(result));
        });
    };
}

template <class T, class Operation>
void LocalStore::run(Callback<T> done, Operation operation)
{
    m_server.execute([done = onOwnLoop(std::move(done)), operation = std::move(operation)](
                         KeySpace& keys) mutable { done(operation(keys)); });
}

template <class T, class Read>
void LocalStore::runOnceThere(Result<std::vector<std::string>> keys, Duration timeout,
                              Callback<T> done, Read read)
{
    auto answer = onOwnLoop(std::move(done));
    if (!keys) {
        answer(tl::unexpected(keys.error()));
        return;
    }
    m_server.executeOnceThere(*keys, timeout,
                              [answer = std::move(answer), read = std::move(read),
                               keys = *keys](KeySpace& space, const Result<void>& result) mutable {
                                  if (result)
                                      answer(read(space, keys));
                                  else
                                      answer(tl::unexpected(result.error()));
                              });
}

void LocalStore::set(std::string key, std::string value, Callback<void> done)
{
    run(std::move(done),
        [key = std::move(key), value = std::move(value)](KeySpace& keys) -> Result<void> {
            RM_TRY(checkValue(value));
            return keys.set(RM_TRY(wireKey(key)), value);
        });
}

void LocalStore::append(std::string key, std::string value, Callback<void> done)
{
    run(std::move(done),
        [key = std::move(key), value = std::move(value)](KeySpace& keys) -> Result<void> {
            RM_TRY(checkValue(value));
            return keys.append(RM_TRY(wireKey(key)), value);
        });
}

void LocalStore::multiSet(Entries entries, Callback<void> done)
{
    run(std::move(done), [entries = std::move(entries)](KeySpace& keys) mutable -> Result<void> {
        std::vector<std::string_view> views;
        for (auto& [key, value] : entries) {
            key = RM_TRY(wireKey(key));
            RM_TRY(checkValue(value));
            views.insert(views.end(), {key, value});
        }
        return keys.setAll(views);
    });
}

void LocalStore::get(std::string key, Duration timeout, Callback<std::string> done)
{
    runOnceThere(wireKeys(std::array{std::move(key)}), timeout, std::move(done),
                 [](KeySpace& space, const std::vector<std::string>& keys) -> Result<std::string> {
                     const std::string* value = space.find(keys.front());
                     return value ? *value : std::string();
                 });
}

void LocalStore::multiGet(std::vector<std::string> keys, Duration timeout,
                          Callback<std::vector<std::string>> done)
{
    using Values = std::vector<std::string>;
    runOnceThere(wireKeys(keys), timeout, std::move(done),
                 [](KeySpace& space, const std::vector<std::string>& all) -> Result<Values> {
                     Values values;
                     for (const std::string& key : all) {
                         const std::string* value = space.find(key);
                         values.push_back(value ? *value : std::string());
                     }
                     return values;
                 });
}

void LocalStore::wait(std::vector<std::string> keys, Duration timeout, Callback<void> done)
{
    runOnceThere(wireKeys(keys), timeout, std::move(done),
                 [](KeySpace&, const std::vector<std::string>&) -> Result<void> { return {}; });
}

void LocalStore::check(std::vector<std::string> keys, Callback<bool> done)
{
    run(std::move(done), [keys = std::move(keys)](KeySpace& space) -> Result<bool> {
        const std::vector<std::string> all = RM_TRY(wireKeys(keys));
        return space.containsAll(std::vector<std::string_view>(all.begin(), all.end()));
    });
}

void LocalStore::add(std::string key, std::int64_t delta, Callback<std::int64_t> done)
{
    run(std::move(done), [key = std::move(key), delta](KeySpace& keys) -> Result<std::int64_t> {
        return keys.add(RM_TRY(wireKey(key)), delta);
    });
}

void LocalStore::compareSet(std::string key, std::string expected, std::string desired,
                            Callback<std::string> done)
{
    run(std::move(done),
        [key = std::move(key), expected = std::move(expected),
         desired = std::move(desired)](KeySpace& keys) -> Result<std::string> {
            RM_TRY(checkValue(desired));
            return std::string(RM_TRY(keys.compareSet(RM_TRY(wireKey(key)), expected, desired)));
        });
}

void LocalStore::deleteKey(std::string key, Callback<bool> done)
{
    run(std::move(done), [key = std::move(key)](KeySpace& keys) -> Result<bool> {
        return keys.erase(RM_TRY(wireKey(key)));
    });
}

void LocalStore::keyCount(Callback<std::int64_t> done)
{
    run(std::move(done), [](KeySpace& keys) -> Result<std::int64_t> {
        return static_cast<std::int64_t>(keys.keyCount());
    });
}

void LocalStore::listKeys(Callback<std::vector<std::string>> done)
{
    run(std::move(done), [](KeySpace& keys) -> Result<std::vector<std::string>> {
        std::vector<std::string> all;
        keys.forEachKey([&all](std::string_view key) { all.emplace_back(key); });
        return userKeys(std::move(all));
    });
}

} // namespace ringmaster
