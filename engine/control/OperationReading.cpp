#include "engine/control/OperationReading.h"

#include "engine/ledger/OperationBlock.h"

#include <algorithm>
#include <limits>

namespace ringmaster {

Result<OperationPart> OperationPart::read(const RunFileReader& reader, const Query& query,
                                          size_t blocks, size_t bytes)
{
    constexpr size_t AtOnce = 16; // blocks: what doesn't fit is read in vain
    OperationPart part{.cursor = query.cursor};
    if (query.wantsFolds)
        part.folds = RM_TRY(reader.foldedOperations());
    for (size_t size = 0; part.rows.size() < blocks && size < bytes;) {
        const size_t count = std::min(blocks - part.rows.size(), AtOnce);
        auto page = RM_TRY(reader.operations(part.cursor, count));
        part.cursor = page.cursor;
        part.isMore = page.rows.size() == count;
        for (OperationRow& row : page.rows) {
            size += row.block.size();
            part.rows.push_back(std::move(row));
        }
        if (!part.isMore)
            break;
    }
    part.foldedBefore = RM_TRY(reader.foldedBefore());
    return part;
}

bool OperationReading::take(const OperationPart& part)
{
    if (part.folds) {
        m_next.wantsFolds = false;
        m_foldedBeforeNs = part.folds->beforeNs;
        m_tally.setFoldedBefore(m_foldedBeforeNs);
        for (const FoldRow& row : part.folds->rows) {
            if (const auto fold = unpackFold(row.block))
                m_tally.add(*fold);
            else
                m_tally.addDamaged();
        }
    }
    for (const OperationRow& row : part.rows) {
        if (const auto batch = unpackOperations(row.block))
            m_tally.add(*batch);
        else
            m_tally.addDamaged();
    }
    m_next.cursor = part.cursor;
    // What was folded just now may have been what was about to be read.
    if ((part.isMore || part.folds) && part.foldedBefore != m_foldedBeforeNs)
        *this = {};
    return part.isMore;
}

Result<bool> OperationReading::readOn(const RunFileReader& reader, size_t part)
{
    constexpr size_t AnySize = std::numeric_limits<size_t>::max();
    const bool isMore = take(RM_TRY(OperationPart::read(reader, m_next, part, AnySize)));
    return isNew() ? readOn(reader, part) : isMore;
}

} // namespace ringmaster
