#include "engine/launch/Preflight.h"

#include <algorithm>
#include <cmath>

namespace ringmaster {

namespace {

using Grade = PreflightFinding::Grade;
using namespace std::chrono_literals;

constexpr auto WorryingOffset = 1s;
constexpr double LittleMemory = 0.5; ///< Of a GPU, free.

class Judge
{
public:
    explicit Judge(const std::vector<SurveyedHost>& answers) : m_answers(answers)
    {
        const auto first = std::ranges::find_if(
            answers, [](const SurveyedHost& answer) { return answer.facts.has_value(); });
        m_model = first != answers.end() ? &*first : nullptr;
    }

    std::vector<PreflightFinding> findings()
    {
        for (const SurveyedHost& answer : m_answers) {
            m_host = &answer;
            if (!answer.facts) {
                add(Grade::Bad, answer.facts.error().code, answer.facts.error().parameters);
                m_findings.back().message.detail = answer.facts.error().detail;
                continue;
            }
            judgePython(*answer.facts);
            judgePaths();
            judgeMachine(*answer.facts);
            judgeWays();
        }
        return std::move(m_findings);
    }

private:
    void add(Grade grade, Code code, Parameters parameters, const std::string& peer = {})
    {
        parameters["host"] = m_host->host.name;
        m_findings.push_back({grade, m_host->host.name, peer, {code, std::move(parameters), {}}});
    }

    void judgePython(const MachineFacts& facts)
    {
        if (facts.pythonVersion.empty())
            return add(Grade::Bad, code::PreflightNoPython, {{"path", facts.interpreter}});
        if (facts.torchVersion.empty())
            return add(Grade::Warning, code::PreflightNoTorch, {{"path", facts.interpreter}});
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
                 {"version", here.empty() ? "no" : here},
                 {"other", there.empty() ? "no" : there},
                 {"peer", m_model->host.name}},
                m_model->host.name);
    }

    void judgePaths()
    {
        for (const std::string& path : m_host->missing)
            add(Grade::Bad, code::PreflightPathMissing, {{"path", path}});
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

    void judgeWays()
    {
        if (!m_host->listenProblem.empty())
            add(Grade::Bad, code::PreflightCannotListen, {{"reason", m_host->listenProblem}});
        for (const SurveyedHost::Way& way : m_host->ways) {
            const double milliseconds = std::chrono::duration<double, std::milli>(way.time).count();
            Parameters parameters{
                {"peer", way.peer}, {"address", way.address}, {"reason", way.problem}};
            if (!way.problem.empty()) {
                add(Grade::Bad, code::PreflightCannotReach, std::move(parameters), way.peer);
                continue;
            }
            std::string text = std::to_string(milliseconds);
            parameters["milliseconds"] = text.substr(0, text.find('.') + 3);
            add(Grade::Good, code::PreflightReaches, std::move(parameters), way.peer);
        }
    }

    const std::vector<SurveyedHost>& m_answers;
    const SurveyedHost* m_model = nullptr;
    const SurveyedHost* m_host = nullptr;
    std::vector<PreflightFinding> m_findings;
};

} // namespace

std::vector<PreflightFinding> judge(const std::vector<SurveyedHost>& answers)
{
    return Judge(answers).findings();
}

} // namespace ringmaster
