#pragma once

#include "engine/base/Result.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace ringmaster {

/// The keys, values and queues of one store and who waits for them, with the semantics of torch's
/// libuv server. Keys are as on the wire. One thread; no I/O.
class KeySpace
{
public:
    /// Sees a write before it happens (the key, and the value it would have); false refuses it.
    using WriteFilter = std::function<bool(std::string_view key, std::string_view value)>;

    struct Limits
    {
        std::size_t bytes = 1U << 30U; ///< Keys, values, queues and waited-for keys, with overhead.
        std::size_t keys = 1U << 20U;
    };

    class Waiter;

    /// The filter is asked about keys of a c10d rendezvous (torch.rendezvous.…, without the slash
    /// that keys have on the wire): peers unpickle what is in them.
    explicit KeySpace(Limits limits, WriteFilter filter = {});
    KeySpace(const KeySpace&) = delete;
    KeySpace& operator=(const KeySpace&) = delete;

    Result<void> set(std::string_view key, std::string_view value);
    Result<void> append(std::string_view key, std::string_view value);
    /// Key, value, key, value …; all or nothing.
    Result<void> setAll(std::span<const std::string_view> keysAndValues);
    Result<std::int64_t> add(std::string_view key, std::int64_t delta);
    /// The view is of a value or of an argument; it lasts until the next write.
    Result<std::string_view> compareSet(std::string_view key, std::string_view expected,
                                        std::string_view desired);
    bool erase(std::string_view key);

    Result<void> pushToQueue(std::string_view key, std::string_view value);
    std::optional<std::string> popFromQueue(std::string_view key);
    std::size_t queueLength(std::string_view key) const;

    /// Null when absent; lasts until the next write.
    const std::string* find(std::string_view key) const;
    /// Holds a value, or a queue that isn't empty.
    bool contains(std::string_view key) const;
    bool containsAll(std::span<const std::string_view> keys) const;
    std::size_t keyCount() const { return m_values.size(); }
    std::size_t bytes() const { return m_bytes; }
    void forEachKey(const std::function<void(std::string_view)>& visit) const;

    /// True when all keys are there. Otherwise `waiter`, which must not be waiting, is told once
    /// each of the missing ones has been written (even if it was deleted again meanwhile).
    Result<bool> wait(std::span<const std::string_view> keys, Waiter& waiter);
    /// Tells the waiters whose last key came; separate from the writes so that a writer's own reply
    /// goes out first.
    void tellWaiters();

private:
    struct TextHash
    {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const
        {
            return std::hash<std::string_view>{}(text);
        }
    };
    template <class T>
    using ByKey = std::unordered_map<std::string, T, TextHash, std::equal_to<>>;

    struct Awaiting
    {
        Waiter* waiter;
        std::size_t slot;
    };
    using Waiting = ByKey<std::list<Awaiting>>;

    Result<void> admit(std::string_view key, std::string_view value) const;
    Result<void> reserve(std::size_t more, std::size_t less, std::size_t newKeys) const;
    Result<void> store(std::string_view key, std::string_view value);
    void place(std::string_view key, std::string_view value);
    void keyWritten(std::string_view key);
    void slotArrived(const Awaiting& awaiting);
    void dropFromWaiting(Waiting::value_type& entry, std::list<Awaiting>::iterator awaiting);

    Limits m_limits;
    WriteFilter m_filter;
    ByKey<std::string> m_values;
    ByKey<std::deque<std::string>> m_queues;
    Waiting m_waiting;
    std::vector<Waiter*> m_complete;
    std::size_t m_bytes = 0;
};

/// Somebody who waits for keys of one KeySpace, which outlives it.
class KeySpace::Waiter
{
public:
    explicit Waiter(KeySpace& keys) : m_keys(keys) {}
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;
    virtual ~Waiter() { cancelWait(); }

    void cancelWait();
    /// From wait() until keysArrived() or cancelWait().
    bool isWaiting() const { return m_isWaiting; }

protected:
    KeySpace& keySpace() const { return m_keys; }

private:
    friend KeySpace;

    struct Slot
    {
        Waiting::value_type* key; ///< Null once the key came. (Nodes don't move when others come.)
        std::list<Awaiting>::iterator awaiting;
    };

    virtual void keysArrived() = 0;

    KeySpace& m_keys;
    std::vector<Slot> m_slots;
    std::size_t m_missing = 0;
    bool m_isWaiting = false;
};

} // namespace ringmaster
