#include "engine/collective/sweep/SweepExchange.h"

#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

namespace ringmaster::collective {

namespace {

c10::intrusive_ptr<c10d::Store> storeOf(const SweepOptions& options)
{
    c10d::TCPStoreOptions how;
    how.port = static_cast<std::uint16_t>(options.masterPort);
    how.waitWorkers = false;
    return c10::make_intrusive<c10d::PrefixStore>(
        "sweep/" + options.restartCount,
        c10::make_intrusive<c10d::TCPStore>(options.masterAddress, how));
}

std::vector<std::uint8_t> bytesOf(const std::string& text)
{
    // An empty value is one that torch's store can't tell from a missing one.
    std::vector<std::uint8_t> bytes(text.size() + 1);
    std::copy(text.begin(), text.end(), bytes.begin() + 1);
    return bytes;
}

std::string textOf(const std::vector<std::uint8_t>& bytes)
{
    return bytes.empty() ? std::string() : std::string(bytes.begin() + 1, bytes.end());
}

} // namespace

SweepExchange::SweepExchange(const SweepOptions& options)
    : m_rank(options.rank), m_ranks(options.ranks), m_store(storeOf(options))
{
}

std::string SweepExchange::key(int rank) const
{
    return std::to_string(m_step) + "/" + std::to_string(rank);
}

std::string SweepExchange::agree(const std::string& value)
{
    ++m_step;
    if (m_rank != 0)
        return textOf(m_store->get(key(0)));
    m_store->set(key(0), bytesOf(value));
    return value;
}

std::vector<std::string> SweepExchange::exchange(const std::string& value)
{
    ++m_step;
    m_store->set(key(m_rank), bytesOf(value));
    std::vector<std::string> values;
    for (int rank = 0; rank < m_ranks; ++rank)
        values.push_back(textOf(m_store->get(key(rank))));
    return values;
}

std::vector<std::string> SweepExchange::collect(const std::string& value)
{
    ++m_step;
    std::vector<std::string> values;
    if (m_rank != 0) {
        m_store->set(key(m_rank), bytesOf(value));
        return values;
    }
    values.push_back(value);
    for (int rank = 1; rank < m_ranks; ++rank) {
        values.push_back(textOf(m_store->get(key(rank))));
        m_store->deleteKey(key(rank));
    }
    return values;
}

c10::intrusive_ptr<c10d::Store> SweepExchange::freshStore(const std::string& name)
{
    return c10::make_intrusive<c10d::PrefixStore>(name + "/" + std::to_string(++m_step), m_store);
}

} // namespace ringmaster::collective
