#include "engine/control/RunReaders.h"

#include "engine/control/Codes.h"
#include "engine/ledger/OperationBlock.h"

namespace ringmaster {

namespace {

/// Of a run whose agent works.
std::optional<std::int64_t> timeIfAlive(const RunFolder& folder)
{
    const auto agent = folder.agent();
    return agent && lifeOf(*agent) == AgentLife::Alive ? std::optional(SystemClock().now().wallNs)
                                                       : std::nullopt;
}

} // namespace

template <class T>
Result<T> RunReaders::askLog(const std::string& run,
                             const std::function<Result<T>(const RunFileReader&)>& ask)
{
    if (!m_log || m_log->run != run) {
        m_log.reset();
        const RunFolder folder = RM_TRY(m_catalog.find(run));
        auto reader = RM_TRY(folder.openReader());
        m_log = OpenLog{run, std::move(reader)};
    }
    auto answer = ask(m_log->reader);
    if (!answer)
        m_log.reset();
    return answer;
}

Result<LogPage> RunReaders::readLog(const std::string& run, const LogQuery& query)
{
    return askLog<LogPage>(run, [&](const RunFileReader& reader) { return reader.readLog(query); });
}

Result<LogSearchPage> RunReaders::searchLog(const std::string& run, LogSearch& search)
{
    constexpr size_t Part = 16U << 20U;
    return askLog<LogSearchPage>(run, [&](const RunFileReader& reader) {
        return search.advance([&](const LogQuery& query) { return reader.readLog(query); }, Part,
                              false);
    });
}

Result<std::vector<LogLine>> RunReaders::readLogLines(const std::string& run,
                                                      const std::vector<LogPlace>& places)
{
    return askLog<std::vector<LogLine>>(
        run, [&](const RunFileReader& reader) { return reader.readLines(places); });
}

Result<OperationSummary> RunReaders::readOperations(const std::string& run,
                                                    std::optional<TimeRange> range)
{
    constexpr size_t Part = 64; // blocks
    if (!m_operations || m_operations->run != run) {
        m_operations.reset();
        const RunFolder folder = RM_TRY(m_catalog.find(run));
        auto reader = RM_TRY(folder.openReader());
        m_operations = OpenOperations{run, std::move(reader)};
    }
    OpenOperations& open = *m_operations;
    const auto isMore = open.operations.readOn(open.reader, Part);
    if (!isMore) {
        m_operations.reset();
        return tl::unexpected(isMore.error());
    }
    OperationSummary summary = open.operations.tally().summary(range);
    summary.isMore = *isMore;
    return summary;
}

Result<NumberSummary> RunReaders::readNumbers(const std::string& run,
                                              const std::vector<std::string>& names)
{
    constexpr size_t Part = 1U << 20U;
    if (!m_numbers || m_numbers->run != run) {
        m_numbers.reset();
        RunFolder folder = RM_TRY(m_catalog.find(run));
        auto reader = RM_TRY(folder.openReader());
        auto numbers = RM_TRY(RunNumbers::open(reader));
        m_numbers = OpenNumbers{run, std::move(folder), std::move(reader), std::move(numbers)};
    }
    OpenNumbers& open = *m_numbers;
    const auto isMore = open.numbers.readOn(open.reader, Part);
    if (!isMore) {
        m_numbers.reset();
        return tl::unexpected(isMore.error());
    }
    NumberSummary summary = open.numbers.summary(names, timeIfAlive(open.folder));
    summary.isMore = *isMore;
    return summary;
}

Result<NumberSummary> RunReaders::readLastNumbers(const std::string& run) const
{
    constexpr size_t End = 256U << 10U;
    const RunFolder folder = RM_TRY(m_catalog.find(run));
    const auto reader = RM_TRY(folder.openReader());
    const auto numbers = RM_TRY(RunNumbers::ofEnd(reader, End));
    return numbers.summary({}, timeIfAlive(folder));
}

Result<RunFigures> RunReaders::readFigures(const std::string& run)
{
    std::erase_if(m_figures, [this](const auto& entry) {
        const auto folder = m_catalog.find(entry.first);
        return !folder || !timeIfAlive(*folder);
    });
    auto found = m_figures.find(run);
    if (found == m_figures.end()) {
        const RunFolder folder = RM_TRY(m_catalog.find(run));
        if (!timeIfAlive(folder))
            return fail(code::RunNotRunning, {{"run", run}});
        found = m_figures.emplace(run, RunFiguresReader(RM_TRY(folder.openReader()))).first;
    }
    auto figures = found->second.look(SystemClock().now().monotonicNs);
    if (!figures)
        m_figures.erase(found);
    return figures;
}

Result<ComparedRun> RunReaders::readComparedRun(const std::string& run,
                                                const std::vector<std::string>& names) const
{
    const RunFolder folder = RM_TRY(m_catalog.find(run));
    const auto reader = RM_TRY(folder.openReader());
    ComparedRun compared = RM_TRY(ComparedRun::read(reader, names));
    compared.id = run;
    if (const RunLabels labels = folder.labels(); !labels.name.empty())
        compared.name = labels.name;
    return compared;
}

} // namespace ringmaster
