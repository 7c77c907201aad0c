#include "engine/store/KeySpace.h"

#include "engine/store/Codes.h"

#include <algorithm>
#include <charconv>

namespace ringmaster {

namespace {

// What a node of the maps costs beside its texts, as malloc sees it.
constexpr size_t KeyOverhead = 112;
constexpr size_t QueuedOverhead = 48;
constexpr size_t WaitOverhead = 192;

constexpr std::string_view RendezvousPrefix = "/torch.rendezvous.";

size_t cost(std::string_view key, std::string_view value)
{
    return key.size() + value.size() + KeyOverhead;
}

/// As stoll: spaces, a sign, digits, and whatever follows them.
Result<std::int64_t> leadingNumber(std::string_view key, std::string_view text)
{
    const size_t start = text.find_first_not_of(" \t\n\v\f\r");
    text.remove_prefix(start == std::string_view::npos ? text.size() : start);
    if (text.starts_with('+') && !text.starts_with("+-"))
        text.remove_prefix(1);
    std::int64_t number = 0;
    const std::errc problem = std::from_chars(text.data(), text.data() + text.size(), number).ec;
    if (problem == std::errc::result_out_of_range)
        return fail(code::StoreNumberTooLarge, {{"key", std::string(key)}});
    if (problem != std::errc{})
        return fail(code::StoreNotANumber, {{"key", std::string(key)}});
    return number;
}

} // namespace

KeySpace::KeySpace(Limits limits, WriteFilter filter)
    : m_limits(limits), m_filter(std::move(filter))
{
}

const std::string* KeySpace::find(std::string_view key) const
{
    const auto found = m_values.find(key);
    return found == m_values.end() ? nullptr : &found->second;
}

bool KeySpace::contains(std::string_view key) const
{
    return m_values.find(key) != m_values.end() || m_queues.find(key) != m_queues.end();
}

bool KeySpace::containsAll(std::span<const std::string_view> keys) const
{
    return std::all_of(keys.begin(), keys.end(), [this](auto key) { return contains(key); });
}

void KeySpace::forEachKey(const std::function<void(std::string_view)>& visit) const
{
    for (const auto& [key, value] : m_values)
        visit(key);
}

Result<void> KeySpace::admit(std::string_view key, std::string_view value) const
{
    if (m_filter && key.starts_with(RendezvousPrefix) && !m_filter(key.substr(1), value))
        return fail(code::StoreWriteRefused, {{"key", std::string(key)}});
    return {};
}

Result<void> KeySpace::reserve(size_t more, size_t less, size_t newKeys) const
{
    if (newKeys > 0 && m_values.size() + newKeys > m_limits.keys)
        return fail(code::StoreFull, {{"limit", std::to_string(m_limits.keys) + " keys"}});
    if (more > less && m_bytes + (more - less) > m_limits.bytes)
        return fail(code::StoreFull, {{"limit", std::to_string(m_limits.bytes) + " bytes"}});
    return {};
}

Result<void> KeySpace::store(std::string_view key, std::string_view value)
{
    RM_TRY(admit(key, value));
    const std::string* old = find(key);
    RM_TRY(reserve(cost(key, value), old ? cost(key, *old) : 0, old ? 0 : 1));
    place(key, value);
    return {};
}

void KeySpace::place(std::string_view key, std::string_view value)
{
    if (const auto found = m_values.find(key); found != m_values.end()) {
        m_bytes = m_bytes + value.size() - found->second.size();
        // A large value that became small gives its memory back.
        if (found->second.capacity() > 2 * value.size() + 256)
            std::string(value).swap(found->second);
        else
            found->second.assign(value);
    } else {
        m_values.emplace(key, value);
        m_bytes += cost(key, value);
    }
    keyWritten(key);
}

Result<void> KeySpace::set(std::string_view key, std::string_view value)
{
    return store(key, value);
}

Result<void> KeySpace::append(std::string_view key, std::string_view value)
{
    const auto found = m_values.find(key);
    if (found == m_values.end())
        return store(key, value);
    if (m_filter && key.starts_with(RendezvousPrefix))
        RM_TRY(admit(key, found->second + std::string(value)));
    RM_TRY(reserve(value.size(), 0, 0));
    found->second.append(value);
    m_bytes += value.size();
    keyWritten(key);
    return {};
}

Result<void> KeySpace::setAll(std::span<const std::string_view> keysAndValues)
{
    // What is overwritten isn't subtracted: a key that comes twice would be subtracted twice.
    size_t more = 0;
    size_t newKeys = 0;
    for (size_t i = 0; i + 1 < keysAndValues.size(); i += 2) {
        RM_TRY(admit(keysAndValues[i], keysAndValues[i + 1]));
        more += cost(keysAndValues[i], keysAndValues[i + 1]);
        newKeys += find(keysAndValues[i]) ? 0 : 1;
    }
    RM_TRY(reserve(more, 0, newKeys));
    for (size_t i = 0; i + 1 < keysAndValues.size(); i += 2)
        place(keysAndValues[i], keysAndValues[i + 1]);
    return {};
}

Result<std::int64_t> KeySpace::add(std::string_view key, std::int64_t delta)
{
    const std::string* old = find(key);
    std::int64_t sum = old ? RM_TRY(leadingNumber(key, *old)) : 0;
    if (__builtin_add_overflow(sum, delta, &sum))
        return fail(code::StoreNumberTooLarge, {{"key", std::string(key)}});
    char digits[24];
    const char* end = std::to_chars(std::begin(digits), std::end(digits), sum).ptr;
    RM_TRY(store(key, std::string_view(digits, static_cast<size_t>(end - digits))));
    return sum;
}

Result<std::string_view> KeySpace::compareSet(std::string_view key, std::string_view expected,
                                              std::string_view desired)
{
    const std::string* old = find(key);
    if (!old && !expected.empty())
        return expected;
    if (old && *old != expected)
        return std::string_view(*old);
    RM_TRY(store(key, desired));
    return desired;
}

bool KeySpace::erase(std::string_view key)
{
    const auto found = m_values.find(key);
    if (found == m_values.end())
        return false;
    m_bytes -= cost(found->first, found->second);
    m_values.erase(found);
    return true;
}

Result<void> KeySpace::pushToQueue(std::string_view key, std::string_view value)
{
    auto found = m_queues.find(key);
    const size_t keyCost = found == m_queues.end() ? cost(key, {}) + sizeof(std::deque<int>) : 0;
    RM_TRY(reserve(keyCost + value.size() + QueuedOverhead, 0, 0));
    if (found == m_queues.end())
        found = m_queues.emplace(key, std::deque<std::string>{}).first;
    found->second.emplace_back(value);
    m_bytes += keyCost + value.size() + QueuedOverhead;
    // One element, one waiter: the one that waits longest.
    if (const auto waiting = m_waiting.find(key); waiting != m_waiting.end()) {
        const auto first = waiting->second.begin();
        const Awaiting awaiting = *first;
        dropFromWaiting(*waiting, first);
        slotArrived(awaiting);
    }
    return {};
}

std::optional<std::string> KeySpace::popFromQueue(std::string_view key)
{
    const auto found = m_queues.find(key);
    if (found == m_queues.end())
        return std::nullopt;
    std::string value = std::move(found->second.front());
    found->second.pop_front();
    m_bytes -= value.size() + QueuedOverhead;
    if (found->second.empty()) {
        m_bytes -= cost(found->first, {}) + sizeof(std::deque<int>);
        m_queues.erase(found);
    }
    return value;
}

size_t KeySpace::queueLength(std::string_view key) const
{
    const auto found = m_queues.find(key);
    return found == m_queues.end() ? 0 : found->second.size();
}

Result<bool> KeySpace::wait(std::span<const std::string_view> keys, Waiter& waiter)
{
    size_t more = 0;
    for (const std::string_view key : keys)
        more += contains(key) ? 0 : key.size() + WaitOverhead;
    if (more == 0)
        return true;
    RM_TRY(reserve(more, 0, 0));
    for (const std::string_view key : keys) {
        if (contains(key))
            continue;
        auto found = m_waiting.find(key);
        if (found == m_waiting.end())
            found = m_waiting.emplace(key, std::list<Awaiting>{}).first;
        found->second.push_back({&waiter, waiter.m_slots.size()});
        waiter.m_slots.push_back({&*found, std::prev(found->second.end())});
        m_bytes += key.size() + WaitOverhead;
    }
    waiter.m_missing = waiter.m_slots.size();
    waiter.m_isWaiting = true;
    return false;
}

void KeySpace::keyWritten(std::string_view key)
{
    if (m_waiting.empty())
        return;
    const auto found = m_waiting.find(key);
    if (found == m_waiting.end())
        return;
    m_bytes -= (key.size() + WaitOverhead) * found->second.size();
    const std::list<Awaiting> all = std::move(found->second);
    m_waiting.erase(found);
    for (const Awaiting& awaiting : all)
        slotArrived(awaiting);
}

void KeySpace::slotArrived(const Awaiting& awaiting)
{
    Waiter& waiter = *awaiting.waiter;
    waiter.m_slots[awaiting.slot].key = nullptr;
    if (--waiter.m_missing == 0)
        m_complete.push_back(&waiter);
}

void KeySpace::dropFromWaiting(Waiting::value_type& entry, std::list<Awaiting>::iterator awaiting)
{
    m_bytes -= entry.first.size() + WaitOverhead;
    entry.second.erase(awaiting);
    if (entry.second.empty())
        m_waiting.erase(m_waiting.find(entry.first));
}

void KeySpace::tellWaiters()
{
    // Telling one may cancel another, which then leaves a hole, or start a new wait.
    // NOLINTNEXTLINE(modernize-loop-convert): the list may grow meanwhile.
    for (size_t i = 0; i < m_complete.size(); ++i) {
        Waiter* waiter = std::exchange(m_complete[i], nullptr);
        if (!waiter)
            continue;
        std::vector<Waiter::Slot>().swap(waiter->m_slots);
        waiter->m_isWaiting = false;
        waiter->keysArrived();
    }
    m_complete.clear();
}

void KeySpace::Waiter::cancelWait()
{
    if (!m_isWaiting)
        return;
    for (const Slot& slot : m_slots) {
        if (slot.key)
            m_keys.dropFromWaiting(*slot.key, slot.awaiting);
    }
    if (m_missing == 0)
        std::replace(m_keys.m_complete.begin(), m_keys.m_complete.end(), this,
                     static_cast<Waiter*>(nullptr));
    std::vector<Slot>().swap(m_slots);
    m_missing = 0;
    m_isWaiting = false;
}

} // namespace ringmaster
