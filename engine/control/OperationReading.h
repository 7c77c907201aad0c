#pragma once

#include "engine/control/OperationTally.h"
#include "engine/record/RunFileReader.h"

namespace ringmaster {

/// Adds the operations of a run file up, part by part. One thread at a time.
class OperationReading
{
public:
    /// At most `part` blocks further; true: there may be more. What is folded meanwhile makes it
    /// begin anew. After an error it is of no use any more.
    Result<bool> readOn(const RunFileReader& reader, size_t part);

    const OperationTally& tally() const { return m_tally; }

private:
    Result<void> readFolds(const RunFileReader& reader);

    OperationTally m_tally;
    bool m_hasFolds = false;
    std::int64_t m_foldedBeforeNs = 0;
    std::uint64_t m_cursor = 0;
};

} // namespace ringmaster
