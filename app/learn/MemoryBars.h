#pragma once

#include "engine/lesson/Recording.h"

#include <cstdint>
#include <string>
#include <vector>

namespace ringmaster::app {

/// Bytes of the tensors in the variables that a lesson names, a bar a rank. A name stands for all
/// items of a list, too. Pure; `follow()` reads what has come since.
class MemoryBars
{
public:
    struct Part
    {
        std::string name{};
        std::uint64_t bytes = 0;
        bool operator==(const Part&) const = default;
    };
    struct Bar
    {
        std::vector<Part> parts{}; ///< In the order of the names; those that are empty, too.
        std::uint64_t most = 0;    ///< That there has been until now.
        std::uint64_t bytes() const;
    };

    void setNames(std::vector<std::string> names);
    const std::vector<std::string>& names() const { return m_names; }

    /// Null: nothing is recorded.
    void follow(const lesson::Recording* recording);
    /// A bar a rank; empty where nothing is recorded or asked for.
    std::vector<Bar> at(size_t step) const;
    /// Of the whole recording and all ranks.
    std::uint64_t longest() const { return m_longest; }

private:
    Bar barOf(const lesson::RankState& rank) const;

    std::vector<std::string> m_names;
    const lesson::Recording* m_recording = nullptr;
    std::int64_t m_firstAtNs =
        0; ///< Of the recording's first step: another one may have its place.
    std::vector<std::vector<std::uint64_t>> m_most; ///< By step, by rank: until then.
    std::uint64_t m_longest = 0;
};

} // namespace ringmaster::app
