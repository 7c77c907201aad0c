#include "engine/control/MachineFiles.h"

#include "engine/base/Clock.h"

namespace ringmaster {

Result<OperationPart> MachineFiles::operations(const std::string& run,
                                               const OperationPart::Query& query)
{
    constexpr size_t MostBlocks = 256;
    constexpr size_t MostBytes = 256U << 10U;
    if (!m_reader || m_run != run) {
        m_reader.reset();
        const RunFolder folder = RM_TRY(m_catalog.find(run));
        m_reader = RM_TRY(folder.openReader());
        m_run = run;
    }
    auto part = OperationPart::read(*m_reader, query, MostBlocks, MostBytes);
    if (part)
        part->nowNs = SystemClock().now().monotonicNs;
    else
        m_reader.reset();
    return part;
}

} // namespace ringmaster
