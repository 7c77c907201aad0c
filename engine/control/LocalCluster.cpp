#include "engine/control/LocalCluster.h"

#include "engine/control/LocalClusterImpl.h"

namespace ringmaster {

LocalCluster::LocalCluster(Options options) : m_impl(std::make_unique<Impl>(std::move(options))) {}
LocalCluster::~LocalCluster() = default;

HostRegistry& LocalCluster::hosts()
{
    return m_impl->hosts();
}

std::vector<RunSummary> LocalCluster::runs() const
{
    return m_impl->list().runs();
}

Subscription LocalCluster::onRunsChanged(std::function<void()> changed)
{
    return m_impl->listeners().add(std::move(changed));
}

void LocalCluster::launch(const JobSpec& spec, const LaunchOptions& options,
                          Answer<std::string> answer)
{
    m_impl->launch(spec, options, {std::move(answer), "the launch"});
}

Subscription LocalCluster::follow(const std::string& run, std::uint64_t sequence,
                                  std::function<void(std::vector<Event>)> events,
                                  std::function<void(Result<void>)> ended)
{
    return m_impl->follow({run, sequence, std::move(events), std::move(ended)});
}

void LocalCluster::readLog(const std::string& run, const LogQuery& query, Answer<LogPage> answer)
{
    m_impl->readLog(run, query, {std::move(answer), "reading the log"});
}

void LocalCluster::searchLog(const std::string& run, std::shared_ptr<LogSearch> search,
                             Answer<LogSearchPage> answer)
{
    m_impl->searchLog(run, std::move(search), {std::move(answer), "searching the log"});
}

void LocalCluster::readLogLines(const std::string& run, std::vector<LogPlace> places,
                                Answer<std::vector<LogLine>> answer)
{
    m_impl->readLogLines(run, std::move(places), {std::move(answer), "reading the log"});
}

void LocalCluster::readOperations(const std::string& run,
                                  std::optional<OperationSummary::TimeRange> range,
                                  Answer<OperationSummary> answer)
{
    m_impl->readOperations(run, range, {std::move(answer), "reading the operations"});
}

void LocalCluster::readNumbers(const std::string& run, const std::vector<std::string>& names,
                               Answer<NumberSummary> answer)
{
    m_impl->readNumbers(run, names, {std::move(answer), "reading the numbers"});
}

void LocalCluster::readLastNumbers(const std::string& run, Answer<NumberSummary> answer)
{
    m_impl->readLastNumbers(run, {std::move(answer), "reading the numbers"});
}

void LocalCluster::readFigures(const std::string& run, Answer<RunFigures> answer)
{
    m_impl->readFigures(run, {std::move(answer), "reading the figures"});
}

void LocalCluster::readComparedRun(const std::string& run, const std::vector<std::string>& names,
                                   Answer<ComparedRun> answer)
{
    m_impl->onFiles<ComparedRun>(
        {std::move(answer), "reading the run"},
        [run, names](RunCatalog& catalog) -> Result<ComparedRun> {
            const RunFolder folder = RM_TRY(catalog.find(run));
            const auto reader = RM_TRY(folder.openReader());
            ComparedRun compared = RM_TRY(ComparedRun::read(reader, names));
            compared.id = run;
            if (const RunLabels labels = folder.labels(); !labels.name.empty())
                compared.name = labels.name;
            return compared;
        });
}

void LocalCluster::lookAtRanks(const std::string& run, Answer<RankPlaces> answer)
{
    m_impl->lookAtRanks(run, {std::move(answer), "looking at the ranks"});
}

void LocalCluster::takeStacks(const std::string& run, Answer<KeptEvidence> answer)
{
    m_impl->takeStacks(run, {std::move(answer), "taking stacks"});
}

void LocalCluster::send(const std::string& run, const Command& command, Answer<void> answer)
{
    m_impl->send(run, command, {std::move(answer), "the command"});
}

void LocalCluster::openFile(const std::filesystem::path& file, Answer<std::string> answer)
{
    m_impl->onFiles<std::string>({std::move(answer), "opening the file"},
                                 [file](RunCatalog& catalog) { return catalog.import(file); });
}

void LocalCluster::remove(const std::string& run, Answer<void> answer)
{
    m_impl->onFiles<void>({std::move(answer), "removing the run"},
                          [run](RunCatalog& catalog) { return catalog.remove(run); });
}

void LocalCluster::setPinned(const std::string& run, bool pinned, Answer<void> answer)
{
    m_impl->onFiles<void>({std::move(answer), "keeping the run"},
                          [run, pinned](RunCatalog& catalog) -> Result<void> {
                              return RM_TRY(catalog.find(run)).setPinned(pinned);
                          });
}

void LocalCluster::setLabels(const std::string& run, const RunLabels& labels, Answer<void> answer)
{
    m_impl->onFiles<void>({std::move(answer), "labelling the run"},
                          [run, labels](RunCatalog& catalog) -> Result<void> {
                              return RM_TRY(catalog.find(run)).setLabels(labels);
                          });
}

void LocalCluster::exportRun(const std::string& run, const std::filesystem::path& file,
                             Answer<ExportReport> answer)
{
    m_impl->onFiles<ExportReport>({std::move(answer), "writing the run"},
                                  [run, file](RunCatalog& catalog) -> Result<ExportReport> {
                                      const RunFolder folder = RM_TRY(catalog.find(run));
                                      return ringmaster::exportRun(folder, file, {});
                                  });
}

} // namespace ringmaster
