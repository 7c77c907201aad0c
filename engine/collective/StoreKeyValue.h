#pragma once

#include "engine/collective/ring/KeyValue.h"

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace ringmaster::collective {

/// torch's store as the ring sees it. A group that is made again in the same store finds none of
/// the former one's keys.
class StoreKeyValue : public ring::KeyValue
{
public:
    StoreKeyValue(c10::intrusive_ptr<c10d::Store> store, int rank);

    Result<void> set(const std::string& key, const std::string& value) override;
    Result<std::string> get(const std::string& key, ring::Deadline deadline) override;

private:
    c10::intrusive_ptr<c10d::Store> m_store;
    std::string m_prefix;
};

} // namespace ringmaster::collective
