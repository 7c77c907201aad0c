#pragma once

#include <cstdint>

namespace ringmaster::simulation {

/// The same numbers from the same seed on every machine and with every library (splitmix64).
class Random
{
public:
    explicit Random(std::uint64_t seed) : m_state(seed) {}

    std::uint64_t next()
    {
        std::uint64_t mixed = (m_state += 0x9e3779b97f4a7c15U);
        mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
        return mixed ^ (mixed >> 31U);
    }

    /// Both ends included.
    std::int64_t between(std::int64_t least, std::int64_t most)
    {
        return least +
               static_cast<std::int64_t>(next() % static_cast<std::uint64_t>(most - least + 1));
    }

    bool chance(int percent) { return between(1, 100) <= percent; }

    /// One that another part of the simulation may use up without changing this one's numbers.
    Random branch() { return Random(next()); }

private:
    std::uint64_t m_state;
};

} // namespace ringmaster::simulation
