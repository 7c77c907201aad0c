#include "engine/node/SweepReports.h"

#include "engine/base/Codes.h"
#include "engine/ledger/OperationNames.h"
#include "engine/node/Codes.h"
#include "engine/text/PythonText.h"

#include <algorithm>
#include <charconv>

namespace ringmaster {

namespace {

std::string textOf(const HookReport& report, const char* name)
{
    const auto found = report.facts.find(name);
    return found == report.facts.end() ? std::string() : found->second;
}

/// Nothing where it is no number from `least` on.
std::optional<std::int64_t> numberOf(const HookReport& report, const char* name, std::int64_t least)
{
    const std::string text = textOf(report, name);
    std::int64_t number = 0;
    const char* end = text.data() + text.size();
    const auto read = std::from_chars(text.data(), end, number);
    if (read.ec != std::errc() || read.ptr != end || number < least)
        return std::nullopt;
    return number;
}

bool isOneOf(const std::string& text, std::initializer_list<std::string_view> choices)
{
    return std::ranges::find(choices, text) != choices.end();
}

bool reduces(const std::string& collective)
{
    return isOneOf(collective, {"all_reduce", "reduce", "reduce_scatter"});
}

bool hasRoot(const std::string& collective)
{
    return isOneOf(collective, {"broadcast", "reduce", "gather", "scatter"});
}

double busFactorOf(const SweepRow& row)
{
    const auto kind =
        row.collective == "sendrecv"
            ? ledger::OperationKind::Send
            : ledger::operationKindOf(row.collective).value_or(ledger::OperationKind::Other);
    return ledger::busFactor(kind, row.ranks);
}

/// False where the figures can't be those of a measurement.
bool readFigures(const HookReport& report, SweepRow& row)
{
    const auto iterations = numberOf(report, "iterations", 1);
    const auto time = numberOf(report, "time_ns", 1);
    const auto least = numberOf(report, "min_ns", 1);
    const auto p50 = numberOf(report, "p50_ns", 1);
    const auto p99 = numberOf(report, "p99_ns", 1);
    const auto wrong = numberOf(report, "wrong", -1);
    if (!iterations || !time || !least || !p50 || !p99 || !wrong || *iterations > 1'000'000 ||
        *least > *p50 || *p50 > *p99)
        return false;
    row.iterations = static_cast<int>(*iterations);
    row.timeNs = *time;
    row.minNs = *least;
    row.p50Ns = *p50;
    row.p99Ns = *p99;
    row.wrong = *wrong;
    row.algorithm = textOf(report, "algorithm");
    row.algorithmBandwidth = static_cast<double>(row.bytes) * 1e9 / static_cast<double>(row.timeNs);
    row.busBandwidth = row.algorithmBandwidth * busFactorOf(row);
    return isOneOf(row.algorithm, {"", "ring", "tree", "direct"});
}

} // namespace

SweepReports::SweepReports(const JobSpec& spec) : m_request(sweepOf(spec))
{
    if (m_request)
        m_worldSize = m_request->ranks;
}

void SweepReports::attemptStarted(int attempt, int worldSize)
{
    m_attempt = attempt;
    m_worldSize = worldSize;
    m_plan.reset();
    m_next = 0;
}

std::optional<EventBody> SweepReports::heard(const HookReport& report)
{
    if (!m_request || report.part != "sweep")
        return std::nullopt;
    if (report.kind == "plan" && !m_plan)
        return planned(report);
    if (report.kind == "left_out" && !m_plan)
        return leftOut(report);
    if (report.kind == "row" && m_plan && m_next < m_plan->rows())
        return measured(report);
    return std::nullopt;
}

std::optional<EventBody> SweepReports::planned(const HookReport& report)
{
    SweepPlan plan{.attempt = m_attempt,
                   .isCalibration = m_request->isCalibration,
                   .collectives = m_request->collectives,
                   .sizes = m_request->sizes(),
                   .type = m_request->type,
                   .reduction = m_request->reduction,
                   .algorithm = m_request->algorithm,
                   .ranks = m_worldSize,
                   .hosts = std::max(1, m_worldSize / std::max(1, m_request->ranks)),
                   .iterations = m_request->iterations,
                   .warmup = m_request->warmup,
                   .isChecked = m_request->isChecked};
    const auto joined = split(textOf(report, "backends"), ',');
    for (const std::string& backend : m_request->backends) {
        if (std::ranges::find(joined, backend) != joined.end())
            plan.backends.push_back(backend);
    }
    if (plan.backends.empty())
        return std::nullopt;
    m_plan = plan;
    return plan;
}

std::optional<EventBody> SweepReports::leftOut(const HookReport& report) const
{
    return Notice{
        .severity = Notice::Severity::Warning,
        .message = {code::SweepBackendLeftOut,
                    {{"backend", textOf(report, "backend")}, {"reason", textOf(report, "reason")}},
                    {}}};
}

SweepRow SweepReports::nextRow() const
{
    const size_t sizes = m_plan->sizes.size();
    const size_t index = m_next;
    const size_t lines = index / sizes;
    SweepRow row{.attempt = m_attempt,
                 .index = index,
                 .collective = m_plan->collectives[lines / m_plan->backends.size()],
                 .backend = m_plan->backends[lines % m_plan->backends.size()],
                 .type = m_plan->type,
                 .ranks = m_plan->ranks,
                 .hosts = m_plan->hosts,
                 .wantedBytes = m_plan->sizes[index % sizes]};
    if (reduces(row.collective))
        row.reduction = m_plan->reduction;
    if (hasRoot(row.collective))
        row.root = 0;
    return row;
}

std::optional<EventBody> SweepReports::measured(const HookReport& report)
{
    SweepRow row = nextRow();
    const auto bytes = numberOf(report, "bytes", 0);
    const auto count = numberOf(report, "count", 0);
    row.device = textOf(report, "device");
    if (numberOf(report, "index", 0) != static_cast<std::int64_t>(row.index) || !bytes || !count ||
        *bytes > row.wantedBytes || *count > *bytes || !isOneOf(row.device, {"cpu", "cuda"}))
        return std::nullopt;
    row.bytes = *bytes;
    row.count = *count;
    if (const std::string reason = textOf(report, "problem"); !reason.empty())
        row.problem = {code::SweepRowRefused,
                       {{"backend", row.backend},
                        {"collective", row.collective},
                        {"type", row.type},
                        {"bytes", std::to_string(row.wantedBytes)},
                        {"reason", reason}},
                       {}};
    else if (!readFigures(report, row))
        return std::nullopt;
    ++m_next;
    return row;
}

} // namespace ringmaster
