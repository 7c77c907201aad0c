#include "engine/control/RunMetrics.h"

#include "engine/base/Clock.h"
#include "engine/control/PrometheusText.h"
#include "engine/control/RunFigures.h"
#include "engine/control/RunNumbers.h"
#include "engine/event/Health.h"
#include "engine/event/VerdictTraits.h"
#include "engine/ledger/OperationNames.h"
#include "engine/text/SecretName.h"

#include <array>
#include <chrono>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

using enum PrometheusText::Type;

constexpr std::array AllHealth{
    Health::Starting, Health::Running,       Health::Waiting,  Health::Slow,   Health::Hanging,
    Health::Stopped,  Health::Restarting,    Health::Stopping, Health::Failed, Health::Finished,
    Health::Ended,    Health::StoppedByUser, Health::Lost};
constexpr std::array AllVerdicts{Verdict::Kind::Waiting, Verdict::Kind::SlowWire,
                                 Verdict::Kind::Straggler, Verdict::Kind::Hang,
                                 Verdict::Kind::Mismatch};

double seconds(std::int64_t nanoseconds)
{
    return static_cast<double>(nanoseconds) / 1e9;
}

std::string rankText(int rank)
{
    return std::to_string(rank);
}

/// All rows of one kind of operation.
struct OperationSum
{
    std::uint64_t count = 0;
    std::uint64_t bytes = 0;
    std::int64_t feltNs = 0;
    std::int64_t wireNs = 0; ///< Of what tells a bandwidth.
    double busBytes = 0;     ///< The same.
};

/// The families of one exposition, one function a group of them.
class Exposition
{
public:
    explicit Exposition(const RunMetrics& metrics)
        : m_metrics(metrics), m_run(metrics.snapshot), m_text({"run", m_run.run})
    {
    }

    std::string text() &&
    {
        addRun();
        addWorkers();
        addVerdicts();
        addOperations();
        addNumbers();
        addWorkerSamples();
        addNodeSamples();
        return std::move(m_text).text();
    }

private:
    void one(std::string_view name, PrometheusText::Type type, std::string_view help, double value)
    {
        m_text.family(name, type, help);
        m_text.sample(value);
    }

    void addRun()
    {
        m_text.family("ringmaster_run_info", Gauge, "The run's name and its Ringmaster's version.");
        m_text.sample(1,
                      {{"name", m_run.started.name}, {"version", m_run.started.ringmasterVersion}});
        const Health health = healthOf(m_run).health;
        m_text.family("ringmaster_run_health", Gauge, "1 for what the run is in, else 0.");
        for (const Health each : AllHealth)
            m_text.sample(each == health ? 1 : 0, {{"health", std::string(nameOf(each))}});
        one("ringmaster_run_start_time_seconds", Gauge, "When the run began, since 1970.",
            seconds(m_run.startedAt.wallNs));
        one("ringmaster_run_restarts_total", Counter,
            "Restarts that were charged to the restart budget.", m_run.restartsUsed);
        one("ringmaster_run_restart_budget", Gauge, "Restarts that the job may use in all.",
            m_run.restartBudget);
        if (m_run.attempt >= 0)
            one("ringmaster_run_world_size", Gauge, "Workers of the latest attempt.",
                m_run.worldSize);
    }

    void addWorkers()
    {
        const RankHealth health(m_run);
        std::map<Health, int> counts;
        for (const WorkerSnapshot& worker : m_run.workers)
            ++counts[health.of(worker)];
        m_text.family("ringmaster_workers", Gauge,
                      "Workers of the latest attempt by what they are in.");
        for (const Health each : AllHealth)
            m_text.sample(counts[each], {{"state", std::string(nameOf(each))}});
        m_text.family("ringmaster_worker_up", Gauge, "1 while the worker's process runs.");
        for (const WorkerSnapshot& worker : m_run.workers)
            m_text.sample(worker.state == WorkerState::Healthy ? 1 : 0,
                          {{"rank", rankText(worker.assignment.globalRank)},
                           {"node", worker.node},
                           {"role", worker.assignment.role}});
        m_text.family("ringmaster_worker_restarts_total", Counter,
                      "Starts of the worker's group after the first one.");
        for (const WorkerSnapshot& worker : m_run.workers)
            m_text.sample(worker.attempt, {{"rank", rankText(worker.assignment.globalRank)}});
    }

    void addVerdicts()
    {
        std::map<Verdict::Kind, int> counts;
        std::map<std::pair<Verdict::Kind, int>, int> guilty;
        for (const StandingVerdict& standing : m_run.verdicts) {
            ++counts[standing.verdict.kind];
            for (const int rank : standing.verdict.guilty)
                ++guilty[{standing.verdict.kind, rank}];
        }
        m_text.family("ringmaster_verdicts", Gauge, "What the diagnosis says now, by kind.");
        for (const Verdict::Kind kind : AllVerdicts)
            m_text.sample(counts[kind], {{"kind", std::string(traitsOf(kind).name)}});
        m_text.family("ringmaster_verdict_guilty_ranks", Gauge, "Verdicts that name the rank.");
        for (const auto& [of, count] : guilty)
            m_text.sample(count, {{"kind", std::string(traitsOf(of.first).name)},
                                  {"rank", rankText(of.second)}});
    }

    void addOperations()
    {
        const auto& operations = m_metrics.recorded.operations;
        if (!operations)
            return;
        std::map<std::string, OperationSum> sums;
        for (const diagnose::BandwidthRow& row : operations->rows) {
            OperationSum& sum = sums[std::string(ledger::nameOf(row.kind))];
            sum.count += row.count;
            sum.bytes += row.bytes;
            sum.feltNs += row.feltNs;
            if (!row.tellsBandwidth() || row.transferNs <= 0)
                continue;
            sum.wireNs += row.transferNs;
            sum.busBytes += row.busBandwidth() * seconds(row.transferNs);
        }
        const auto add = [&](std::string_view name, std::string_view help, auto value) {
            m_text.family(name, Counter, help);
            for (const auto& [operation, sum] : sums)
                m_text.sample(value(sum), {{"operation", operation}});
        };
        add("ringmaster_operations_total",
            "Operations of the process groups in the latest attempt; one of all ranks is one.",
            [](const OperationSum& sum) { return static_cast<double>(sum.count); });
        add("ringmaster_operation_bytes_total", "Bytes of these operations, of each rank.",
            [](const OperationSum& sum) { return static_cast<double>(sum.bytes); });
        add("ringmaster_operation_felt_seconds_total",
            "Time that the program felt them take, mean over the ranks.",
            [](const OperationSum& sum) { return seconds(sum.feltNs); });
        add("ringmaster_operation_wire_seconds_total",
            "Time that the backend took, on the rank that waits least.",
            [](const OperationSum& sum) { return seconds(sum.wireNs); });
        add("ringmaster_operation_bus_bytes_total",
            "Bytes times the factor of nccl-tests; over the wire's seconds it is the busbw.",
            [](const OperationSum& sum) { return sum.busBytes; });
        addRecent(*operations);
    }

    void addRecent(const OperationSummary& operations)
    {
        m_text.family("ringmaster_operation_busbw_bytes_per_second", Gauge,
                      "Bus bandwidth of the last 10 s by the rules of nccl-tests.");
        for (const OperationSummary::Series& series : operations.series) {
            const auto recent = recentOf(operations, series, m_metrics.recorded.nowNs);
            if (recent.transferNs > 0)
                m_text.sample(recent.busBandwidth(),
                              {{"operation", std::string(ledger::nameOf(series.kind))}});
        }
        if (const auto steps = recentSteps(operations, m_metrics.recorded.nowNs))
            one("ringmaster_steps_per_second", Gauge, "By the rhythm of the operations.", *steps);
    }

    void addNumbers()
    {
        const NumberSummary& numbers = m_metrics.recorded.numbers;
        m_text.family("ringmaster_printed_value", Gauge,
                      "The last number that a rank printed under a name.");
        for (const NumberSummary::Latest& latest : numbers.latest) {
            if (!isSecretName(latest.name))
                m_text.sample(latest.value,
                              {{"name", latest.name}, {"rank", rankText(latest.rank)}});
        }
        if (numbers.progress)
            one("ringmaster_run_progress_ratio", Gauge,
                "Part that is done, by the counters that are printed; 1 is all.",
                numbers.progress->part);
    }

    void addWorkerSamples()
    {
        m_text.family("ringmaster_worker_cpu_cores", Gauge,
                      "Processors that the worker and its children keep busy.");
        for (const auto& [rank, sample] : m_metrics.workers)
            m_text.sample(sample.cpuFraction, {{"rank", rankText(rank)}});
        m_text.family("ringmaster_worker_resident_memory_bytes", Gauge,
                      "Memory of the worker and its children; what they share counts for each.");
        for (const auto& [rank, sample] : m_metrics.workers)
            m_text.sample(static_cast<double>(sample.residentBytes), {{"rank", rankText(rank)}});
    }

    void addNodeSamples()
    {
        const auto add = [this](std::string_view name, std::string_view help, auto value) {
            m_text.family(name, Gauge, help);
            for (const auto& [node, sample] : m_metrics.nodes)
                m_text.sample(value(sample), {{"node", node}});
        };
        add("ringmaster_node_cpu_ratio", "Busy part of the node's processors; 1 is all.",
            [](const DeviceSample& node) { return node.cpuFraction; });
        add("ringmaster_node_network_receive_bytes_per_second", "Without loopback.",
            [](const DeviceSample& node) { return node.network.received; });
        add("ringmaster_node_network_transmit_bytes_per_second", "Without loopback.",
            [](const DeviceSample& node) { return node.network.sent; });
        add("ringmaster_node_loopback_bytes_per_second", "Between processes of the node.",
            [](const DeviceSample& node) { return node.loopback; });
        addGpus();
    }

    /// What a driver doesn't tell has no sample.
    void addGpus()
    {
        const auto add = [this](std::string_view name, std::string_view help, auto value) {
            m_text.family(name, Gauge, help);
            for (const auto& [node, sample] : m_metrics.nodes) {
                for (const GpuSample& gpu : sample.gpus) {
                    if (const std::optional<double> told = value(gpu))
                        m_text.sample(*told, {{"node", node},
                                              {"gpu", std::to_string(gpu.index)},
                                              {"model", gpu.name}});
                }
            }
        };
        using Told = std::optional<double>;
        add("ringmaster_gpu_utilization_ratio", "Part of the time in which a kernel ran.",
            [](const GpuSample& gpu) { return gpu.utilisation; });
        add("ringmaster_gpu_memory_used_bytes", "GPU memory in use, of all processes.",
            [](const GpuSample& gpu) { return Told(static_cast<double>(gpu.usedBytes)); });
        add("ringmaster_gpu_memory_size_bytes", "GPU memory that there is.",
            [](const GpuSample& gpu) {
                return gpu.totalBytes > 0 ? Told(static_cast<double>(gpu.totalBytes)) : Told();
            });
        add("ringmaster_gpu_nvlink_receive_bytes_per_second", "All links together.",
            [](const GpuSample& gpu) { return gpu.nvlink ? Told(gpu.nvlink->received) : Told(); });
        add("ringmaster_gpu_nvlink_transmit_bytes_per_second", "All links together.",
            [](const GpuSample& gpu) { return gpu.nvlink ? Told(gpu.nvlink->sent) : Told(); });
        add("ringmaster_gpu_pcie_receive_bytes_per_second", "As its driver tells.",
            [](const GpuSample& gpu) { return gpu.pcie ? Told(gpu.pcie->received) : Told(); });
        add("ringmaster_gpu_pcie_transmit_bytes_per_second", "As its driver tells.",
            [](const GpuSample& gpu) { return gpu.pcie ? Told(gpu.pcie->sent) : Told(); });
    }

    const RunMetrics& m_metrics;
    const RunSnapshot& m_run;
    PrometheusText m_text;
};

} // namespace

Result<RecordedMetrics> RecordedMetricsReader::read()
{
    constexpr size_t Part = 256; // blocks
    constexpr auto Patience = 200ms;
    constexpr size_t EndOfLog = 256U << 10U;
    const auto began = std::chrono::steady_clock::now();
    RecordedMetrics recorded;
    do {
        recorded.isMore = RM_TRY(m_operations.readOn(m_reader, Part));
    } while (recorded.isMore && std::chrono::steady_clock::now() - began < Patience);
    if (!recorded.isMore)
        m_whole = m_operations.tally().summary();
    recorded.operations = m_whole;
    recorded.nowNs = SystemClock().now().monotonicNs;
    recorded.numbers = RM_TRY(RunNumbers::ofEnd(m_reader, EndOfLog)).summary({}, std::nullopt);
    return recorded;
}

std::string prometheusText(const RunMetrics& metrics)
{
    return Exposition(metrics).text();
}

} // namespace ringmaster
