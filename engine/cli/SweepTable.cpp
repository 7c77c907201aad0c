#include "engine/cli/SweepTable.h"

#include "engine/base/Files.h"
#include "engine/cli/Terminal.h"
#include "engine/event/SweepText.h"
#include "engine/job/JobFile.h"
#include "engine/job/Sweep.h"
#include "engine/record/RunLabels.h"

#include <fmt/format.h>

namespace ringmaster {

namespace {

double gigabytes(double bytes)
{
    return bytes / 1e9;
}

Json jsonOf(const SweepRow& row)
{
    Event event;
    event.body = row;
    Json json = asJson(event);
    for (const char* name :
         {"sequence", "agent", "agentSequence", "at", "monotonicNs", "node", "kind"})
        json.erase(name);
    json["algbwGBs"] = gigabytes(row.algorithmBandwidth);
    json["busbwGBs"] = gigabytes(row.busBandwidth);
    return json;
}

std::string checkText(std::optional<std::int64_t> wrong)
{
    if (!wrong)
        return "N/A (not checked)";
    return fmt::format("{} {}", *wrong, *wrong == 0 ? "OK" : "FAILED");
}

} // namespace

Result<std::optional<SweepTable>> SweepTable::read(const RunFileReader& reader)
{
    const RunSnapshot snapshot = RM_TRY(reader.snapshot());
    const RunStarted& started = snapshot.started;
    const auto job = parseJobFile(started.jobFile);
    // One that was read from what nccl-tests wrote has no job.
    const bool isImported =
        started.jobFile.empty() && purposeOf(started.name, {}) == RunPurpose::Sweep;
    if (!isImported && (!job || !sweepOf(job->spec)))
        return std::nullopt;
    SweepTable table;
    for (std::uint64_t last = 0;;) {
        const auto events = RM_TRY(reader.events(last));
        if (events.empty())
            return table;
        for (const Event& event : events)
            (void)table.add(event);
        last = events.back().runSequence;
    }
}

std::string SweepTable::add(const Event& event)
{
    if (const auto* plan = std::get_if<SweepPlan>(&event.body)) {
        m_plan = *plan;
        m_rows.clear();
    }
    const auto* row = std::get_if<SweepRow>(&event.body);
    if (row == nullptr)
        return {};
    m_rows.push_back(*row);
    return lineOf(m_rows.size() - 1);
}

std::optional<std::int64_t> SweepTable::wrong() const
{
    std::optional<std::int64_t> sum;
    for (const SweepRow& row : m_rows) {
        if (row.wrong >= 0)
            sum = sum.value_or(0) + row.wrong;
    }
    return sum;
}

/// With a heading above the first of a collective on a backend.
std::string SweepTable::lineOf(std::size_t index) const
{
    const SweepRow& row = m_rows[index];
    const std::string line = harmless(sweepLine(row)) + "\n";
    const SweepRow* before = index > 0 ? &m_rows[index - 1] : nullptr;
    if (before != nullptr && before->collective == row.collective && before->backend == row.backend)
        return line;
    const std::string hosts = row.hosts > 1 ? fmt::format(" on {} hosts", row.hosts) : "";
    const std::string ranks = row.ranks > 0 ? fmt::format("{} ranks{}, ", row.ranks, hosts) : "";
    return fmt::format("{}# {} on {}: {}{} ({})\n{}\n{}", before == nullptr ? "" : "\n",
                       row.collective, row.backend, ranks, harmless(row.type), row.device,
                       sweepHeader(), line);
}

std::string SweepTable::text() const
{
    std::string text;
    for (std::size_t i = 0; i < m_rows.size(); ++i)
        text += lineOf(i);
    return text + footer();
}

/// nccl-tests' two last lines; a bandwidth for each collective on a backend.
std::string SweepTable::footer() const
{
    if (m_rows.empty())
        return "# No row was measured.\n";
    std::string text = "\n# Out of bounds values : " + checkText(wrong()) + "\n";
    for (std::size_t i = 0; i < m_rows.size();) {
        const SweepRow& first = m_rows[i];
        double sum = 0;
        int count = 0;
        for (; i < m_rows.size() && m_rows[i].collective == first.collective &&
               m_rows[i].backend == first.backend;
             ++i) {
            sum += m_rows[i].busBandwidth;
            count += m_rows[i].isMeasured() ? 1 : 0;
        }
        if (count > 0)
            text += fmt::format("# Avg bus bandwidth    : {:.4g} GB/s ({} on {})\n",
                                gigabytes(sum / count), first.collective, first.backend);
    }
    if (m_plan && m_rows.size() < m_plan->rows())
        text += fmt::format("# {} of {} rows were measured.\n", m_rows.size(), m_plan->rows());
    return text;
}

Json SweepTable::json() const
{
    Json rows = Json::array();
    for (const SweepRow& row : m_rows)
        rows.push_back(jsonOf(row));
    const std::optional<std::int64_t> found = wrong();
    Json json{{"wrong", found ? Json(*found) : Json()}, {"rows", std::move(rows)}};
    json["planned"] = m_plan ? Json(m_plan->rows()) : Json();
    return json;
}

Result<void> writeSweepCsv(const std::string& path, const SweepTable& table)
{
    return writeFileAtomically(path, sweepCsv(table.rows()), 0644, Durability::Relaxed);
}

} // namespace ringmaster
