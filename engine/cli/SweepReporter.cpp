#include "engine/cli/SweepReporter.h"

namespace ringmaster {

void SweepReporter::happened(const Event& event)
{
    RunReporter::happened(event);
    const std::string line = m_table.add(event);
    if (m_rows == Rows::Printed && !line.empty())
        m_out.print(line);
}

} // namespace ringmaster
