#include "engine/cli/WarmStarters.h"

#include "engine/cli/Codes.h"
#include "engine/cli/Json.h"
#include "engine/cli/Terminal.h"
#include "engine/cli/Text.h"
#include "engine/worker/warm/StarterList.h"

#include <unistd.h>

namespace ringmaster {

using namespace std::chrono_literals;

namespace {

constexpr auto Patience = 500ms;
constexpr auto PatienceWithImports = 20s;

std::string spanText(std::chrono::seconds span)
{
    return durationText(std::chrono::nanoseconds(span).count());
}

Json asJson(const StarterState& state)
{
    return {{"pid", state.pid},
            {"interpreter", state.interpreter},
            {"torch", state.torch},
            {"modules", state.modules},
            {"left_out", state.leftOut},
            {"age_s", state.age.count()},
            {"idle_s", state.idle.count()},
            {"longest_idle_s", state.longestIdle.count()},
            {"memory_bytes", state.memory},
            {"runs", state.runs}};
}

/// What keeps it, or how long nothing has.
std::string useOf(const StarterState& state)
{
    if (state.runs.empty())
        return "idle for " + spanText(state.idle) + " of " + spanText(state.longestIdle);
    std::string runs;
    for (const std::string& run : state.runs)
        runs += (runs.empty() ? "" : ", ") + run;
    return runs;
}

std::string rowOf(const StarterState& state)
{
    if (state.pid <= 0)
        return padded("-", 9) + "is importing\n";
    return padded(std::to_string(state.pid), 9) + padded(state.torch, 16) +
           padded(std::to_string(state.modules), 9) +
           padded(sizeText(static_cast<std::uint64_t>(state.memory)), 12) +
           padded(spanText(state.age), 14) + padded(state.interpreter, state.interpreter.size()) +
           "  " + useOf(state) + "\n";
}

int noStarters()
{
    Terminal(STDERR_FILENO).print(describe(Message{code::NoWarmStarters, {}, {}}) + "\n");
    return 0;
}

} // namespace

int printWarmStarters(bool isJson)
{
    const auto states = listStarters(Patience);
    if (!states)
        return complain(states.error());
    const Terminal out(STDOUT_FILENO);
    if (isJson) {
        Json list = Json::array();
        for (const StarterState& state : *states)
            list.push_back(asJson(state));
        out.print(dump(list));
        return 0;
    }
    if (states->empty())
        return noStarters();
    std::string text = out.styled(padded("PID", 9) + padded("TORCH", 16) + padded("MODULES", 9) +
                                      padded("MEMORY", 12) + padded("AGE", 14) + "INTERPRETER, USE",
                                  Terminal::Style::Bold) +
                       "\n";
    for (const StarterState& state : *states)
        text += rowOf(state);
    out.print(text);
    return 0;
}

int stopWarmStarters()
{
    const auto ended = endStarters(PatienceWithImports);
    if (!ended)
        return complain(ended.error());
    if (*ended == 0)
        return noStarters();
    Terminal(STDERR_FILENO)
        .print("Ended " + counted(static_cast<size_t>(*ended), "warm starter") +
               "; runs that were forked go on\n");
    return 0;
}

} // namespace ringmaster
