#include "engine/cli/DrillQuestion.h"

#include "engine/cli/Terminal.h"
#include "engine/event/DrilledHost.h"
#include "engine/text/Duration.h"

#include <array>
#include <cerrno>

#include <unistd.h>

namespace ringmaster {

namespace {

std::string timeOf(const BeginDrill& drill)
{
    return durationText(std::chrono::duration_cast<std::chrono::milliseconds>(drill.duration));
}

std::string costOfKill(const RunSnapshot& run)
{
    const int left = run.restartBudget - run.restartsUsed;
    if (left <= 0)
        return " The run has no restarts left, and will end by it.";
    if (left == 1)
        return " That takes the last restart.";
    return " That takes one of the " + std::to_string(left) + " restarts that are left.";
}

std::string questionOfHost(const RunSnapshot& run, const BeginDrill& drill)
{
    const std::vector<int> ranks = ranksOnHost(run, drill.host);
    const std::string host = drill.host + " of " + run.run + " (" + std::to_string(ranks.size()) +
                             (ranks.size() == 1 ? " rank)" : " ranks)");
    if (drill.kind == BeginDrill::Kind::CutHost)
        return "This cuts the lead's link to " + host + " for " + timeOf(drill) +
               ". The others go on without it if that is longer than the run's node_timeout.";
    return "This kills the agent and all workers on " + host +
           " now. The others go on without it, or with its next agent; all lose what they have "
           "done since the last checkpoint.";
}

std::string readLine()
{
    constexpr size_t Longest = 64;
    std::string line;
    char letter = 0;
    while (line.size() < Longest) {
        const ssize_t count = ::read(STDIN_FILENO, &letter, 1);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0 || letter == '\n')
            break;
        line += letter;
    }
    return line;
}

} // namespace

std::string drillQuestion(const RunSnapshot& run, const BeginDrill& drill)
{
    if (drill.isOfHost())
        return questionOfHost(run, drill);
    const std::string rank = "rank " + std::to_string(drill.globalRank);
    const std::string of = " of " + run.run;
    switch (drill.kind) {
    case BeginDrill::Kind::Kill: return "This kills " + rank + of + " now." + costOfKill(run);
    case BeginDrill::Kind::Stop:
        return "This stops " + rank + of + " for " + timeOf(drill) + "; the others wait for it.";
    case BeginDrill::Kind::Slow:
        return "This slows " + rank + of + " down to a quarter for " + timeOf(drill) + ".";
    case BeginDrill::Kind::KillHost:
    case BeginDrill::Kind::CutHost: break;
    }
    return {};
}

bool agreesToDrill(const std::string& question)
{
    Terminal(STDERR_FILENO).print(question + " Go on? [y/N] ");
    const std::string answer = readLine();
    return answer == "y" || answer == "Y" || answer == "yes";
}

} // namespace ringmaster
