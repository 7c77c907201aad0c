#pragma once

#include "engine/ledger/CallSite.h"
#include "engine/ledger/LedgerGroup.h"
#include "engine/ledger/LedgerSegment.h"

#include <chrono>
#include <optional>
#include <vector>

namespace ringmaster {

/// Reads one worker's ledger while that writes it, and after its death. Believes nothing that
/// stands in it: every number is bounded, and what is no record is left out and counted. One
/// thread.
class LedgerReader
{
public:
    using Clock = std::chrono::steady_clock;

    /// The segment outlives the reader.
    explicit LedgerReader(const LedgerSegment& segment);

    /// Appends what is complete and returns how many; of each thread in the order in which it was
    /// begun. A record that is begun and not complete holds the others up for `Patience`. Its
    /// writer may be paused: then it comes later, and counts as lost after `LongPatience`.
    size_t read(std::vector<ledger::Record>& into, Clock::time_point now, size_t limit = 65'536);

    /// Those that were described since the last call.
    std::vector<LedgerGroup> readGroups();
    std::vector<CallSite> readSites();

    /// Records that could not be read: overwritten, left incomplete, refused or without a place.
    std::uint64_t lost() const;
    std::uint64_t groupsUnnamed() const;
    /// Share of the ring that waits to be read, 0 to 1; with what may still be completed.
    double fill() const;
    /// The worker attached itself: somebody writes here.
    bool isWritten() const;
    /// Who says to write here, by the numbers of its own PID namespace; 0: nobody.
    int writer() const;

    static constexpr std::chrono::milliseconds Patience{100};
    static constexpr std::chrono::seconds LongPatience{60};

private:
    enum class Outcome { Taken, Refused, Overwritten, NotYet };
    Outcome take(std::uint64_t ticket, ledger::Record& record) const;
    bool isOutOfPatience(Clock::time_point now);
    void takeLate(std::vector<ledger::Record>& into, size_t before, Clock::time_point now);

    ledger::Header* m_header;
    const char* m_groups;
    const char* m_sites;
    const ledger::Record* m_slots;
    std::uint32_t m_slotCount;
    std::uint32_t m_groupBytes;
    std::uint32_t m_siteBytes;
    bool m_isOurs;
    std::uint64_t m_position = 0;
    /// What others went past.
    struct Incomplete
    {
        std::uint64_t ticket = 0;
        Clock::time_point since{};
        size_t place = 0; ///< In what is read now, if it was met there.
    };
    static constexpr size_t MostIncomplete = 1024;
    std::vector<Incomplete> m_incomplete; ///< By ticket.
    std::uint64_t m_lost = 0;
    std::uint64_t m_groupPosition = 0;
    std::uint64_t m_sitePosition = 0;
    std::optional<Clock::time_point> m_waitsSince;
};

} // namespace ringmaster
