#include "engine/diagnose/Bandwidth.h"

#include "engine/ledger/Moments.h"
#include "engine/ledger/OperationNames.h"

#include <algorithm>
#include <bit>

namespace ringmaster::diagnose {

namespace {

double rate(double bytes, std::int64_t nanoseconds)
{
    return nanoseconds > 0 ? bytes * 1e9 / static_cast<double>(nanoseconds) : 0;
}

} // namespace

bool tellsBandwidth(ledger::OperationKind kind, ledger::Backend backend)
{
    return kind != ledger::OperationKind::Send || backend == ledger::Backend::Nccl;
}

double BandwidthRow::algorithmBandwidth() const
{
    return tellsBandwidth() ? rate(static_cast<double>(bytes), transferNs) : 0;
}

double BandwidthRow::busBandwidth() const
{
    return algorithmBandwidth() * ledger::busFactor(kind, static_cast<int>(group.members.size()));
}

double BandwidthRow::feltBandwidth() const
{
    return tellsBandwidth() ? rate(static_cast<double>(bytes), feltNs) : 0;
}

void BandwidthRow::cover(std::int64_t durationNs, std::int64_t endedNs)
{
    const std::int64_t from = std::max(lastEndNs, endedNs - durationNs);
    if (endedNs <= from)
        return;
    coveredNs = sumNs(coveredNs, endedNs - from);
    lastEndNs = endedNs;
}

BandwidthRow rowOf(const OperationFold& fold, const OperationFold::Row& row)
{
    const LedgerGroup& group = fold.groups.at(row.group);
    return {.kind = row.kind,
            .type = row.type,
            .group = {group.name, group.members},
            .backend = row.backend,
            .algorithm = row.algorithm,
            .bucket = row.bucket,
            .count = row.count,
            .bytes = row.bytes,
            .transferNs = row.transferNs,
            .feltNs = row.feltNs,
            .isWire = row.isWire,
            .transfers = row.transfers,
            .coveredNs = row.coveredNs};
}

OperationFold foldOf(std::vector<BandwidthRow> rows)
{
    OperationFold fold;
    std::map<GroupKey, std::uint32_t> places;
    for (BandwidthRow& row : rows) {
        const auto [place, isNew] =
            places.try_emplace(row.group, static_cast<std::uint32_t>(fold.groups.size()));
        if (isNew)
            fold.groups.push_back({place->second, row.group.name, row.group.members});
        fold.rows.push_back({.group = place->second,
                             .kind = row.kind,
                             .type = row.type,
                             .backend = row.backend,
                             .algorithm = row.algorithm,
                             .isWire = row.isWire,
                             .bucket = row.bucket,
                             .count = row.count,
                             .bytes = row.bytes,
                             .transferNs = row.transferNs,
                             .feltNs = row.feltNs,
                             .coveredNs = row.coveredNs,
                             .transfers = std::move(row.transfers)});
    }
    return fold;
}

size_t BandwidthRows::placeOf(const GroupKey& group)
{
    const auto [at, isNew] = m_places.try_emplace(group, m_groups.size());
    if (isNew)
        m_groups.emplace_back();
    return at->second;
}

BandwidthRow* BandwidthRows::find(Rows& rows, const BandwidthRow& like)
{
    for (BandwidthRow& row : rows) {
        if (row.kind == like.kind && row.type == like.type && row.backend == like.backend &&
            row.algorithm == like.algorithm && row.bucket == like.bucket &&
            row.isTimed() == like.isTimed())
            return &row;
    }
    return nullptr;
}

void BandwidthRows::add(const SettledOperation& operation)
{
    const auto [place, isNew] = m_matched.try_emplace(operation.group);
    if (isNew)
        place->second = placeOf(*operation.group);
    Rows& rows = m_groups[place->second];
    BandwidthRow like{.kind = operation.kind,
                      .type = operation.type,
                      .backend = operation.backend,
                      .algorithm = operation.algorithm,
                      .bucket = std::bit_floor(operation.bytes),
                      .transferNs = operation.transferNs,
                      .isWire = operation.isTimed() && ledger::isSynchronising(operation.kind)};
    BandwidthRow* row = find(rows, like);
    if (row == nullptr) {
        like.group = *operation.group;
        like.transferNs = 0;
        row = &rows.emplace_back(std::move(like));
    }
    ++row->count;
    row->bytes += operation.bytes;
    row->isWire = row->isWire && operation.isComplete();
    if (!operation.isTimed())
        return;
    row->transferNs = sumNs(row->transferNs, operation.transferNs);
    row->feltNs = sumNs(row->feltNs, operation.feltNs / operation.ranks);
    row->cover(operation.flightNs / operation.ranks, operation.landedNs);
    row->transfers.add(operation.transferNs);
}

void BandwidthRows::add(const BandwidthRow& more)
{
    Rows& rows = m_groups[placeOf(more.group)];
    BandwidthRow* row = find(rows, more);
    if (row == nullptr) {
        rows.push_back(more);
        return;
    }
    row->count += more.count;
    row->bytes += more.bytes;
    row->transferNs = sumNs(row->transferNs, more.transferNs);
    row->feltNs = sumNs(row->feltNs, more.feltNs);
    row->coveredNs = sumNs(row->coveredNs, more.coveredNs);
    row->lastEndNs = std::max(row->lastEndNs, more.lastEndNs);
    row->isWire = row->isWire && more.isWire;
    row->transfers.add(more.transfers);
}

std::vector<BandwidthRow> BandwidthRows::rows() const
{
    std::vector<BandwidthRow> all;
    for (const Rows& rows : m_groups)
        all.insert(all.end(), rows.begin(), rows.end());
    return all;
}

std::optional<SettledOperation> BandwidthTable::add(int rank, const Operation& operation)
{
    if (operation.outcome == Operation::Outcome::Done && durationOf(operation) > 0)
        reach(operation.enqueuedNs, landedOf(operation));
    auto settled = m_matcher.add(rank, operation);
    if (!settled || settled->endedNs < m_foldedBeforeNs)
        return std::nullopt;
    m_settled.add(*settled);
    return settled;
}

void BandwidthTable::add(const OperationFold& fold)
{
    for (const OperationFold::Row& row : fold.rows)
        m_settled.add(rowOf(fold, row));
    if (fold.firstNs != 0)
        reach(fold.firstNs, fold.firstNs);
}

void BandwidthTable::reach(std::int64_t firstNs, std::int64_t lastNs)
{
    m_firstNs = m_firstNs == 0 ? firstNs : std::min(m_firstNs, firstNs);
    m_lastNs = std::max(m_lastNs, lastNs);
}

std::int64_t BandwidthTable::foldedNs() const
{
    const bool isFolded = m_firstNs != 0 && m_foldedBeforeNs > m_firstNs;
    return isFolded ? m_foldedBeforeNs - m_firstNs : 0;
}

std::int64_t BandwidthTable::wallNs() const
{
    return m_lastNs - m_firstNs;
}

std::vector<SettledOperation> BandwidthTable::waiting() const
{
    std::vector<SettledOperation> waiting = m_matcher.waiting();
    std::erase_if(waiting, [this](const SettledOperation& operation) {
        return operation.endedNs < m_foldedBeforeNs;
    });
    return waiting;
}

std::vector<BandwidthRow> BandwidthTable::rows() const
{
    BandwidthRows all = m_settled;
    for (const SettledOperation& operation : waiting())
        all.add(operation);
    return byShare(all, wallNs());
}

std::vector<BandwidthRow> byShare(const BandwidthRows& all, std::int64_t wallNs)
{
    std::vector<BandwidthRow> rows = all.rows();
    for (BandwidthRow& row : rows) {
        if (wallNs > 0)
            row.share =
                std::min(1.0, static_cast<double>(row.coveredNs) / static_cast<double>(wallNs));
    }
    std::ranges::stable_sort(rows, std::greater(), &BandwidthRow::feltNs);
    return rows;
}

} // namespace ringmaster::diagnose
