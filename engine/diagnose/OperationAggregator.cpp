#include "engine/diagnose/OperationAggregator.h"

#include <algorithm>
#include <iterator>

namespace ringmaster::diagnose {

void OperationAggregator::add(const OperationBatch& batch)
{
    m_attempt = batch.attempt;
    for (const LedgerGroup& group : batch.groups)
        m_matcher.described(batch.rank, group);
    for (const Operation& operation : batch.operations) {
        if (operation.endedNs != 0 && !ledger::makesGroup(operation.kind)) {
            Span& span = spanOf(operation.endedNs);
            ++span.operations;
            span.firstNs = span.firstNs == 0 ? operation.enqueuedNs
                                             : std::min(span.firstNs, operation.enqueuedNs);
        }
        if (const auto settled = m_matcher.add(batch.rank, operation))
            spanOf(settled->endedNs).rows.add(*settled);
        forgetFuture();
    }
}

std::vector<OperationFold> OperationAggregator::take(std::int64_t nowNs)
{
    std::vector<OperationFold> folds;
    // Who is so late is lost, or so far behind the others that it makes no difference.
    for (const SettledOperation& given : m_matcher.giveUp(nowNs - 30 * PatienceNs))
        spanOf(given.endedNs).rows.add(given);
    while (!m_spans.empty() && (m_spans.begin()->first + 1) * SpanNs + PatienceNs <= nowNs) {
        folds.push_back(foldOf(m_spans.begin()->first, m_spans.begin()->second));
        m_spans.erase(m_spans.begin());
    }
    return folds;
}

void OperationAggregator::forgetFuture()
{
    while (m_spans.size() > MostSpans)
        m_spans.erase(std::prev(m_spans.end()));
}

std::vector<OperationFold> OperationAggregator::takeAll()
{
    std::vector<OperationFold> folds;
    for (const auto& [number, span] : m_spans)
        folds.push_back(foldOf(number, span));
    m_spans.clear();
    return folds;
}

OperationFold OperationAggregator::foldOf(std::int64_t number, const Span& span) const
{
    OperationFold fold = diagnose::foldOf(span.rows.rows());
    fold.attempt = m_attempt;
    fold.firstNs = span.firstNs;
    fold.untilNs = (number + 1) * SpanNs;
    fold.operations = span.operations;
    return fold;
}

} // namespace ringmaster::diagnose
