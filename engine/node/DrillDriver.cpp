#include "engine/node/DrillDriver.h"

#include "engine/agent/Codes.h"
#include "engine/event/Codes.h"
#include "engine/event/DrilledHost.h"
#include "engine/event/States.h"
#include "engine/node/Codes.h"
#include "engine/text/Duration.h"

#include <algorithm>
#include <charconv>
#include <set>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto DrillLookInterval = 100ms;
/// For what was printed last.
constexpr auto LastNumbersPatience = 1s;
constexpr size_t LongestAsker = 100;
constexpr size_t AttemptsKept = 4;

bool allWork(const RunSnapshot& run)
{
    return run.state == RunState::Running && !run.workers.empty() &&
           std::ranges::all_of(run.workers, [](const WorkerSnapshot& worker) {
               return worker.state == WorkerState::Healthy;
           });
}

/// One line, whoever sent it.
std::string plainName(std::string name)
{
    std::erase_if(name, [](char letter) { return static_cast<unsigned char>(letter) < ' '; });
    name.resize(std::min(name.size(), LongestAsker));
    return name;
}

Code begins(BeginDrill::Kind kind)
{
    switch (kind) {
    case BeginDrill::Kind::Kill: return code::DrillKills;
    case BeginDrill::Kind::Stop: return code::DrillStops;
    case BeginDrill::Kind::Slow: return code::DrillSlows;
    case BeginDrill::Kind::KillHost: return code::DrillKillsHost;
    case BeginDrill::Kind::CutHost: return code::DrillCutsHost;
    }
    return code::None;
}

Message beginning(const BeginDrill& drill)
{
    const auto time = std::chrono::duration_cast<std::chrono::milliseconds>(drill.duration);
    Message message{begins(drill.kind), {{"who", drill.by}}, {}};
    if (drill.isOfHost())
        message.parameters["host"] = drill.host;
    else
        message.parameters["rank"] = std::to_string(drill.globalRank);
    if (!drill.isKill())
        message.parameters["time"] = durationText(time);
    return message;
}

int attemptIn(const Message& message)
{
    int attempt = -1;
    if (const auto said = message.parameters.find("attempt"); said != message.parameters.end())
        std::from_chars(said->second.data(), said->second.data() + said->second.size(), attempt);
    return attempt;
}

} // namespace

DrillDriver::DrillDriver(EventLoop& loop, Host host, const RunFolder& folder, const JobSpec& spec,
                         std::optional<DrillPlan> plan)
    : m_loop(loop)
    , m_host(std::move(host))
    , m_folder(folder)
    , m_rules(NumberRules::parse(spec.numbers).value_or(NumberRules()))
    , m_plan(std::move(plan))
{
    if (!m_plan)
        return;
    readNumbers(NumberReader::From::Beginning);
    m_look = m_loop.callAfter(DrillLookInterval, [this] { look(); });
}

Result<void> DrillDriver::begin(BeginDrill drill)
{
    if (m_watch)
        return fail(code::DrillUnderWay);
    RM_TRY(checkTimes(drill));
    const RunSnapshot& run = m_host.run();
    if (!allWork(run))
        return fail(code::RunNotAcceptingCommand,
                    {{"what", "drilled"}, {"state", std::string(nameOf(run.state))}});
    RM_TRY(aim(drill));
    drill.by = plainName(std::move(drill.by));
    RM_TRY(m_host.disturb(drill));
    m_watch.emplace(drill, run, hadFirstCollective(run.attempt), m_clock.now().monotonicNs);
    m_host.tell({.globalRank = drill.globalRank, .message = beginning(drill)});
    m_areNumbersRead = false;
    readNumbers(NumberReader::From::Now);
    m_look = m_loop.callAfter(DrillLookInterval, [this] { look(); });
    return {};
}

/// At a rank or a host that there is.
Result<void> DrillDriver::aim(BeginDrill& drill) const
{
    const RunSnapshot& run = m_host.run();
    if (drill.isOfHost()) {
        drill.globalRank = -1;
        RM_TRY(hostToDrill(run, drill.host));
    } else if (drill.globalRank < 0) {
        drill.globalRank = run.workers.back().assignment.globalRank;
    }
    return {};
}

void DrillDriver::happened(const EventBody& body)
{
    const auto* notice = std::get_if<Notice>(&body);
    if (notice == nullptr || (notice->message.code != code::FirstCollective &&
                              notice->message.code != code::FirstCollectiveAgain))
        return;
    const int attempt = attemptIn(notice->message);
    ++m_firstCollectives[attempt];
    if (m_firstCollectives.size() > AttemptsKept)
        m_firstCollectives.erase(m_firstCollectives.begin());
    if (m_watch && hadFirstCollective(attempt))
        m_watch->firstCollective(attempt);
}

/// Each agent of the run tells its own.
bool DrillDriver::hadFirstCollective(int attempt) const
{
    std::set<std::string> agents;
    for (const WorkerSnapshot& worker : m_host.run().workers)
        agents.insert(worker.agent);
    const auto told = m_firstCollectives.find(attempt);
    return told != m_firstCollectives.end() && !agents.empty() &&
           told->second >= static_cast<int>(agents.size());
}

void DrillDriver::readNumbers(NumberReader::From from)
{
    if (!m_reader)
        m_reader = std::make_unique<NumberReader>(m_loop, m_folder, m_rules,
                                                  [this](const std::vector<PrintedNumbers>& numbers,
                                                         bool isAll) { printed(numbers, isAll); });
    m_reader->start(from);
}

void DrillDriver::printed(const std::vector<PrintedNumbers>& printed, bool isAll)
{
    for (const PrintedNumbers& numbers : printed) {
        if (m_watch)
            m_watch->printed(numbers);
        else
            m_numbers.add(numbers);
    }
    m_areNumbersRead = m_areNumbersRead || isAll;
}

void DrillDriver::look()
{
    if (!m_watch && (!m_plan || m_isPlanBegun))
        return;
    m_look = m_loop.callAfter(DrillLookInterval, [this] { look(); });
    if (!m_watch)
        return lookAtPlan();
    if (!m_areNumbersRead)
        return;
    if (const auto outcome = m_watch->look(m_host.run(), m_clock.now().monotonicNs))
        over(*outcome);
}

void DrillDriver::lookAtPlan()
{
    if (!isDue(m_host.run()))
        return;
    m_isPlanBegun = true;
    if (auto begun = begin(m_plan->drill); !begun)
        m_host.failed(std::move(begun).error());
}

bool DrillDriver::isDue(const RunSnapshot& run)
{
    if (!allWork(run))
        return false;
    const std::int64_t now = m_clock.now().monotonicNs;
    m_ranNs = m_ranNs.value_or(now);
    if (m_plan->delay)
        return std::chrono::nanoseconds(now - *m_ranNs) >= *m_plan->delay;
    return m_numbers.highest(m_plan->counter).value_or(m_plan->value - 1) >= m_plan->value;
}

void DrillDriver::over(const DrillWatch::Outcome& outcome)
{
    const int rank = m_watch->rank();
    if (const auto cost = m_watch->cost(m_host.run()))
        m_host.tell({.message = *cost});
    m_watch.reset();
    m_reader->stop();
    m_host.tell({.severity = outcome.isBack ? Notice::Severity::Info : Notice::Severity::Error,
                 .globalRank = rank,
                 .message = outcome.message});
    if (m_plan && !m_isPlanBegun)
        return readNumbers(NumberReader::From::Beginning);
    if (!m_plan)
        return;
    if (outcome.isBack)
        m_plan.reset();
    else
        m_host.failed({outcome.message, {}});
}

void DrillDriver::runEnds(RunState state)
{
    if (m_watch) {
        m_reader->finish(m_host.settle, LastNumbersPatience);
        return over(m_watch->runEnded(state, m_host.run(), m_clock.now().monotonicNs));
    }
    if (m_plan && !m_isPlanBegun)
        m_host.tell({.severity = Notice::Severity::Error, .message = notBegun()});
}

Message DrillDriver::notBegun() const
{
    if (m_plan->delay)
        return {code::DrillNotBegunTime, {{"time", durationText(*m_plan->delay)}}, {}};
    return {code::DrillNotBegunCounter,
            {{"counter", m_plan->counter},
             {"value", std::to_string(static_cast<std::int64_t>(m_plan->value))}},
            {}};
}

} // namespace ringmaster
