#pragma once

#include "engine/cli/Json.h"
#include "engine/record/RunFileReader.h"

#include <optional>

namespace ringmaster {

/// The rows of a sweep's latest attempt, as `ringmaster sweep` and `ringmaster show` print them.
class SweepTable
{
public:
    /// Nothing for a run that isn't a sweep.
    static Result<std::optional<SweepTable>> read(const RunFileReader& reader);

    /// What is to be printed of it at once; empty for what isn't the sweep's.
    std::string add(const Event& event);

    const std::vector<SweepRow>& rows() const { return m_rows; }
    /// Of all rows that were checked; nothing: none was.
    std::optional<std::int64_t> wrong() const;

    std::string text() const;
    std::string footer() const;
    Json json() const;

private:
    std::string lineOf(std::size_t index) const;

    std::optional<SweepPlan> m_plan;
    std::vector<SweepRow> m_rows;
};

/// Of the file that --csv names.
Result<void> writeSweepCsv(const std::string& path, const SweepTable& table);

} // namespace ringmaster
