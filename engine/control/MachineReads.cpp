#include "engine/control/MachineReads.h"

#include "engine/base/Clock.h"
#include "engine/event/Codes.h"
#include "engine/record/LogAssembler.h"

#include <algorithm>

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

void MachineReads::readLogLines(std::vector<LogPlace> places, AskLines ask,
                                const Once<std::vector<LogLine>>& answer)
{
    auto open = std::make_shared<OpenLines>(OpenLines{.places = std::move(places)});
    m_thread.post([this, open, ask = std::move(ask), answer] { askLines(open, ask, answer); });
}

void MachineReads::askLines(const std::shared_ptr<OpenLines>& open, const AskLines& ask,
                            const Once<std::vector<LogLine>>& answer)
{
    constexpr size_t AtOnce = 256;
    const size_t from = open->lines.size();
    if (from == open->places.size())
        return answer(std::move(open->lines));
    const auto first = open->places.begin() + static_cast<std::ptrdiff_t>(from);
    const size_t count = std::min(AtOnce, open->places.size() - from);
    ask({first, first + static_cast<std::ptrdiff_t>(count)},
        [this, open, ask, answer, count](Result<LogPage> page) {
            if (page && (page->chunks.empty() || page->chunks.size() > count))
                page = fail(code::MalformedMessage, {{"what", "lines of a log"}});
            if (!page)
                return answer(tl::unexpected(page.error()));
            m_thread.post([this, open, ask, answer, chunks = std::move(page->chunks)] {
                for (const LogChunk& chunk : chunks)
                    open->lines.push_back(lineOf(open->places[open->lines.size()], chunk.bytes));
                askLines(open, ask, answer);
            });
        });
}

void MachineReads::readNumbers(const std::string& run, const std::vector<std::string>& names,
                               AskNumbers ask, const Once<NumberSummary>& answer)
{
    m_thread.post([this, run, names, ask = std::move(ask), answer] {
        if (!m_numbers || m_numbers->run != run || m_numbers->names != names)
            m_numbers = std::make_shared<OpenNumbers>(OpenNumbers{.run = run, .names = names});
        ask(m_numbers->numbers.known(), [this, open = m_numbers, answer](Result<NumberNews> news) {
            if (!news)
                return answer(tl::unexpected(news.error()));
            m_thread.post([open, answer, news = std::make_shared<NumberNews>(*std::move(news))] {
                open->numbers.take(std::move(*news));
                answer(open->numbers.summary());
            });
        });
    });
}

} // namespace ringmaster
