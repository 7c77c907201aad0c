#pragma once

#include "engine/base/Result.h"
#include "engine/store/Codes.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace ringmaster {

/// The key-value store that a rendezvous and a process group meet in, as torch's Store.
/// Asynchronous: a call returns at once, and its callback runs later on the loop that the store
/// object was made with. Belongs to that loop's thread. Destroying the object drops the callbacks
/// that are pending in it, so an owner that is a callback's target is safe when it owns its store
/// object.
///
/// Keys are the user's: what torch calls "k" is "k" here, though "/k" on the wire.
class Store
{
public:
    template <class T>
    using Callback = std::function<void(Result<T>)>;
    using Duration = std::chrono::milliseconds;
    using Entries = std::vector<std::pair<std::string, std::string>>;

    Store() = default;
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;
    virtual ~Store() = default;

    /// The callback of a write runs once the store has it: who asks afterwards sees it.
    virtual void set(std::string key, std::string value, Callback<void> done) = 0;
    virtual void append(std::string key, std::string value, Callback<void> done) = 0;
    /// All or nothing: no reader sees a part.
    virtual void multiSet(Entries entries, Callback<void> done) = 0;

    /// Waits for the key, at most `timeout`; code::StoreKeyMissing when it doesn't come.
    virtual void get(std::string key, Duration timeout, Callback<std::string> done) = 0;
    virtual void multiGet(std::vector<std::string> keys, Duration timeout,
                          Callback<std::vector<std::string>> done) = 0;
    virtual void wait(std::vector<std::string> keys, Duration timeout, Callback<void> done) = 0;

    /// Whether every key is there.
    virtual void check(std::vector<std::string> keys, Callback<bool> done) = 0;
    /// The number after adding; an absent key counts as 0. add(k, 0) reads.
    virtual void add(std::string key, std::int64_t delta, Callback<std::int64_t> done) = 0;
    /// Stores `desired` where the key has the value `expected`, or is absent and `expected` is
    /// empty; yields what the key holds afterwards. An absent key with another `expected` stays
    /// absent and yields `expected`, as torch has it.
    virtual void compareSet(std::string key, std::string expected, std::string desired,
                            Callback<std::string> done) = 0;
    /// Whether it was there. Wakes nobody.
    virtual void deleteKey(std::string key, Callback<bool> done) = 0;

    /// Of the whole store, below a prefix too (as torch has it).
    virtual void keyCount(Callback<std::int64_t> done) = 0;
    virtual void listKeys(Callback<std::vector<std::string>> done) = 0;
};

} // namespace ringmaster
