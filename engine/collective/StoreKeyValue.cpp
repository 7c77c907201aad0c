#include "engine/collective/StoreKeyValue.h"

#include "engine/base/Codes.h"

namespace ringmaster::collective {

StoreKeyValue::StoreKeyValue(c10::intrusive_ptr<c10d::Store> store, int rank)
    : m_store(std::move(store))
{
    // Every rank makes the same groups in the same order, so its own count is everybody's.
    m_prefix =
        "ring/" + std::to_string(m_store->add("ring/joined/" + std::to_string(rank), 1)) + "/";
}

Result<void> StoreKeyValue::set(const std::string& key, const std::string& value)
{
    try {
        m_store->set(m_prefix + key, value);
    } catch (const std::exception& error) {
        return fail(code::SystemCallFailed, {{"call", "store.set"}}, error.what());
    }
    return {};
}

Result<std::string> StoreKeyValue::get(const std::string& key, ring::Deadline deadline)
{
    const auto left =
        std::chrono::ceil<std::chrono::milliseconds>(deadline - ring::Deadline::clock::now());
    try {
        // 0 would mean for ever.
        m_store->wait({m_prefix + key}, std::max(left, std::chrono::milliseconds(1)));
        return m_store->get_to_str(m_prefix + key);
    } catch (const std::exception& error) {
        const Code code =
            ring::Deadline::clock::now() >= deadline ? code::TimedOut : code::SystemCallFailed;
        return fail(code, {{"what", key}, {"call", "store.get"}, {"seconds", "?"}}, error.what());
    }
}

} // namespace ringmaster::collective
