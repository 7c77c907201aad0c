#include "engine/control/OperationReading.h"

#include "engine/ledger/OperationBlock.h"

namespace ringmaster {

Result<void> OperationReading::readFolds(const RunFileReader& reader)
{
    const RunFileReader::Folded folded = RM_TRY(reader.foldedOperations());
    m_hasFolds = true;
    m_foldedBeforeNs = folded.beforeNs;
    m_tally.setFoldedBefore(folded.beforeNs);
    for (const FoldRow& row : folded.rows) {
        if (const auto fold = unpackFold(row.block))
            m_tally.add(*fold);
        else
            m_tally.addDamaged();
    }
    return {};
}

Result<bool> OperationReading::readOn(const RunFileReader& reader, size_t part)
{
    if (!m_hasFolds)
        RM_TRY(readFolds(reader));
    const auto page = RM_TRY(reader.operations(m_cursor, part));
    for (const OperationRow& row : page.rows) {
        if (const auto batch = unpackOperations(row.block))
            m_tally.add(*batch);
        else
            m_tally.addDamaged();
    }
    m_cursor = page.cursor;
    const bool isMore = page.rows.size() == part;
    // What was folded just now may have been what was about to be read.
    if (isMore && reader.foldedBefore().value_or(0) != m_foldedBeforeNs) {
        *this = {};
        return readOn(reader, part);
    }
    return isMore;
}

} // namespace ringmaster
