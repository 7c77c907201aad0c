#include "tests/simulation/Shrinking.h"

#include "tests/simulation/Run.h"

#include <algorithm>
#include <vector>

namespace ringmaster::simulation {
namespace {

std::string withoutNumbers(std::string text)
{
    std::erase_if(text, [](char character) { return character >= '0' && character <= '9'; });
    return text;
}

/// Each is smaller by one thing.
std::vector<Scenario> smallerOnes(const Scenario& scenario)
{
    std::vector<Scenario> smaller;
    const auto addIf = [&](bool isSmaller, const auto& change) {
        if (!isSmaller)
            return;
        smaller.push_back(scenario);
        change(smaller.back());
    };
    for (size_t fault = 0; fault < scenario.faults.size(); ++fault)
        addIf(scenario.faults[fault], [&](Scenario& one) { one.faults[fault] = false; });
    for (int incident = 0; incident < scenario.incidents; ++incident)
        addIf(!scenario.leftOut.contains(incident),
              [&](Scenario& one) { one.leftOut.insert(incident); });
    addIf(scenario.hosts > 1, [](Scenario& one) {
        --one.hosts;
        one.max = std::min(one.max, one.hosts);
        one.min = std::min(one.min, one.max);
    });
    addIf(scenario.workers > 1, [](Scenario& one) { one.workers = 1; });
    addIf(scenario.maxRestarts > 0, [](Scenario& one) { --one.maxRestarts; });
    addIf(scenario.isCoupled, [](Scenario& one) { one.isCoupled = false; });
    addIf(scenario.prepares, [](Scenario& one) { one.prepares = false; });
    addIf(scenario.restartDelay > 0, [](Scenario& one) { one.restartDelay = 0; });
    addIf(scenario.delay > Millisecond, [](Scenario& one) { one.delay = Millisecond; });
    return smaller;
}

} // namespace

Scenario shrunk(Scenario scenario, const std::string& violation)
{
    const std::string same = withoutNumbers(violation);
    for (bool isSmaller = true; isSmaller;) {
        isSmaller = false;
        for (Scenario& one : smallerOnes(scenario)) {
            if (withoutNumbers(simulate(one, false).violation) != same)
                continue;
            scenario = std::move(one);
            isSmaller = true;
            break;
        }
    }
    return scenario;
}

} // namespace ringmaster::simulation
