#pragma once

#include "engine/cli/RunReporter.h"
#include "engine/cli/SweepTable.h"

namespace ringmaster {

/// A sweep for a person: its table on standard output while it runs, the rest as of any run.
class SweepReporter : public RunReporter
{
public:
    enum class Rows { Printed, Kept };

    SweepReporter(Options options, Rows rows) : RunReporter(std::move(options)), m_rows(rows) {}

    const SweepTable& table() const { return m_table; }

    void happened(const Event& event) override;

private:
    Rows m_rows;
    SweepTable m_table;
    Terminal m_out{1, consoles().output};
};

} // namespace ringmaster
