#include "engine/control/MachineReads.h"

#include "engine/base/Clock.h"

namespace ringmaster {

void MachineReads::readOperations(const std::string& run,
                                  std::optional<OperationSummary::TimeRange> range,
                                  AskOperations ask, const Once<OperationSummary>& answer)
{
    m_thread.post([this, run, range, ask = std::move(ask), answer] {
        if (!m_open || m_open->run != run)
            m_open = std::make_shared<OpenRun>(OpenRun{.run = run});
        this->ask(m_open, range, ask, answer);
    });
}

void MachineReads::ask(const std::shared_ptr<OpenRun>& open,
                       std::optional<OperationSummary::TimeRange> range, const AskOperations& ask,
                       const Once<OperationSummary>& answer)
{
    const OperationPart::Query query = open->operations.next();
    ask(query, [this, open, range, ask, answer, query](Result<OperationPart> part) {
        if (!part)
            return answer(tl::unexpected(part.error()));
        m_thread.post([this, open, range, ask, answer, query,
                       part = std::make_shared<OperationPart>(*std::move(part))] {
            OperationReading& operations = open->operations;
            bool isMore = true;
            // Another question may have brought the same part.
            if (operations.next() == query) {
                isMore = operations.take(*part);
                open->clockAheadNs = SystemClock().now().monotonicNs - part->nowNs;
            }
            if (operations.isNew())
                return this->ask(open, range, ask, answer);
            OperationSummary summary = operations.tally().summary(range);
            summary.isMore = isMore;
            for (OperationSummary::Place& place : summary.places)
                place.sinceNs += open->clockAheadNs;
            answer(std::move(summary));
        });
    });
}

} // namespace ringmaster
