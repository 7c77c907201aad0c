#include "engine/control/OperationTally.h"

#include "engine/diagnose/OperationAggregator.h"
#include "engine/ledger/Moments.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace ringmaster {

bool OperationTally::isOfLatest(int attempt)
{
    if (attempt <= m_attempt)
        return attempt == m_attempt;
    OperationTally next;
    next.m_attempt = attempt;
    next.setFoldedBefore(m_foldedBeforeNs);
    next.m_series = std::move(m_series);
    next.m_tables = std::move(m_tables);
    next.m_spanNs = m_spanNs;
    next.m_beganNs = beganNs();
    next.m_firstNs = m_firstNs;
    next.m_lastNs = m_lastNs;
    *this = std::move(next);
    return true;
}

std::int64_t OperationTally::beganNs() const
{
    return m_beganNs != 0 ? m_beganNs : m_table.firstNs();
}

std::int64_t OperationTally::endedNs() const
{
    return std::max(m_lastNs, m_table.firstNs() + m_table.wallNs());
}

void OperationTally::setFoldedBefore(std::int64_t ns)
{
    m_foldedBeforeNs = ns;
    m_table.setFoldedBefore(ns);
}

void OperationTally::add(const OperationFold& fold)
{
    if (!isOfLatest(fold.attempt))
        return;
    m_table.add(fold);
    m_operations += fold.operations;
    for (const OperationFold::Row& row : fold.rows) {
        OperationSummary::Point& point = pointAt(row.kind, fold.untilNs - 1);
        point.count += row.count;
        point.bytes += static_cast<double>(row.bytes);
        if (diagnose::tellsBandwidth(row.kind, row.backend)) {
            const auto ranks = static_cast<int>(fold.groups.at(row.group).members.size());
            point.busBytes += static_cast<double>(row.bytes) * ledger::busFactor(row.kind, ranks);
            point.transferNs = sumNs(point.transferNs, row.transferNs);
            point.feltNs = sumNs(point.feltNs, row.feltNs);
        }
        m_tables[(fold.untilNs - 1) / m_spanNs].add(diagnose::rowOf(fold, row));
    }
}

void OperationTally::add(const OperationBatch& batch)
{
    if (!isOfLatest(batch.attempt))
        return;
    for (const LedgerGroup& group : batch.groups)
        m_table.described(batch.rank, group);
    if (m_stepsOf < 0 || batch.rank < m_stepsOf) {
        m_stepsOf = batch.rank;
        m_steps = {};
    }
    for (const CallSite& site : batch.sites)
        m_sites[{batch.rank, site.site}] = site;
    for (const Operation& operation : batch.operations) {
        if (batch.rank == m_stepsOf)
            m_steps.add(operation);
        if (const auto settled = m_table.add(batch.rank, operation))
            addToSeries(*settled);
        setPlace(batch.rank, operation);
        m_arrivals.add(batch.rank, m_table.groupOf(batch.rank, operation.group), operation);
    }
    m_operations += static_cast<std::uint64_t>(
        std::ranges::count_if(batch.operations, [this](const Operation& operation) {
            return !ledger::makesGroup(operation.kind) &&
                   (operation.endedNs == 0 || operation.endedNs >= m_foldedBeforeNs);
        }));
    m_lost += batch.lost;
}

void OperationTally::setPlace(int rank, const Operation& operation)
{
    const auto [at, isNew] = m_latest.try_emplace(rank);
    Latest& latest = at->second;
    if (!isNew && operation.id < latest.id)
        return;
    const bool isInside = operation.outcome == Operation::Outcome::Running;
    latest = {operation.id,
              {.rank = rank,
               .kind = operation.kind,
               .name = operation.name,
               .number = operation.number,
               .isInside = isInside,
               .sinceNs = isInside ? operation.enqueuedNs : operation.endedNs},
              operation.site};
}

OperationSummary::Point& OperationTally::pointAt(ledger::OperationKind kind, std::int64_t endedNs)
{
    makeRoomFor(endedNs);
    const std::int64_t span = endedNs / m_spanNs;
    OperationSummary::Point& point = m_series[kind][span];
    point.fromNs = span * m_spanNs;
    return point;
}

void OperationTally::addToSeries(const diagnose::SettledOperation& operation)
{
    makeRoomFor(operation.endedNs);
    m_tables[operation.endedNs / m_spanNs].add(operation);
    if (!operation.isTimed())
        return;
    OperationSummary::Point& point = pointAt(operation.kind, operation.endedNs);
    ++point.count;
    const auto bytes = static_cast<double>(operation.bytes);
    point.bytes += bytes;
    if (diagnose::tellsBandwidth(operation.kind, operation.backend)) {
        point.busBytes += bytes * ledger::busFactor(operation.kind, operation.groupSize());
        point.transferNs = sumNs(point.transferNs, operation.transferNs);
        point.feltNs = sumNs(point.feltNs, operation.feltNs / operation.ranks);
    }
}

void OperationTally::makeRoomFor(std::int64_t endedNs)
{
    m_firstNs = m_firstNs == 0 ? endedNs : std::min(m_firstNs, endedNs);
    m_lastNs = std::max(m_lastNs, endedNs);
    const std::int64_t before = m_spanNs;
    while (m_lastNs / m_spanNs - m_firstNs / m_spanNs >= MostSpans)
        m_spanNs *= 2;
    if (m_spanNs != before)
        widenSpans(before);
}

void OperationTally::widenSpans(std::int64_t before)
{
    for (auto& [kind, spans] : m_series) {
        Spans wider;
        for (const auto& [span, point] : spans) {
            const std::int64_t at = point.fromNs / m_spanNs;
            OperationSummary::Point& sum = wider[at];
            sum.fromNs = at * m_spanNs;
            sum.count += point.count;
            sum.bytes += point.bytes;
            sum.busBytes += point.busBytes;
            sum.transferNs = sumNs(sum.transferNs, point.transferNs);
            sum.feltNs = sumNs(sum.feltNs, point.feltNs);
        }
        spans = std::move(wider);
    }
    Tables wider;
    for (const auto& [span, table] : std::exchange(m_tables, {})) {
        for (const diagnose::BandwidthRow& row : table.rows())
            wider[span * before / m_spanNs].add(row);
    }
    m_tables = std::move(wider);
}

OperationSummary::TimeRange OperationTally::widened(OperationSummary::TimeRange range) const
{
    const auto step = [this](std::int64_t ns) {
        const bool isSum = ns < m_foldedBeforeNs;
        return isSum ? std::lcm(m_spanNs, diagnose::OperationAggregator::SpanNs) : m_spanNs;
    };
    const std::int64_t first = step(range.fromNs);
    const std::int64_t last = step(range.untilNs - 1);
    return {range.fromNs / first * first, (range.untilNs - 1) / last * last + last};
}

void OperationTally::narrow(OperationSummary& summary, OperationSummary::TimeRange wished) const
{
    const OperationSummary::TimeRange range = widened(wished);
    diagnose::BandwidthRows rows;
    for (auto table = m_tables.lower_bound(range.fromNs / m_spanNs);
         table != m_tables.end() && table->first * m_spanNs < range.untilNs; ++table) {
        for (const diagnose::BandwidthRow& row : table->second.rows())
            rows.add(row);
    }
    for (const diagnose::SettledOperation& waiting : m_table.waiting()) {
        if (waiting.endedNs >= range.fromNs && waiting.endedNs < range.untilNs)
            rows.add(waiting);
    }
    const std::int64_t from = std::max(range.fromNs, beganNs());
    const std::int64_t until = std::min(range.untilNs, endedNs());
    summary.range = range;
    summary.wallNs = std::max<std::int64_t>(until - from, 0);
    summary.foldedNs = std::clamp<std::int64_t>(m_foldedBeforeNs - from, 0, summary.wallNs);
    summary.rows = diagnose::byShare(rows, summary.wallNs);
}

OperationSummary OperationTally::summary(std::optional<OperationSummary::TimeRange> range) const
{
    OperationSummary summary{.attempt = m_attempt,
                             .operations = m_operations,
                             .lost = m_lost,
                             .damaged = m_damaged,
                             .wallNs = m_table.wallNs(),
                             .foldedNs = m_table.foldedNs(),
                             .spanNs = m_spanNs,
                             .steps = m_steps.rate(),
                             .rows = m_table.rows()};
    summary.collectives = m_arrivals.summary();
    for (const auto& [rank, latest] : m_latest) {
        summary.places.push_back(latest.place);
        if (const auto site = m_sites.find({rank, latest.site}); site != m_sites.end())
            summary.places.back().calledAt = site->second;
    }
    for (const auto& [kind, spans] : m_series) {
        summary.series.push_back({.kind = kind});
        for (const auto& [span, point] : spans)
            summary.series.back().points.push_back(point);
    }
    if (range && range->fromNs < range->untilNs)
        narrow(summary, *range);
    return summary;
}

} // namespace ringmaster
