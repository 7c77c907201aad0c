#include "engine/ledger/Packing.h"

#include "engine/ledger/Codes.h"
#include "engine/ledger/Layout.h"

#include <bit>

#include <zstd.h>

namespace ringmaster::packing {

namespace {

constexpr int Level = 3;

} // namespace

void Packer::number(std::uint64_t value)
{
    while (value >= 0x80) {
        m_bytes += static_cast<char>(value | 0x80U);
        value >>= 7U;
    }
    m_bytes += static_cast<char>(value);
}

void Packer::text(std::string_view value)
{
    value = value.substr(0, LongestText);
    number(value.size());
    m_bytes += value;
}

void Packer::column(const std::vector<std::uint64_t>& values)
{
    std::uint64_t all = 0;
    for (const std::uint64_t value : values)
        all |= value;
    const auto width = (static_cast<unsigned>(std::bit_width(all)) + 7) / 8;
    number(width);
    for (unsigned byte = 0; byte < width; ++byte) {
        for (const std::uint64_t value : values)
            m_bytes += static_cast<char>(value >> (8 * byte) & 0xFFU);
    }
}

std::vector<std::uint64_t> Unpacker::column(size_t count)
{
    std::vector<std::uint64_t> values(count);
    const std::uint64_t width = below(9);
    if (width * count > m_bytes.size() - m_at)
        m_isFine = false;
    for (unsigned byte = 0; byte < width && m_isFine; ++byte) {
        for (std::uint64_t& value : values)
            value |= static_cast<std::uint64_t>(static_cast<unsigned char>(m_bytes[m_at++]))
                     << (8 * byte);
    }
    return values;
}

std::uint64_t Unpacker::number()
{
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && m_isFine; shift += 7) {
        if (m_at == m_bytes.size())
            break;
        const auto byte = static_cast<unsigned char>(m_bytes[m_at++]);
        value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
        if ((byte & 0x80U) == 0)
            return value;
    }
    m_isFine = false;
    return 0;
}

std::uint64_t Unpacker::below(std::uint64_t limit)
{
    const std::uint64_t value = number();
    if (value < limit)
        return value;
    m_isFine = false;
    return 0;
}

std::string Unpacker::text()
{
    const size_t size = below(LongestText + 1);
    if (size > m_bytes.size() - m_at) {
        m_isFine = false;
        return {};
    }
    m_at += size;
    return std::string(m_bytes.substr(m_at - size, size));
}

void packGroups(Packer& packer, const std::vector<LedgerGroup>& groups)
{
    packer.number(groups.size());
    for (const LedgerGroup& group : groups) {
        packer.number(group.group);
        packer.text(group.name);
        packer.number(group.members.size());
        int last = 0;
        for (const int member : group.members) {
            packer.difference(std::int64_t(member) - last);
            last = member;
        }
    }
}

std::vector<LedgerGroup> unpackGroups(Unpacker& unpacker)
{
    std::vector<LedgerGroup> groups;
    const size_t count = unpacker.below(MostGroups + 1);
    while (groups.size() < count && unpacker.isFine()) {
        LedgerGroup group{.group = static_cast<std::uint32_t>(unpacker.below(1ULL << 32U)),
                          .name = unpacker.text()};
        const size_t members = unpacker.below(MostGroupMembers + 1);
        std::int64_t last = 0;
        while (group.members.size() < members && unpacker.isFine()) {
            last += unpacker.difference() % (std::int64_t(1) << 32U);
            group.members.push_back(static_cast<int>(last));
        }
        groups.push_back(std::move(group));
    }
    return groups;
}

void packSites(Packer& packer, const std::vector<CallSite>& sites)
{
    packer.number(sites.size());
    for (const CallSite& site : sites) {
        packer.number(site.site);
        packer.text(site.file);
        packer.text(site.function);
        packer.number(site.line);
    }
}

std::vector<CallSite> unpackSites(Unpacker& unpacker)
{
    std::vector<CallSite> sites;
    const size_t count = unpacker.below(ledger::MostSites + 1);
    while (sites.size() < count && unpacker.isFine()) {
        CallSite site{.site = static_cast<std::uint16_t>(unpacker.below(1U << 16U)),
                      .file = unpacker.text(),
                      .function = unpacker.text()};
        site.line = static_cast<std::uint32_t>(unpacker.below(1ULL << 32U));
        sites.push_back(std::move(site));
    }
    return sites;
}

std::string compressed(std::string_view bytes)
{
    std::string block(ZSTD_compressBound(bytes.size()), '\0');
    block.resize(ZSTD_compress(block.data(), block.size(), bytes.data(), bytes.size(), Level));
    return block;
}

Result<std::string> decompressed(std::string_view block)
{
    const auto size = ZSTD_getFrameContentSize(block.data(), block.size());
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > LargestBlock)
        return damaged("a block isn't compressed as it should be");
    std::string bytes(size, '\0');
    const size_t written = ZSTD_decompress(bytes.data(), bytes.size(), block.data(), block.size());
    if (ZSTD_isError(written) != 0 || written != bytes.size())
        return damaged("a block can't be unpacked");
    return bytes;
}

tl::unexpected<Error> damaged(std::string_view what)
{
    return fail(code::LedgerDamaged, {{"path", "operations"}, {"what", std::string(what)}});
}

} // namespace ringmaster::packing
