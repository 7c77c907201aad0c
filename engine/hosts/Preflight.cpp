#include "engine/hosts/Preflight.h"

#include "engine/hosts/Remedy.h"

#include <algorithm>
#include <cmath>

namespace ringmaster {

namespace {

using Grade = PreflightFinding::Grade;
using namespace std::chrono_literals;

constexpr auto WorryingOffset = 1s;
constexpr std::int64_t LittleSpace = std::int64_t{200} << 20;
constexpr std::int64_t TooLittleSpace = std::int64_t{16} << 20; ///< The agent alone needs more.
constexpr double LongTripMs = 100;   ///< A training step that synchronises waits for several.
constexpr double LittleMemory = 0.5; ///< Of a GPU, free.

class Judge
{
public:
    explicit Judge(const std::vector<ProbedHost>& answers) : m_answers(answers)
    {
        // The others are compared with the first that has torch.
        for (const ProbedHost& answer : answers) {
            if (!answer.facts || (m_model != nullptr && answer.facts->torchVersion.empty()))
                continue;
            m_model = &answer;
            if (!answer.facts->torchVersion.empty())
                break;
        }
    }

    std::vector<PreflightFinding> findings()
    {
        for (const ProbedHost& answer : m_answers) {
            m_host = &answer;
            if (!answer.facts) {
                const Error& why = answer.facts.error();
                add(Grade::Bad, why.code, why.parameters, {}, why.detail);
                continue;
            }
            judgePython(*answer.facts);
            judgePaths();
            judgeMachine(*answer.facts);
            judgeDisk();
            judgeLeftOvers();
            judgeNames();
            judgeWays();
        }
        return std::move(m_findings);
    }

private:
    void add(Grade grade, Code code, Parameters parameters, const std::string& peer = {},
             std::string detail = {})
    {
        parameters["host"] = m_host->host.name;
        PreflightFinding finding{
            grade, m_host->host.name, peer, {code, std::move(parameters), {}}, {}};
        finding.message.detail = std::move(detail);
        finding.fix = remedyFor(finding.message, m_host->host);
        m_findings.push_back(std::move(finding));
    }

    void judgePython(const MachineFacts& facts)
    {
        if (facts.pythonVersion.empty())
            return add(Grade::Bad, code::PreflightNoPython, {{"path", facts.interpreter}});
        if (facts.torchVersion.empty())
            return add(Grade::Warning, code::PreflightNoTorch,
                       {{"path", facts.interpreter}, {"other", m_model->facts->torchVersion}});
        const MachineFacts& model = *m_model->facts;
        compare("torch", facts.torchVersion, model.torchVersion);
        compare("NCCL", facts.ncclVersion, model.ncclVersion);
        add(Grade::Good, code::PreflightPython,
            {{"path", facts.interpreter},
             {"python", facts.pythonVersion},
             {"torch", facts.torchVersion}});
    }

    void compare(const char* what, const std::string& here, const std::string& there)
    {
        if (here != there)
            add(Grade::Bad, code::PreflightVersionsDiffer,
                {{"what", what},
                 {"path", m_host->facts->interpreter},
                 {"version", here.empty() ? "no" : here},
                 {"other", there.empty() ? "no" : there},
                 {"peer", m_model->host.name}},
                m_model->host.name);
    }

    void judgePaths()
    {
        for (const ProbedHost::Missing& path : m_host->missing)
            add(Grade::Bad, code::PreflightPathMissing,
                {{"path", path.there}, {"here", path.here}});
        if (m_host->lacksRsync)
            add(Grade::Bad, code::PreflightNoRsync, {});
        if (m_host->lacksRsyncHere)
            add(Grade::Bad, code::PreflightNoRsyncHere, {});
    }

    void judgeMachine(const MachineFacts& facts)
    {
        const auto offset = std::chrono::abs(m_host->clockOffset);
        if (offset - m_host->clockBound > WorryingOffset) {
            const double seconds = std::chrono::duration<double>(m_host->clockOffset).count();
            add(Grade::Warning, code::PreflightClockOff,
                {{"seconds", std::to_string(std::llround(seconds))}});
        }
        for (size_t i = 0; i < facts.gpus.size(); ++i) {
            const MachineFacts::Gpu& gpu = facts.gpus[i];
            if (static_cast<double>(gpu.usedBytes) >
                (1 - LittleMemory) * static_cast<double>(gpu.totalBytes))
                add(Grade::Warning, code::PreflightGpuBusy,
                    {{"gpu", std::to_string(i)},
                     {"used", std::to_string(gpu.usedBytes >> 20U)},
                     {"total", std::to_string(gpu.totalBytes >> 20U)}});
        }
        if (facts.load > facts.processors)
            add(Grade::Warning, code::PreflightLoaded,
                {{"load", std::to_string(std::llround(facts.load))},
                 {"processors", std::to_string(facts.processors)}});
    }

    void judgeDisk()
    {
        if (!m_host->unwritable.path.empty())
            add(Grade::Bad, code::PreflightNotWritable,
                {{"path", m_host->unwritable.path}, {"reason", m_host->unwritable.reason}});
        if (m_host->freeBytes < 0 || m_host->freeBytes >= LittleSpace)
            return;
        add(m_host->freeBytes < TooLittleSpace ? Grade::Bad : Grade::Warning,
            code::PreflightDiskFull,
            {{"path", m_host->freePath}, {"mebibytes", std::to_string(m_host->freeBytes >> 20U)}});
    }

    void judgeLeftOvers()
    {
        const LeftOvers& left = m_host->leftOvers;
        if (!left.processes.empty())
            add(Grade::Warning, code::PreflightLeftOvers,
                {{"processes", left.processes}, {"program", left.program}});
    }

    /// What a name means is the same everywhere, and not the machine itself alone: gloo looks up
    /// the machine's own name where no interface is pinned.
    void judgeNames()
    {
        const bool isAlone = m_answers.size() < 2;
        for (const ProbedHost::Meaning& meaning : m_host->meanings) {
            const bool isOwn = meaning.name == m_host->facts->name;
            const bool isLoopback = meaning.address.starts_with("127.") || meaning.address == "::1";
            if (isOwn && !isAlone && isLoopback && m_host->host.interface.empty() &&
                !m_host->interface.empty() && m_host->interface != "lo")
                add(Grade::Warning, code::PreflightNameLoopback,
                    {{"name", meaning.name},
                     {"address", meaning.address},
                     {"interface", m_host->interface}});
            const ProbedHost* owner = ownerOf(meaning.name);
            if (isOwn || owner == nullptr || owner == m_host || meaning.address.empty())
                continue;
            const std::string own = addressOf(*owner);
            if (!own.empty() && own != meaning.address)
                add(Grade::Warning, code::PreflightNameDiffers,
                    {{"name", meaning.name},
                     {"address", meaning.address},
                     {"peer", owner->host.name},
                     {"other", own}},
                    owner->host.name);
        }
    }

    const ProbedHost* ownerOf(const std::string& machine) const
    {
        const auto owner = std::ranges::find_if(m_answers, [&](const ProbedHost& answer) {
            return answer.facts && answer.facts->name == machine;
        });
        return owner != m_answers.end() ? &*owner : nullptr;
    }

    /// At which it is reached, as a number.
    static std::string addressOf(const ProbedHost& host)
    {
        const bool isNumber = host.address.find_first_not_of("0123456789.") == std::string::npos ||
                              host.address.find(':') != std::string::npos;
        return isNumber ? host.address : std::string();
    }

    void judgeWays()
    {
        if (!m_host->listenProblem.empty())
            add(Grade::Bad, code::PreflightCannotListen, {{"reason", m_host->listenProblem}});
        for (const ProbedHost::Route& route : m_host->routes) {
            const double milliseconds =
                std::chrono::duration<double, std::milli>(route.time).count();
            Parameters parameters{
                {"peer", route.peer}, {"address", route.address}, {"reason", route.problem}};
            if (!route.problem.empty()) {
                add(Grade::Bad, code::PreflightCannotReach, std::move(parameters), route.peer);
                continue;
            }
            std::string text = std::to_string(milliseconds);
            parameters["milliseconds"] = text.substr(0, text.find('.') + 3);
            const bool isFar = milliseconds >= LongTripMs;
            add(isFar ? Grade::Warning : Grade::Good,
                isFar ? code::PreflightFarAway : code::PreflightReaches, std::move(parameters),
                route.peer);
        }
    }

    const std::vector<ProbedHost>& m_answers;
    const ProbedHost* m_model = nullptr;
    const ProbedHost* m_host = nullptr;
    std::vector<PreflightFinding> m_findings;
};

} // namespace

std::vector<PreflightFinding> judge(const std::vector<ProbedHost>& answers)
{
    return Judge(answers).findings();
}

} // namespace ringmaster
