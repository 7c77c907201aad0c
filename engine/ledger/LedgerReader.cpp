#include "engine/ledger/LedgerReader.h"

#include <algorithm>
#include <cstring>

namespace ringmaster {

using ledger::Record;

namespace {

constexpr size_t Words = sizeof(Record) / sizeof(std::uint64_t);

/// A worker may write anything: only what the rest of the program can handle goes on.
bool isSane(const Record& record)
{
    return static_cast<std::uint16_t>(
               record.kind)<ledger::OperationKinds&& static_cast<std::uint8_t>(record.record)> 0 &&
           static_cast<std::uint8_t>(record.record) < ledger::RecordKinds &&
           static_cast<std::uint8_t>(record.type) < ledger::DataTypes &&
           static_cast<std::uint8_t>(record.reduction) < ledger::Reductions &&
           static_cast<std::uint8_t>(record.algorithm) < ledger::Algorithms &&
           static_cast<std::uint8_t>(record.recorder) < ledger::Recorders &&
           static_cast<std::uint8_t>(record.caller) < ledger::Callers && record.enqueuedNs >= 0 &&
           record.startedNs >= 0 && record.endedNs >= 0;
}

} // namespace

LedgerReader::LedgerReader(const LedgerSegment& segment)
    : m_header(static_cast<ledger::Header*>(segment.m_memory))
    , m_groups(static_cast<const char*>(segment.m_memory) + ledger::HeaderBytes)
    , m_slots(reinterpret_cast<const Record*>(m_groups + segment.size().groupBytes))
    , m_slotCount(segment.size().slots)
    , m_groupBytes(segment.size().groupBytes)
{
}

/// The loads of the content are acquires: if one sees a later record's word, the second look at the
/// state sees that record's mark.
LedgerReader::Outcome LedgerReader::take(std::uint64_t ticket, Record& record) const
{
    const Record& slot = m_slots[ticket & (m_slotCount - 1)];
    const std::uint64_t done = ledger::stateOf(ticket);
    const std::uint64_t before = __atomic_load_n(&slot.state, __ATOMIC_ACQUIRE);
    if (before != done)
        return before > done ? Outcome::Overwritten : Outcome::NotYet;
    const auto* from = reinterpret_cast<const std::uint64_t*>(&slot);
    std::uint64_t words[Words];
    words[0] = before;
    for (size_t word = 1; word < Words; ++word)
        words[word] = __atomic_load_n(from + word, __ATOMIC_ACQUIRE);
    if (__atomic_load_n(&slot.state, __ATOMIC_RELAXED) != done)
        return Outcome::Overwritten;
    std::memcpy(&record, words, sizeof record);
    return isSane(record) ? Outcome::Taken : Outcome::Refused;
}

bool LedgerReader::isOutOfPatience(Clock::time_point now)
{
    if (!m_waitsSince)
        m_waitsSince = now;
    return now - *m_waitsSince >= Patience;
}

size_t LedgerReader::read(std::vector<Record>& into, Clock::time_point now, size_t limit)
{
    const std::uint64_t head = __atomic_load_n(&m_header->head, __ATOMIC_ACQUIRE);
    // Backwards: somebody scribbled over it. Nothing more can be read until it is ahead again.
    if (head < m_position)
        return 0;
    if (head - m_position > m_slotCount) {
        m_lost += head - m_slotCount - m_position;
        m_position = head - m_slotCount;
    }
    const size_t before = into.size();
    Record record{};
    while (m_position < head && into.size() - before < limit) {
        const Outcome outcome = take(m_position, record);
        if (outcome == Outcome::NotYet && !isOutOfPatience(now))
            break;
        m_waitsSince.reset();
        if (outcome == Outcome::Taken)
            into.push_back(record);
        else
            ++m_lost;
        ++m_position;
    }
    __atomic_store_n(&m_header->readPosition, m_position, __ATOMIC_RELAXED);
    __atomic_store_n(&m_header->bellRung, 0, __ATOMIC_RELAXED);
    return into.size() - before;
}

std::vector<LedgerGroup> LedgerReader::readGroups()
{
    std::vector<LedgerGroup> groups;
    const std::uint64_t used = std::min<std::uint64_t>(
        __atomic_load_n(&m_header->groupsUsed, __ATOMIC_ACQUIRE), m_groupBytes);
    while (m_groupPosition + sizeof(ledger::GroupEntry) <= used) {
        ledger::GroupEntry entry{};
        std::memcpy(&entry, m_groups + m_groupPosition, sizeof entry);
        const std::uint64_t room = used - m_groupPosition;
        const std::uint64_t wanted = sizeof entry + std::uint64_t(entry.nameBytes) +
                                     std::uint64_t(entry.members) * sizeof(std::int32_t);
        if (entry.bytes > room || entry.bytes % 8 != 0 || wanted > entry.bytes ||
            entry.nameBytes > ledger::LongestGroupName || entry.members > MostGroupMembers) {
            m_groupPosition = m_groupBytes; // nothing behind it can be found
            break;
        }
        const char* name = m_groups + m_groupPosition + sizeof entry;
        LedgerGroup group{.group = entry.group, .name = std::string(name, entry.nameBytes)};
        group.members.resize(entry.members);
        if (entry.members > 0)
            std::memcpy(group.members.data(), name + entry.nameBytes,
                        entry.members * sizeof(std::int32_t));
        groups.push_back(std::move(group));
        m_groupPosition += entry.bytes;
    }
    return groups;
}

std::uint64_t LedgerReader::lost() const
{
    return m_lost;
}

std::uint64_t LedgerReader::groupsUnnamed() const
{
    return __atomic_load_n(&m_header->groupsUnnamed, __ATOMIC_RELAXED);
}

double LedgerReader::fill() const
{
    const std::uint64_t head = __atomic_load_n(&m_header->head, __ATOMIC_RELAXED);
    if (head <= m_position)
        return 0;
    return std::min(1.0, double(head - m_position) / m_slotCount);
}

bool LedgerReader::isWritten() const
{
    return __atomic_load_n(&m_header->writerPid, __ATOMIC_ACQUIRE) != 0;
}

} // namespace ringmaster
