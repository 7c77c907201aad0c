#include "engine/control/MachineFiles.h"

#include "engine/base/Clock.h"

namespace ringmaster {

template <class T, class Read>
Result<T> MachineFiles::reading(const std::string& run, Read read)
{
    if (!m_reader || m_run != run) {
        m_reader.reset();
        const RunFolder folder = RM_TRY(m_catalog.find(run));
        m_reader = RM_TRY(folder.openReader());
        m_run = run;
    }
    Result<T> answer = read(*m_reader);
    if (!answer)
        m_reader.reset();
    return answer;
}

Result<OperationPart> MachineFiles::operations(const std::string& run,
                                               const OperationPart::Query& query)
{
    constexpr size_t MostBlocks = 256;
    constexpr size_t MostBytes = 256U << 10U;
    return reading<OperationPart>(run, [&query](const RunFileReader& reader) {
        auto part = OperationPart::read(reader, query, MostBlocks, MostBytes);
        if (part)
            part->nowNs = SystemClock().now().monotonicNs;
        return part;
    });
}

Result<LogPage> MachineFiles::lines(const std::string& run, const std::vector<LogPlace>& places)
{
    constexpr size_t MostBytes = 256U << 10U;
    return reading<LogPage>(run, [&places](const RunFileReader& reader) -> Result<LogPage> {
        LogPage page;
        for (std::string& bytes : RM_TRY(reader.readLineBytes(places, MostBytes)))
            page.chunks.push_back({.bytes = std::move(bytes)});
        return page;
    });
}

} // namespace ringmaster
