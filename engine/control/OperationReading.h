#pragma once

#include "engine/control/OperationTally.h"
#include "engine/record/RunFileReader.h"

#include <optional>

namespace ringmaster {

/// Some of the operations of a run file, as they are in it.
struct OperationPart
{
    struct Query
    {
        std::uint64_t cursor = 0;
        bool wantsFolds = false; ///< Of a first part.
        bool operator==(const Query&) const = default;
    };

    std::vector<OperationRow> rows{};
    std::uint64_t cursor = 0;      ///< For the next part.
    std::int64_t foldedBefore = 0; ///< Now, as RunFileReader::Folded has it.
    std::optional<RunFileReader::Folded> folds{};
    bool isMore = false;
    std::int64_t nowNs = 0; ///< Where it was read on another machine: CLOCK_MONOTONIC there.

    /// At most so many blocks; of those, as many as fit into `bytes`, but one at least.
    static Result<OperationPart> read(const RunFileReader& reader, const Query& query,
                                      size_t blocks, size_t bytes);
};

/// Adds the operations of a run file up, part by part. One thread at a time.
class OperationReading
{
public:
    /// Of the part that is needed next.
    const OperationPart::Query& next() const { return m_next; }
    /// True: there may be more. What is folded meanwhile makes it begin anew, see isNew().
    bool take(const OperationPart& part);
    bool isNew() const { return m_next.wantsFolds; }
    /// At most `part` blocks further.
    Result<bool> readOn(const RunFileReader& reader, size_t part);

    const OperationTally& tally() const { return m_tally; }

private:
    OperationTally m_tally;
    std::int64_t m_foldedBeforeNs = 0;
    OperationPart::Query m_next{.wantsFolds = true};
};

} // namespace ringmaster
