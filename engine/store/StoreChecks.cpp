#include "engine/store/StoreChecks.h"

#include "engine/store/Codes.h"
#include "engine/store/StoreWire.h"

#include <fmt/format.h>

namespace ringmaster {

namespace {

constexpr size_t KeysNamed = 3;

tl::unexpected<Error> tooLarge(const char* what, size_t limit)
{
    return fail(code::StoreLimitExceeded, {{"what", what}, {"limit", std::to_string(limit)}});
}

} // namespace

Result<std::string> wireKey(std::string_view key)
{
    if (key.size() + 1 > wire::KeyLimit)
        return tooLarge("bytes of a key", wire::KeyLimit);
    return "/" + std::string(key);
}

Result<std::vector<std::string>> wireKeys(std::span<const std::string> keys)
{
    if (keys.size() > wire::KeysPerRequestLimit)
        return tooLarge("keys", wire::KeysPerRequestLimit);
    std::vector<std::string> all;
    all.reserve(keys.size());
    for (const std::string& key : keys)
        all.push_back(RM_TRY(wireKey(key)));
    return all;
}

Result<void> checkValue(std::string_view value)
{
    if (value.size() > wire::ValueLimit)
        return tooLarge("bytes of a value", wire::ValueLimit);
    return {};
}

std::vector<std::string> userKeys(std::vector<std::string> keys)
{
    std::erase_if(keys, [](const std::string& key) { return !key.starts_with('/'); });
    for (std::string& key : keys)
        key.erase(0, 1);
    return keys;
}

Error keysMissing(std::span<const std::string> keys, std::chrono::milliseconds timeout)
{
    std::string names;
    for (size_t i = 0; i < keys.size() && i < KeysNamed; ++i)
        names += (i == 0 ? "" : ", ") + keys[i].substr(1);
    if (keys.size() > KeysNamed)
        names += fmt::format(" and {} more keys", keys.size() - KeysNamed);
    return {{code::StoreKeyMissing, {{"keys", names}, {"seconds", inSeconds(timeout)}}}};
}

std::string inSeconds(std::chrono::milliseconds duration)
{
    return fmt::format("{:.6g}", std::chrono::duration<double>(duration).count());
}

} // namespace ringmaster
