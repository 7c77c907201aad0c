#include "engine/control/RunComparison.h"

#include "engine/control/OperationReading.h"
#include "engine/control/RunNumbers.h"
#include "engine/event/EndCause.h"
#include "engine/ledger/OperationNames.h"
#include "engine/record/Secrets.h"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <tuple>

namespace ringmaster {

namespace {

using Kind = ComparedQuantity::Kind;

/// Of each sort, so that the table stays one that a person reads.
constexpr size_t MostOperations = 8;
constexpr size_t MostNumbers = 8;
/// Names whose lines are kept where nobody has asked for some.
constexpr size_t MostLines = 12;

/// What only the events tell, not the snapshot.
class EventsOfRun
{
public:
    Result<void> read(const RunFileReader& reader)
    {
        for (std::uint64_t last = 0;;) {
            const auto events = RM_TRY(reader.events(last));
            if (events.empty())
                return {};
            for (const Event& event : events)
                take(event);
            last = events.back().runSequence;
            m_lastAt = events.back().at;
        }
    }

    std::vector<Message> verdicts() const
    {
        std::vector<Message> statements;
        for (const auto& [id, statement] : m_verdicts)
            statements.push_back(statement);
        return statements;
    }
    const std::vector<Message>& restarts() const { return m_restarts; }
    std::optional<double> firstCollective() const { return m_firstCollective; }
    const Moment& lastAt() const { return m_lastAt; }

private:
    void take(const Event& event)
    {
        if (const auto* verdict = std::get_if<Verdict>(&event.body)) {
            if (verdict->isStanding && verdict->kind != Verdict::Kind::Waiting)
                m_verdicts[verdict->id] = frozenAt(verdict->statement, event.at.monotonicNs);
        } else if (const auto* restarting = std::get_if<GroupRestarting>(&event.body)) {
            m_restarts.push_back(restarting->cause);
        } else if (const auto* notice = std::get_if<Notice>(&event.body)) {
            const auto seconds = notice->message.parameters.find("seconds");
            const bool isFirst = codeName(notice->message.code) == "FirstCollective";
            if (isFirst && seconds != notice->message.parameters.end())
                m_firstCollective = std::strtod(seconds->second.c_str(), nullptr);
        }
    }

    std::map<std::uint64_t, Message> m_verdicts; ///< By id.
    std::vector<Message> m_restarts;
    std::optional<double> m_firstCollective;
    Moment m_lastAt{};
};

Result<OperationSummary> allOperations(const RunFileReader& reader)
{
    constexpr size_t Part = 1000; // blocks
    OperationReading operations;
    while (RM_TRY(operations.readOn(reader, Part))) {
    }
    return operations.tally().summary();
}

Result<NumberSummary> allNumbers(const RunFileReader& reader, const std::vector<std::string>& names,
                                 std::uint64_t logBytes)
{
    constexpr size_t Part = 4U << 20U;
    RunNumbers numbers = RM_TRY(RunNumbers::open(reader));
    bool isMore = true;
    for (std::uint64_t read = 0; isMore && read < logBytes; read += Part)
        isMore = RM_TRY(numbers.readOn(reader, Part));
    std::vector<std::string> wanted = names;
    if (wanted.empty()) {
        wanted = numbers.summary({}, std::nullopt).names;
        wanted.resize(std::min(wanted.size(), MostLines));
    }
    NumberSummary summary = numbers.summary(wanted, std::nullopt);
    summary.isCut = summary.isCut || isMore;
    return summary;
}

/// In the order in which the quantities are shown.
class QuantityTable
{
public:
    explicit QuantityTable(const std::vector<ComparedRun>& runs) : m_runs(runs) {}

    std::vector<ComparedQuantity> take()
    {
        add(Kind::StepsASecond, [](const ComparedRun& run) -> std::optional<double> {
            const auto& steps = run.operations.steps;
            return steps ? std::optional(steps->stepsPerSecond()) : std::nullopt;
        });
        addNumbers();
        addBandwidths();
        add(Kind::InCollectives, [](const ComparedRun& run) -> std::optional<double> {
            double share = 0;
            for (const diagnose::BandwidthRow& row : run.operations.rows)
                share += row.share;
            return run.operations.rows.empty() ? std::nullopt : std::optional(std::min(share, 1.0));
        });
        add(Kind::FirstCollective, [](const ComparedRun& run) { return run.firstCollective; });
        add(Kind::Duration, [](const ComparedRun& run) {
            return std::optional(static_cast<double>(run.durationNs) / 1e9);
        });
        add(Kind::Restarts, [](const ComparedRun& run) {
            return std::optional(static_cast<double>(run.restartsUsed));
        });
        return std::move(m_quantities);
    }

private:
    template <class ValueOf>
    void add(Kind kind, ValueOf valueOf, const std::string& subject = {},
             std::uint64_t leastBytes = 0)
    {
        ComparedQuantity quantity{.kind = kind, .subject = subject, .leastBytes = leastBytes};
        for (const ComparedRun& run : m_runs)
            quantity.values.push_back(valueOf(run));
        if (std::ranges::any_of(quantity.values,
                                [](const auto& value) { return value.has_value(); }))
            m_quantities.push_back(std::move(quantity));
    }

    /// Those that aren't counters, losses first, as the first run that prints them has them.
    void addNumbers()
    {
        std::vector<std::string> names;
        for (const ComparedRun& run : m_runs) {
            for (const NumberSummary::Latest& latest : run.numbers.latest) {
                const bool isNew = std::ranges::find(names, latest.name) == names.end();
                if (isNew && !latest.isCounter && names.size() < MostNumbers)
                    names.push_back(latest.name);
            }
        }
        for (const std::string& name : names) {
            add(
                Kind::LastNumber,
                [&](const ComparedRun& run) -> std::optional<double> {
                    const auto& latest = run.numbers.latest; // by name, then by rank
                    const auto found =
                        std::ranges::find(latest, name, &NumberSummary::Latest::name);
                    return found == latest.end() ? std::nullopt : std::optional(found->value);
                },
                name);
        }
    }

    void addBandwidths()
    {
        using KindAndBytes = std::tuple<ledger::OperationKind, std::uint64_t>;
        std::map<KindAndBytes, double> shares;
        for (const ComparedRun& run : m_runs) {
            for (const diagnose::BandwidthRow& row : run.operations.rows) {
                if (row.busBandwidth() > 0)
                    shares[{row.kind, row.bucket}] += row.share;
            }
        }
        std::vector<std::pair<double, KindAndBytes>> heaviest;
        for (const auto& [key, share] : shares)
            heaviest.emplace_back(share, key);
        std::ranges::sort(heaviest, std::greater());
        heaviest.resize(std::min(heaviest.size(), MostOperations));
        for (const auto& [share, key] : heaviest) {
            const auto [kind, bucket] = key;
            add(
                Kind::BusBandwidth,
                [kind = kind, bucket = bucket](const ComparedRun& run) {
                    return bandwidthOf(run, kind, bucket);
                },
                std::string(ledger::nameOf(kind)), bucket);
        }
    }

    static std::optional<double> bandwidthOf(const ComparedRun& run, ledger::OperationKind kind,
                                             std::uint64_t bucket)
    {
        double busBytes = 0;
        double seconds = 0;
        for (const diagnose::BandwidthRow& row : run.operations.rows) {
            if (row.kind != kind || row.bucket != bucket || row.busBandwidth() <= 0)
                continue;
            const double took = static_cast<double>(row.transferNs) / 1e9;
            busBytes += row.busBandwidth() * took;
            seconds += took;
        }
        return seconds > 0 ? std::optional(busBytes / seconds) : std::nullopt;
    }

    const std::vector<ComparedRun>& m_runs;
    std::vector<ComparedQuantity> m_quantities;
};

} // namespace

Result<ComparedRun> ComparedRun::read(const RunFileReader& reader,
                                      const std::vector<std::string>& names, std::uint64_t logBytes)
{
    const RunSnapshot snapshot = RM_TRY(reader.snapshot());
    EventsOfRun events;
    RM_TRY(events.read(reader));
    ComparedRun run{.id = snapshot.run,
                    .name = snapshot.started.name,
                    .health = healthOf(snapshot).health,
                    .startedAt = snapshot.startedAt,
                    .worldSize = snapshot.worldSize,
                    .jobFile = snapshot.started.jobFile,
                    .restartsUsed = snapshot.restartsUsed,
                    .restarts = events.restarts(),
                    .verdicts = events.verdicts(),
                    .firstCollective = events.firstCollective()};
    const Moment& end = isFinal(snapshot.state) ? snapshot.endedAt : events.lastAt();
    run.durationNs = end.wallNs - snapshot.startedAt.wallNs;
    if (const auto cause = endCauseOf(snapshot))
        run.cause = cause->cause;
    run.operations = RM_TRY(allOperations(reader));
    run.numbers = RM_TRY(allNumbers(reader, names, logBytes));
    return run;
}

std::optional<double> ComparedQuantity::ratio(size_t run) const
{
    if (values.empty() || !values.front() || !values[run] || *values.front() == 0.0)
        return std::nullopt;
    return *values[run] / *values.front();
}

RunComparison RunComparison::of(const std::vector<ComparedRun>& runs)
{
    std::vector<std::string> jobFiles;
    for (const ComparedRun& run : runs)
        jobFiles.push_back(run.jobFile);
    // Two secrets are compared, and neither is told.
    std::vector<SettingDifference> settings = differingSettings(jobFiles);
    for (SettingDifference& difference : settings) {
        for (std::string& value : difference.values)
            value = value.empty() ? value : maskedSetting(difference.setting, value);
    }
    return {.settings = std::move(settings),
            .settingCount = ringmaster::settingCount(jobFiles),
            .quantities = QuantityTable(runs).take()};
}

} // namespace ringmaster
