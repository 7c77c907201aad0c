#pragma once

#include "engine/base/Result.h"
#include "engine/ledger/CallSite.h"
#include "engine/ledger/LedgerGroup.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// How operations are written as bytes: numbers in as few as they need, texts with their length,
/// all of it compressed. Inside engine/ledger only.
namespace ringmaster::packing {

constexpr size_t LargestBlock = 16U << 20U; ///< Unpacked.
constexpr size_t LongestText = 1024;
constexpr size_t MostGroups = 1U << 16U;

/// Small for small negative ones, too.
constexpr std::uint64_t zigzag(std::int64_t value)
{
    return (static_cast<std::uint64_t>(value) << 1U) ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value)
{
    return static_cast<std::int64_t>((value >> 1U) ^ (~(value & 1U) + 1));
}

class Packer
{
public:
    void number(std::uint64_t value);
    void difference(std::int64_t value) { number(zigzag(value)); }
    void text(std::string_view value);
    /// Byte by byte of all numbers: what they have in common is compressed well.
    void column(const std::vector<std::uint64_t>& values);
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

/// Once something isn't as it should be, all that follows is 0.
class Unpacker
{
public:
    explicit Unpacker(std::string_view bytes) : m_bytes(bytes) {}

    std::uint64_t number();
    std::int64_t difference() { return unzigzag(number()); }
    /// A number that something is allocated or chosen by.
    std::uint64_t below(std::uint64_t limit);
    std::string text();
    std::vector<std::uint64_t> column(size_t count);
    /// What was read makes no sense.
    void refuse() { m_isFine = false; }
    bool isFine() const { return m_isFine; }
    bool isAtEnd() const { return m_at == m_bytes.size(); }

private:
    std::string_view m_bytes;
    size_t m_at = 0;
    bool m_isFine = true;
};

void packGroups(Packer& packer, const std::vector<LedgerGroup>& groups);
std::vector<LedgerGroup> unpackGroups(Unpacker& unpacker);
void packSites(Packer& packer, const std::vector<CallSite>& sites);
std::vector<CallSite> unpackSites(Unpacker& unpacker);

std::string compressed(std::string_view bytes);
Result<std::string> decompressed(std::string_view block);
tl::unexpected<Error> damaged(std::string_view what);

} // namespace ringmaster::packing
