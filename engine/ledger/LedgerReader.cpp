#include "engine/ledger/LedgerReader.h"

#include "engine/ledger/Moments.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace ringmaster {

using ledger::Record;

namespace {

constexpr size_t Words = sizeof(Record) / sizeof(std::uint64_t);

bool isPast(std::int64_t ns)
{
    return ns >= 0 && isMoment(ns);
}

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
           static_cast<std::uint8_t>(record.caller) < ledger::Callers &&
           static_cast<std::uint8_t>(record.backend) < ledger::Backends &&
           isPast(record.enqueuedNs) && isPast(record.startedNs) && isPast(record.endedNs) &&
           isPast(record.returnedNs) && record.isAwaited <= 1;
}

} // namespace

LedgerReader::LedgerReader(const LedgerSegment& segment)
    : m_header(static_cast<ledger::Header*>(segment.m_memory))
    , m_groups(static_cast<const char*>(segment.m_memory) + ledger::HeaderBytes)
    , m_sites(m_groups + segment.size().groupBytes)
    , m_slots(reinterpret_cast<const Record*>(m_sites + segment.size().siteBytes))
    , m_slotCount(segment.size().slots)
    , m_groupBytes(segment.size().groupBytes)
    , m_siteBytes(segment.size().siteBytes)
    , m_isOurs(segment.isOurs())
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

/// After the others: whoever wrote one of these has written it before what it wrote next.
void LedgerReader::takeLate(std::vector<Record>& into, size_t before, Clock::time_point now)
{
    size_t inserted = 0;
    std::erase_if(m_incomplete, [&](Incomplete& known) {
        Record record{};
        const size_t place = std::max(std::exchange(known.place, 0), before) + inserted;
        switch (take(known.ticket, record)) {
        case Outcome::Taken:
            into.insert(into.begin() + static_cast<std::ptrdiff_t>(place), record);
            ++inserted;
            return true;
        case Outcome::NotYet:
            if (now - known.since < LongPatience)
                return false;
            break;
        case Outcome::Refused:
        case Outcome::Overwritten: break;
        }
        ++m_lost;
        return true;
    });
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
        else if (outcome == Outcome::NotYet && m_incomplete.size() < MostIncomplete)
            m_incomplete.push_back({m_position, now, into.size()});
        else
            ++m_lost;
        ++m_position;
    }
    if (!m_incomplete.empty())
        takeLate(into, before, now);
    if (m_isOurs) {
        __atomic_store_n(&m_header->readPosition, m_position, __ATOMIC_RELAXED);
        __atomic_store_n(&m_header->bellRung, 0, __ATOMIC_RELAXED);
    }
    return into.size() - before;
}

namespace {

/// The next entry of an area, from where its content begins; null where there is none yet, or
/// nothing behind it can be found. `wanted` says how long it has to be; nothing: it is none.
template <class Entry, class Wanted>
const char* nextEntry(const char* area, std::uint32_t areaBytes, std::uint64_t used,
                      std::uint64_t& position, Entry& entry, const Wanted& wanted)
{
    if (position + sizeof entry > std::min<std::uint64_t>(used, areaBytes))
        return nullptr;
    const std::uint64_t room = std::min<std::uint64_t>(used, areaBytes) - position;
    std::memcpy(&entry, area + position, sizeof entry);
    const std::optional<std::uint64_t> least = wanted(entry);
    if (!least || entry.bytes > room || entry.bytes % 8 != 0 ||
        sizeof entry + *least > entry.bytes) {
        position = areaBytes;
        return nullptr;
    }
    const char* content = area + position + sizeof entry;
    position += entry.bytes;
    return content;
}

} // namespace

std::vector<LedgerGroup> LedgerReader::readGroups()
{
    std::vector<LedgerGroup> groups;
    const std::uint64_t used = __atomic_load_n(&m_header->groupsUsed, __ATOMIC_ACQUIRE);
    const auto wanted = [](const ledger::GroupEntry& entry) -> std::optional<std::uint64_t> {
        if (entry.nameBytes > ledger::LongestGroupName || entry.members > MostGroupMembers)
            return std::nullopt;
        return entry.nameBytes + entry.members * sizeof(std::int32_t);
    };
    ledger::GroupEntry entry{};
    while (const char* name =
               nextEntry(m_groups, m_groupBytes, used, m_groupPosition, entry, wanted)) {
        LedgerGroup group{.group = entry.group, .name = std::string(name, entry.nameBytes)};
        group.members.resize(entry.members);
        if (entry.members > 0)
            std::memcpy(group.members.data(), name + entry.nameBytes,
                        entry.members * sizeof(std::int32_t));
        groups.push_back(std::move(group));
    }
    return groups;
}

std::vector<CallSite> LedgerReader::readSites()
{
    std::vector<CallSite> sites;
    const std::uint64_t used = __atomic_load_n(&m_header->sitesUsed, __ATOMIC_ACQUIRE);
    const auto wanted = [](const ledger::SiteEntry& entry) -> std::optional<std::uint64_t> {
        if (entry.site == 0 || entry.site > ledger::MostSites ||
            entry.fileBytes > ledger::LongestSiteFile ||
            entry.functionBytes > ledger::LongestSiteFunction)
            return std::nullopt;
        return std::uint64_t(entry.fileBytes) + entry.functionBytes;
    };
    ledger::SiteEntry entry{};
    while (const char* file = nextEntry(m_sites, m_siteBytes, used, m_sitePosition, entry, wanted))
        sites.push_back({entry.site, std::string(file, entry.fileBytes),
                         std::string(file + entry.fileBytes, entry.functionBytes), entry.line});
    return sites;
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
        return m_incomplete.empty() ? 0 : 1.0 / m_slotCount;
    return std::min(1.0, double(head - m_position) / m_slotCount);
}

bool LedgerReader::isWritten() const
{
    return writer() != 0;
}

int LedgerReader::writer() const
{
    return static_cast<int>(__atomic_load_n(&m_header->writerPid, __ATOMIC_ACQUIRE));
}

} // namespace ringmaster
