#include "engine/job/JobChecks.h"

#include "engine/base/Codes.h"
#include "engine/base/SignalName.h"
#include "engine/job/Codes.h"
#include "engine/job/ContainerEngine.h"
#include "engine/job/ContainerSpec.h"
#include "engine/job/SlurmSpec.h"
#include "engine/machine/Codes.h"
#include "engine/text/Codes.h"
#include "engine/text/Duration.h"
#include "engine/text/NumberRules.h"
#include "engine/text/OutputPattern.h"
#include "engine/text/PythonText.h"

#include <algorithm>

namespace ringmaster {

namespace {

using namespace std::chrono_literals;

bool isSignal(const std::string& name)
{
    return name.starts_with("SIGRTM") || (name.starts_with("SIG") && signalFromName(name));
}

} // namespace

void JobChecks::check()
{
    checkRanges();
    checkCounts();
    checkSlurm();
    checkContainer();
    checkRestart();
    checkStopRules();
    checkLogs();
    checkNumbers();
    checkOthers();
}

void JobChecks::checkRanges()
{
    JobSpec spec = m_spec;
    for (size_t i = 0; i < spec.roles.size(); ++i) {
        for (const JobOption& option : jobOptions()) {
            const std::string field =
                option.field.isOfRole ? at(i, option.key) : std::string(option.key);
            visitField(option, spec, spec.roles[i], [&]<class T>(const T& value) {
                if constexpr (std::is_same_v<T, int>)
                    if (option.field.isOfRole || i == 0)
                        checkRange(field, value, option);
                if constexpr (std::is_same_v<T, std::optional<int>>)
                    if (value && (option.field.isOfRole || i == 0))
                        checkRange(field, *value, option);
            });
        }
    }
}

void JobChecks::checkRange(const std::string& field, int value, const JobOption& option)
{
    if (value < option.least)
        error(field, code::OptionTooSmall,
              {{"field", field},
               {"value", std::to_string(value)},
               {"least", std::to_string(option.least)}});
    if (value > option.most)
        error(field, code::OptionTooLarge,
              {{"field", field},
               {"value", std::to_string(value)},
               {"most", std::to_string(option.most)}});
}

void JobChecks::checkCounts()
{
    const NodeRange& nodes = m_spec.nodes;
    if (m_spec.roles.empty())
        error("role", code::JobWithoutRoles);
    if (nodes.min <= 0 || nodes.min > nodes.max)
        error("nodes", code::NodesOutOfOrder,
              {{"min", std::to_string(nodes.min)}, {"max", std::to_string(nodes.max)}});
}

void JobChecks::notNegative(const char* field, std::chrono::milliseconds value)
{
    if (value < 0ms)
        error(field, code::DurationNegative, {{"field", field}, {"value", durationText(value)}});
}

void JobChecks::checkRestart()
{
    const RestartSpec& restart = m_spec.restart;
    if (restart.maxRestarts < 0)
        error("restart.max", code::MaxRestartsNegative);
    notNegative("restart.first_delay", restart.firstDelay);
    notNegative("restart.longest_delay", restart.longestDelay);
    notNegative("restart.minimum_healthy_time", restart.minimumHealthyTime);
    notNegative("restart.grace", restart.grace);
    notNegative("restart.exit_barrier", restart.exitBarrier);
    if (restart.firstDelay > restart.longestDelay && restart.longestDelay >= 0ms)
        warn("restart.first_delay", code::DelayLongerThanLongest,
             {{"first", durationText(restart.firstDelay)},
              {"longest", durationText(restart.longestDelay)}});
    checkPattern("restart.only_if", restart.onlyIf);
    checkPattern("restart.unless", restart.unless);
    checkLeavingOut();
    if (m_spec.monitorInterval <= 0ms)
        error("monitor_interval", code::MonitorIntervalNotPositive);
}

void JobChecks::checkPattern(const char* field, const std::string& expression)
{
    if (expression.empty())
        return;
    if (const auto parsed = OutputPattern::parse(expression); !parsed)
        error(field, parsed.error());
    else if (m_spec.restart.maxRestarts == 0)
        warn(field, code::RestartRuleWithoutRestarts);
}

void JobChecks::checkLeavingOut()
{
    if (m_spec.restart.leaveHostOutAfter <= 0)
        return;
    const char* field = "restart.leave_host_out_after";
    if (!m_spec.isLed())
        warn(field, code::LeavingOutWithoutHosts);
    else if (m_spec.restart.maxRestarts == 0)
        warn(field, code::LeavingOutWithoutRestarts);
    else if (m_spec.nodes.min == m_spec.nodes.max)
        warn(field, code::LeavingOutNobody);
}

void JobChecks::checkStopRules()
{
    notNegative("longest_run", m_spec.longestRun);
    for (const auto& [kind, time] : m_spec.stopOn) {
        const std::string field = "stop_on." + kind;
        const auto duration = parseDuration(time);
        if (std::ranges::count(verdictKinds(), kind) == 0)
            error(field, code::VerdictKindUnknown,
                  {{"value", kind}, {"choices", join(verdictKinds(), ", ")}});
        else if (!duration || *duration <= 0ms)
            error(field, code::StopTimeInvalid, {{"kind", kind}, {"value", time}});
    }
}

void JobChecks::checkLogs()
{
    checkStreams("logs.redirect", m_spec.logs.redirects);
    checkStreams("logs.tee", m_spec.logs.tee);
    checkFilters();
    const std::string& given = m_spec.logs.folder;
    if (given.empty() || given == "/dev/null")
        return;
    const std::string folder =
        given.starts_with('/') ? given : m_systemInfo.launchFolder() + "/" + given;
    const SystemInfo::File file = m_systemInfo.file(folder);
    if (file.exists && !file.isFolder)
        error("logs.folder", code::LogFolderIsFile, {{"path", given}});
    else if (!m_systemInfo.canWriteInto(folder))
        error("logs.folder", code::FolderNotWritable, {{"path", given}});
    else
        ok("logs.folder", code::LogFolderWritable, {{"path", given}});
}

void JobChecks::checkStreams(const char* field, const StreamSelection& streams)
{
    for (const auto& [rank, mask] : streams.byLocalRank)
        checkLocalRank(field, rank);
}

void JobChecks::checkLocalRank(const char* field, int rank)
{
    const int workers = localWorkers();
    if (rank < 0 || (workers > 0 && rank >= workers))
        warn(field, code::LocalRankNotThere,
             {{"rank", std::to_string(rank)}, {"workers", std::to_string(workers)}});
}

void JobChecks::checkFilters()
{
    const LogSpec& logs = m_spec.logs;
    const bool tees = logs.tee.all != 0 || std::ranges::any_of(logs.tee.byLocalRank, [](auto& p) {
                          return p.second != 0;
                      });
    if (!logs.duplicateStdoutFilters.empty() && !tees)
        warn("logs.duplicate_stdout", code::FilterNeedsTee);
    if (!logs.duplicateStderrFilters.empty() && !tees)
        warn("logs.duplicate_stderr", code::FilterNeedsTee);
    const bool files = tees || logs.redirects.all != 0 || !logs.redirects.byLocalRank.empty();
    if (logs.folder == "/dev/null" && files)
        warn("logs.folder", code::NoLogFiles);
    for (const int rank : logs.localRanksFilter)
        checkLocalRank("logs.local_ranks", rank);
}

void JobChecks::checkSlurm()
{
    add(errorsOf(m_spec.slurm));
    if (m_spec.runOn == RunOn::Slurm && m_systemInfo.findCommand("sbatch").empty())
        error("run_on", code::SlurmMissing, {{"command", "sbatch"}});
}

void JobChecks::checkContainer()
{
    const std::vector<Finding> errors = errorsOf(m_spec.container);
    add(errors);
    const auto inImage = std::ranges::find_if(
        m_spec.roles, [this](const Role& role) { return !imageOf(m_spec, role).empty(); });
    // Other hosts have their own, or none, and say so themselves.
    if (!errors.empty() || inImage == m_spec.roles.end() || m_spec.isLed())
        return;
    const auto find = [this](const std::string& command) {
        return m_systemInfo.findCommand(command);
    };
    if (!findContainerEngine(m_spec.container, find).first.empty())
        return;
    const auto missing = containerEngineMissing(m_spec.container, imageOf(m_spec, *inImage));
    error("container.engine", missing.value());
}

void JobChecks::checkNumbers()
{
    if (m_spec.numbers.size() > NumberRules::Most)
        error("numbers", code::NumberRulesTooMany, {{"most", std::to_string(NumberRules::Most)}});
    for (const auto& [name, expression] : m_spec.numbers) {
        if (const auto checked = NumberRules::check(name, expression); !checked)
            error("numbers." + name, checked.error());
    }
}

void JobChecks::checkOthers()
{
    const bool usesMethod = std::ranges::any_of(
        m_spec.roles, [](const Role& role) { return role.kind == ProgramKind::RunPath; });
    if (!isChoice("start_method", m_spec.startMethod)) {
        const Parameters parameters{{"value", m_spec.startMethod},
                                    {"choices", join(choicesOf("start_method"), ", ")}};
        add(usesMethod ? Finding::Severity::Error : Finding::Severity::Warning, "start_method",
            code::StartMethodUnknown, parameters);
    }
    if (m_spec.eventLogHandler != "null" && m_spec.eventLogHandler != "console")
        error("event_log_handler", code::EventHandlerUnknown, {{"value", m_spec.eventLogHandler}});
    // "default" is the name of torch's own.
    if (!m_spec.logsSpecs.empty() && m_spec.logsSpecs != "default")
        error("logs_specs", code::LogsSpecsUnsupported, {{"name", m_spec.logsSpecs}});
    for (const std::string& name : m_spec.signalsToHandle) {
        if (!isSignal(name))
            warn("signals", code::SignalNameUnknown, {{"name", name}});
    }
    if (m_spec.numaBinding.empty())
        return;
    if (!isChoice("numa_binding", m_spec.numaBinding))
        error("numa_binding", code::NumaBindingUnknown,
              {{"value", m_spec.numaBinding}, {"choices", join(choicesOf("numa_binding"), ", ")}});
    else if (m_systemInfo.findCommand("numactl").empty())
        error("numa_binding", code::NumactlMissing);
    else if (m_systemInfo.counts().gpus == 0)
        error("numa_binding", code::NumaNeedsGpu);
}

} // namespace ringmaster
