#include "engine/slurm/SlurmNodes.h"

#include "engine/base/Files.h"
#include "engine/base/Paths.h"
#include "engine/event/Codes.h"
#include "engine/slurm/Codes.h"

#include <algorithm>

namespace ringmaster {

using namespace std::chrono_literals;
using JobPhase = SlurmJob::Phase;

namespace {

constexpr auto FirstPause = 100ms;
constexpr auto LongestWait = 2000ms;  ///< Between two looks at a job that waits …
constexpr auto RunningPause = 5000ms; ///< … and at one that runs.
constexpr auto FirstArrivalPause = 20ms;
constexpr auto LongestArrivalPause = 200ms; ///< Between two looks for the script's file.
constexpr auto CommandPatience = 30s;       ///< With any of Slurm's commands.
constexpr auto EndPatience = 3s;            ///< For a script whose agents have ended.
constexpr auto CancelPatience = 30s;
constexpr size_t LogTail = 2000;

} // namespace

Result<void> SlurmNodes::prepare(JobSpec& /*spec*/)
{
    return {};
}

void SlurmNodes::start(const JobSpec& spec, const std::filesystem::path& runFolder, Owner& owner)
{
    setJob(spec, runFolder, owner);
    submit();
}

/// The job is found by its name.
void SlurmNodes::resume(const JobSpec& spec, const std::filesystem::path& runFolder, Owner& owner)
{
    setJob(spec, runFolder, owner);
    m_pause = FirstPause;
    m_isSubmitted = m_isResumed = true;
    ask(squeueCommand(m_name), &SlurmNodes::queueTold);
    expectArrival();
}

void SlurmNodes::setJob(const JobSpec& spec, const std::filesystem::path& runFolder, Owner& owner)
{
    m_spec = spec;
    m_submission = {.executable = executableFolder() / "ringmaster",
                    .run = runFolder.filename(),
                    .runFolder = runFolder,
                    .workingFolder = m_workingFolder};
    m_name = slurmJobName(spec.displayName(), m_submission.run);
    m_owner = &owner;
}

/// One command at a time; an answer that nobody waits for any more isn't given.
void SlurmNodes::ask(std::vector<std::string> command, Then then, std::string input)
{
    m_next.cancel();
    m_command = std::move(command);
    auto child = ChildCommand::start(
        m_loop, {.arguments = m_command, .input = std::move(input), .patience = CommandPatience},
        [this, then](const ChildCommand::Outcome& outcome) {
            const auto ended = std::move(m_child);
            (this->*then)(outcome);
        });
    if (child)
        m_child = *std::move(child);
    else {
        m_isSubmitted = false;
        lost(child.error());
    }
}

void SlurmNodes::submit()
{
    m_pause = FirstPause;
    m_isSubmitted = true;
    ask(sbatchCommand(m_spec, m_submission), &SlurmNodes::submitted,
        slurmRunScript(m_spec, m_submission));
}

void SlurmNodes::submitted(const ChildCommand::Outcome& outcome)
{
    // What was lost on the way may have been submitted all the same.
    if (outcome.exitCode != 0 && !outcome.wasTooSlow && !isUnreachable(outcome.error)) {
        m_isSubmitted = false;
        return lost(slurmFailure(m_command, outcome.exitCode, outcome.error));
    }
    if (outcome.exitCode == 0)
        m_job = {.number = outcome.output.substr(0, outcome.output.find_first_of(";\n")),
                 .state = "PENDING"};
    ask(squeueCommand(m_name), &SlurmNodes::queueTold);
    expectArrival();
}

/// The script says itself when it begins: squeue can't be asked as often. The file is opened anew
/// each time, since on a network's file system nothing else shows what another machine has written.
void SlurmNodes::expectArrival()
{
    m_arrivalPause = FirstArrivalPause;
    m_arrival = m_loop.callAfter(m_arrivalPause, [this] { lookForArrival(); });
}

void SlurmNodes::lookForArrival()
{
    if (!m_isSubmitted || m_isEnding || !m_nodes.empty() || takeArrival())
        return;
    m_arrivalPause =
        std::min<std::chrono::milliseconds>(m_arrivalPause * 5 / 4, LongestArrivalPause);
    m_arrival = m_loop.callAfter(m_arrivalPause, [this] { lookForArrival(); });
}

/// True: the script has begun, for the first time or again, since the last look.
bool SlurmNodes::takeArrival()
{
    const std::filesystem::path file = slurmArrivalFile(m_submission.runFolder);
    const auto text = readFile(file);
    const auto arrival = text ? slurmArrivalIn(*text) : std::nullopt;
    if (!arrival)
        return false;
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    if (isPlaced(arrival->job))
        return false; // squeue was sooner
    // What squeue is about to say is older.
    m_child.reset();
    m_looksAgain = false;
    if (!m_nodes.empty())
        withdraw();
    m_job = arrival->job;
    if (!m_isEnding)
        given(arrival->hosts);
    return true;
}

/// Its nodes were given, in this start of it.
bool SlurmNodes::isPlaced(const SlurmJob& job) const
{
    return job.number == m_placed.number && job.start == m_placed.start;
}

bool SlurmNodes::look()
{
    if (m_isOver || m_isEnding)
        return false;
    m_isAsked = true;
    m_pause = FirstPause;
    if (m_child)
        m_looksAgain = true;
    else
        ask(squeueCommand(m_name), &SlurmNodes::queueTold);
    return true;
}

void SlurmNodes::lookLater()
{
    if (std::exchange(m_looksAgain, false))
        return ask(squeueCommand(m_name), &SlurmNodes::queueTold);
    const bool isSteady =
        !m_isAsked && !m_nodes.empty() && !m_isEnding && m_job.phase() == JobPhase::Running;
    m_next = m_loop.callAfter(isSteady ? RunningPause : m_pause,
                              [this] { ask(squeueCommand(m_name), &SlurmNodes::queueTold); });
    m_pause = std::min<std::chrono::milliseconds>(m_pause * 5 / 4, LongestWait);
}

void SlurmNodes::queueTold(const ChildCommand::Outcome& outcome)
{
    if (outcome.exitCode != 0)
        return unreachable(outcome);
    if (std::exchange(m_isSilent, false)) {
        m_wasSilent = true;
        m_owner->placesTold(Notice::Severity::Info, {code::SlurmAnswers, {}, {}});
    }
    if (const auto job = slurmJobIn(outcome.output))
        return found(*job);
    if (m_job.number.empty() && !m_isResumed) { // the call that failed hasn't submitted anything
        m_isSubmitted = false;
        return lost({code::SlurmUnreachable, {{"reason", "sbatch"}}, {}});
    }
    ask(sacctCommand(m_name), &SlurmNodes::accountsTold);
}

/// Its queue has forgotten it: the accounting may know how it ended.
void SlurmNodes::accountsTold(const ChildCommand::Outcome& outcome)
{
    if (const auto job = slurmJobIn(outcome.output); outcome.exitCode == 0 && job)
        return found(*job);
    m_isSubmitted = false;
    lost({code::SlurmForgotten, {}, {}});
}

/// Not the same as failed: what runs goes on.
void SlurmNodes::unreachable(const ChildCommand::Outcome& outcome)
{
    const Error why = slurmFailure(m_command, outcome.exitCode, outcome.error);
    if (m_job.number.empty() && !m_isResumed) {
        m_isSubmitted = false;
        return lost(why);
    }
    if (m_isEnding && std::chrono::steady_clock::now() > m_endBy)
        return cancelled(outcome);
    if (!std::exchange(m_isSilent, true))
        m_owner->placesTold(Notice::Severity::Warning, {code::SlurmSilent, {}, describe(why)});
    if (m_isAsked)
        m_owner->placesUnknown();
    lookLater();
}

void SlurmNodes::found(const SlurmJob& job)
{
    if (job.phase() != m_job.phase())
        m_pause = FirstPause;
    m_job = job;
    if (m_isEnding)
        return lookAtEnd(job);
    switch (job.phase()) {
    case JobPhase::Pending:
        if (!m_nodes.empty())
            withdraw();
        if (m_isEnding)
            return; // the owner's budget was spent
        if (job.reason != "None" && std::exchange(m_told, job.reason) != job.reason) {
            const Message why = whyItWaits(job);
            m_owner->placesTold(why.code == code::SlurmWaits ? Notice::Severity::Info
                                                             : Notice::Severity::Warning,
                                why);
        }
        return lookLater();
    case JobPhase::Running: return running(job);
    case JobPhase::Completing: return lookLater();
    case JobPhase::Ended: return ended(job);
    }
}

/// Back in the queue, from which it comes again.
void SlurmNodes::withdraw()
{
    m_nodes.clear();
    m_told.clear();
    m_owner->withdrawn({code::SlurmRequeued, {{"job", m_job.number}}, {}}, costOfLoss());
    expectArrival();
}

/// A controller that was killed goes on from what it had written down, perhaps from before the job
/// has run: nobody has decided that.
NodeProvider::Cost SlurmNodes::costOfLoss()
{
    return std::exchange(m_wasSilent, false) ? Cost::Nothing : Cost::Restart;
}

void SlurmNodes::running(const SlurmJob& job)
{
    if (takeArrival())
        return;
    if (!m_nodes.empty() && !isPlaced(job))
        withdraw();
    if (m_isEnding)
        return;
    m_wasSilent = false;
    if (m_nodes.empty() || job.nodes != m_placed.nodes)
        return ask(nodesCommand(job.nodes), &SlurmNodes::nodesTold);
    if (std::exchange(m_told, job.state) != job.state && job.state == "SUSPENDED")
        m_owner->placesTold(Notice::Severity::Warning,
                            {code::SlurmSuspended, {{"job", job.number}}, {}});
    // What was on its way when somebody asked is older than the question.
    if (!m_looksAgain && std::exchange(m_isAsked, false))
        m_owner->placesStand();
    lookLater();
}

void SlurmNodes::nodesTold(const ChildCommand::Outcome& outcome)
{
    std::vector<Host> hosts = slurmNodesIn(outcome.output);
    if (outcome.exitCode == 0 && !hosts.empty())
        return given(std::move(hosts));
    lookLater();
}

void SlurmNodes::given(std::vector<Host> hosts)
{
    m_placed = m_job;
    std::vector<std::string> names;
    for (const Host& host : hosts)
        names.push_back(host.name);
    const std::vector<std::string> before = std::exchange(m_nodes, names);
    if (before.empty()) {
        m_owner->placesTold(
            Notice::Severity::Info,
            {code::SlurmGivesNodes, {{"job", m_job.number}, {"nodes", m_job.nodes}}, {}});
        m_owner->placed(std::move(hosts));
    }
    for (const std::string& name : before)
        if (std::ranges::find(names, name) == names.end())
            m_owner->hostTaken(name, {code::SlurmNodeTaken, {{"host", name}}, {}});
    if (!m_child)
        lookLater();
}

void SlurmNodes::ended(const SlurmJob& job)
{
    const bool hadNodes = !m_nodes.empty();
    m_nodes.clear();
    m_isSubmitted = false;
    m_told.clear();
    if (!endedBySlurm(job))
        return lost(whyItEnded(job, logTail()));
    if (hadNodes)
        m_owner->withdrawn(whyItEnded(job, {}), costOfLoss());
    // The owner's budget may be spent.
    if (!m_isEnding)
        submit();
}

void SlurmNodes::lost(const Message& why)
{
    m_nodes.clear();
    m_next.cancel();
    if (!m_isSubmitted)
        m_isOver = true;
    m_owner->placesLost(why);
}

std::string SlurmNodes::logTail() const
{
    const auto text = readFile(slurmLog(m_submission.runFolder), 1U << 20U);
    if (!text)
        return {};
    return text->size() > LogTail ? text->substr(text->size() - LogTail) : *text;
}

bool SlurmNodes::mayExplain(const Message& end) const
{
    return !m_isEnding && end.code == code::SignalReceived;
}

HostLink::Options SlurmNodes::wayTo(const Host& host) const
{
    return {.host = host,
            .command = stepCommand(m_job, host.name,
                                   {m_submission.executable, "agent", "reach", m_submission.run}),
            .failure = stepFailure};
}

void SlurmNodes::handOver()
{
    m_child.reset();
    m_next.cancel();
    m_arrival.cancel();
    m_isEnding = m_isOver = true;
}

void SlurmNodes::end()
{
    if (std::exchange(m_isEnding, true) || m_isOver)
        return;
    if (!m_isSubmitted) {
        m_isOver = true;
        return;
    }
    m_endBy = std::chrono::steady_clock::now() + EndPatience;
    m_pause = FirstPause;
    if (m_child)
        m_looksAgain = true;
    else
        ask(squeueCommand(m_name), &SlurmNodes::queueTold);
}

/// Its script ends with its agents; what doesn't is cancelled.
void SlurmNodes::lookAtEnd(const SlurmJob& job)
{
    const JobPhase phase = job.phase();
    const bool isLate = std::chrono::steady_clock::now() > m_endBy;
    if (phase == JobPhase::Ended || (m_isCancelled && (phase == JobPhase::Completing || isLate))) {
        m_isOver = true;
        return;
    }
    const bool mayEndItself = !m_nodes.empty() && phase != JobPhase::Pending && !isLate;
    if (m_isCancelled || mayEndItself)
        return lookLater();
    ask(scancelCommand(m_name), &SlurmNodes::cancelled);
}

void SlurmNodes::cancelled(const ChildCommand::Outcome& outcome)
{
    if (outcome.exitCode != 0) {
        m_owner->placesTold(
            Notice::Severity::Error,
            {code::SlurmJobLeft, {{"job", m_job.number}, {"name", m_name}}, outcome.error});
        m_isOver = true;
        return;
    }
    m_isCancelled = true;
    m_endBy = std::chrono::steady_clock::now() + CancelPatience;
    lookLater();
}

} // namespace ringmaster
