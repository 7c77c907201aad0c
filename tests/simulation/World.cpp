#include "tests/simulation/World.h"

#include <cstdio>

namespace ringmaster::simulation {

World::World(const Scenario& of, bool tracing)
    : scenario(of)
    , isTracing(tracing)
    , chance(of.seed * 0x9e3779b97f4a7c15U + 2)
    , faults(of.seed * 0xd1342543de82ef95U + 3)
{
}

void World::violated(const std::string& what) const
{
    throw Violation{what};
}

void World::write(const char* who, int number, const std::string& text)
{
    char at[32];
    std::snprintf(at, sizeof at, "%9.3f  ", static_cast<double>(time.now() - Second) / 1e9);
    std::string name = who;
    if (number > 0)
        name += " " + std::to_string(number);
    name.resize(10, ' ');
    told += at + name + text + "\n";
}

} // namespace ringmaster::simulation
