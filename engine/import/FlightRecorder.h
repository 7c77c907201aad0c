#pragma once

#include "engine/base/Result.h"
#include "engine/ledger/Operation.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// What torch's flight recorder wrote of one rank, in its pickle or its JSON form; or what another
/// recorder's log, read as one, tells.
struct FlightRecorderDump
{
    enum class Source { FlightRecorder, Clog };

    struct Entry
    {
        Operation operation{};   ///< Without group and number of point-to-point.
        std::string group{};     ///< As torch calls it, "0" being the first one.
        std::uint64_t input = 0; ///< Elements.
        std::uint64_t output = 0;
    };

    Source source = Source::FlightRecorder;
    std::filesystem::path file{};
    std::int64_t writtenNs = 0; ///< When the file was last changed; 0: unknown.
    int rank = -1;
    std::string version{};
    std::vector<Entry> entries{};
    std::string world{"0"}; ///< The group of all ranks; torch's name of the first one.
    std::map<std::string, std::vector<int>> members{}; ///< Of the groups of which it says them.
    std::vector<CallSite> sites{};
    bool hasEnds = true;        ///< It says of some operations that they have ended.
    std::uint64_t replayed = 0; ///< Events of graphs that were replayed, which have no calls.
    bool isWhole = true;        ///< Nothing was overwritten: it begins with the first operation.
};

/// Whether this, the beginning of a file, may be such a dump.
bool looksLikeFlightRecorder(std::string_view beginning);

/// From the content of a file. The rank isn't in it. Bounded, whatever the bytes are.
Result<FlightRecorderDump> readFlightRecorder(std::string_view content);

} // namespace ringmaster
