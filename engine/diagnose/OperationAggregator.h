#pragma once

#include "engine/diagnose/Bandwidth.h"
#include "engine/ledger/OperationFold.h"

namespace ringmaster::diagnose {

/// Adds operations up, span of time by span, as they become known: what stays when they aren't kept
/// one by one any more. Of one attempt. Pure.
class OperationAggregator
{
public:
    static constexpr std::int64_t SpanNs = 10'000'000'000;
    /// So much later nothing more comes to a span.
    static constexpr std::int64_t PatienceNs = 60'000'000'000;
    /// Of more, the latest aren't kept: operations that say that they ended in a time to come.
    static constexpr size_t MostSpans = 1024;

    void add(const OperationBatch& batch);

    /// Spans that are over, each once; `nowNs` by the operations' clock.
    std::vector<OperationFold> take(std::int64_t nowNs);
    /// All that are left.
    std::vector<OperationFold> takeAll();

private:
    struct Span
    {
        BandwidthRows rows{};
        std::uint64_t operations = 0;
        std::int64_t firstNs = 0;
    };

    OperationFold foldOf(std::int64_t number, const Span& span) const;
    Span& spanOf(std::int64_t endedNs) { return m_spans[endedNs / SpanNs]; }
    void forgetFuture();

    int m_attempt = 0;
    OperationMatcher m_matcher;
    std::map<std::int64_t, Span> m_spans; ///< By their end over SpanNs.
};

} // namespace ringmaster::diagnose
