#pragma once

#include "engine/base/Result.h"
#include "engine/ledger/Operation.h"

#include <filesystem>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// What NCCL's Inspector plugin wrote of one process: its operations that have ended.
struct NcclInspectorLog
{
    /// Of one communicator; by its number in `communicators`.
    struct Communicator
    {
        std::string id{}; ///< The same in all its processes.
        std::string name{};
        int rank = -1;
        int ranks = 0;
    };

    struct Entry
    {
        Operation operation{}; ///< Its group is the communicator's number; its number is NCCL's,
                               ///< which counts each kind by itself.
        bool isTimed = false;  ///< It says when it ran (NCCL_INSPECTOR_DUMP_VERBOSE=1).
    };

    std::filesystem::path file{};
    std::string host{};
    std::int64_t pid = 0;
    std::vector<Communicator> communicators{};
    std::vector<Entry> entries{};
    std::uint64_t dropped = 0; ///< That had no room in its memory.
    bool isCutOff = false;     ///< In the middle of its last line.

    /// In the largest communicator; nullptr: it has none.
    const Communicator* largest() const;
};

/// Whether this, the beginning of a file, may be such a log.
bool looksLikeNcclInspector(std::string_view beginning);

/// Line by line. Bounded, whatever the bytes are.
Result<NcclInspectorLog> readNcclInspector(std::istream& lines);

} // namespace ringmaster
