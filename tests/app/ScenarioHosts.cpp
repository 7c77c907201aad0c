#include "engine/base/Codes.h"
#include "engine/base/Version.h"
#include "engine/hosts/Codes.h"
#include "engine/lead/Codes.h"
#include "tests/app/Scenario.h"

#include <cmath>
#include <tuple>
namespace ringmaster {

namespace {

HostReport ready(const std::string& name, int gpus)
{
    MachineFacts facts{.name = name,
                       .version = RINGMASTER_VERSION,
                       .machine = "x86_64",
                       .processors = 64,
                       .load = 11.2,
                       .memoryBytes = std::int64_t{256} << 30,
                       .availableBytes = std::int64_t{180} << 30,
                       .interpreter = "/opt/venv/bin/python",
                       .pythonVersion = "3.11.2",
                       .torchVersion = "2.11.0",
                       .ncclVersion = "2.27.5"};
    for (int i = 0; i < gpus; ++i)
        facts.gpus.push_back({"NVIDIA H200", std::int64_t{140} << 30, std::int64_t{31} << 30});
    return {.host = name,
            .facts = facts,
            .roundTrip = std::chrono::microseconds(430),
            .clockOffset = std::chrono::microseconds(310),
            .clockBound = std::chrono::microseconds(180)};
}

PreflightFinding way(PreflightFinding::Grade grade, const char* from, const char* to)
{
    return {grade,
            from,
            to,
            {grade == PreflightFinding::Grade::Good ? code::PreflightReaches
                                                    : code::PreflightCannotReach,
             {{"host", from},
              {"peer", to},
              {"address", "10.0.0.7"},
              {"milliseconds", "0.21"},
              {"reason", "No route to host"}},
             {}},
            ""};
}

} // namespace

void Scenario::attemptOn(const std::string& run, int number,
                         const std::vector<std::pair<std::string, std::string>>& hosts,
                         double seconds)
{
    constexpr int RanksEach = 2;
    const int worldSize = RanksEach * static_cast<int>(hosts.size());
    int first = 0;
    for (const auto& [agent, host] : hosts) {
        AttemptStarted attempt{.attempt = number, .restartCount = number, .worldSize = worldSize};
        for (int local = 0; local < RanksEach; ++local)
            attempt.workers.push_back(
                {local, first + local, first + local, worldSize, "default", "/tmp/none"});
        m_cluster.publish(run, {{ago(seconds), attempt}}, {agent, host});
        for (int local = 0; local < RanksEach; ++local)
            m_cluster.publish(
                run,
                {{ago(seconds - 1.5 - 0.1 * local),
                  WorkerStateChanged{number, first + local, local,
                                     41200 + 10 * number + first + local, WorkerState::Healthy}}},
                {agent, host});
        first += RanksEach;
    }
}

std::string Scenario::onHosts()
{
    using State = HostChanged::State;
    const std::string run = "on-hosts";
    begin(run, 6, 3, 60);
    const auto change = [&](const char* agent, const char* name, State state, double when,
                            Message reason = {}) {
        m_cluster.publish(
            run, ago(when),
            HostChanged{.agent = agent, .host = name, .state = state, .reason = std::move(reason)});
    };
    const auto isCut = [](const char* host) {
        return Message{code::HostCut, {{"host", host}, {"seconds", "3"}}, {}};
    };
    const std::pair<const char*, const char*> all[] = {
        {"1", "gpu1"}, {"2", "gpu2"}, {"3", "gpu3"}, {"4", "gpu4"}};
    for (const auto& [agent, name] : all)
        change(agent, name, State::Connecting, 60);
    for (const auto& [agent, name] : all)
        change(agent, name, State::Connected, agent[0] == '4' ? 52 : 58);
    change("4", "gpu4", State::StandingBy, 52);
    m_cluster.publish(run, ago(57),
                      ClockMeasured{.agent = "1", .wallOffsetNs = 310'000, .boundNs = 180'000});
    attemptOn(run, 0, {{"1", "gpu1"}, {"2", "gpu2"}, {"3", "gpu3"}}, 56);
    m_cluster.publish(run, ago(54), RunStateChanged{RunState::Running, {code::None}, 0});
    change("3", "gpu3", State::Lost, 40, isCut("gpu3"));
    m_cluster.publish(run, ago(39.8), GroupRestarting{0, isCut("gpu3"), 3, 3, 0});
    change("4", "gpu4", State::Connected, 39);
    attemptOn(run, 1, {{"1", "gpu1"}, {"2", "gpu2"}, {"4", "gpu4"}}, 39);
    change("3", "gpu3", State::Connected, 25);
    change("3", "gpu3", State::StandingBy, 25);
    change("5", "gpu5", State::Connecting, 4);
    change("2", "gpu2", State::Lost, 3, isCut("gpu2"));
    m_cluster.setRun(summary(run, RunState::Running, 6, 60));
    return run;
}

std::vector<HostReport> Scenario::hostsInUse(double secondsAgo)
{
    std::vector<HostReport> reports;
    for (const auto& [name, gpus, phase] :
         {std::tuple("gpu1", 8, 0.0), {"gpu2", 8, 1.7}, {"old", 0, 3.1}}) {
        HostReport report = ready(name, gpus);
        const double wave = std::sin(secondsAgo / 60 + phase);
        // A job was started on the two with GPUs five minutes ago.
        const double busy = secondsAgo < 300 && gpus > 0 ? 1 : 0;
        report.facts->load = 4 + 2 * wave + busy * (30 + 6 * wave);
        report.facts->availableBytes -=
            static_cast<std::int64_t>((busy * 60 + 3 * wave) * (1 << 30));
        for (MachineFacts::Gpu& gpu : report.facts->gpus)
            gpu.usedBytes = static_cast<std::int64_t>((2 + busy * (60 + wave)) * (1 << 30));
        if (gpus == 0)
            report.facts->torchVersion.clear();
        reports.push_back(std::move(report));
    }
    return reports;
}

void Scenario::hostBook()
{
    FakeHosts& hosts = m_cluster.hosts();
    hosts.setHosts({{.name = "gpu1", .slots = 8, .groups = {"lab"}},
                    {.name = "gpu2", .slots = 8, .groups = {"lab"}},
                    {.name = "login"},
                    {.name = "old", .destination = "mika@old.example.org", .slots = 2},
                    {.name = "spare", .groups = {"cpu"}}});
    hosts.setReport(ready("gpu1", 8));
    hosts.setReport(ready("gpu2", 8));
    hosts.setReport({.host = "login",
                     .facts = ringmaster::fail(code::HostRefusesKey,
                                               {{"host", "login"}, {"destination", "login"}}),
                     .fix = "ssh-copy-id login"});
    HostReport old = ready("old", 0);
    old.facts->torchVersion.clear();
    hosts.setReport(old);
    using Grade = PreflightFinding::Grade;
    hosts.setFindings(
        {way(Grade::Good, "gpu1", "gpu2"),
         way(Grade::Good, "gpu2", "gpu1"),
         way(Grade::Good, "gpu1", "old"),
         way(Grade::Bad, "gpu2", "old"),
         {Grade::Good,
          "gpu1",
          "",
          {code::PreflightPython,
           {{"host", "gpu1"},
            {"path", "/opt/venv/bin/python"},
            {"python", "3.11.2"},
            {"torch", "2.11.0"}},
           {}},
          ""},
         {Grade::Bad,
          "login",
          "",
          {code::HostRefusesKey, {{"host", "login"}, {"destination", "login"}}, {}},
          "ssh-copy-id login"},
         {Grade::Warning,
          "gpu2",
          "",
          {code::PreflightLeftOvers,
           {{"host", "gpu2"}, {"program", "python train.py"}, {"processes", "4711 4712"}},
           {}},
          "ssh gpu2 'kill -9 4711 4712'"}});
}

} // namespace ringmaster
