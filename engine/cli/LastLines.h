#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <utility>

namespace ringmaster {

/// Hands lines on. Where only the last ones are wanted, it holds lines back until it is told that
/// these are the last.
template <class Line>
class LastLines
{
public:
    using Print = std::function<void(const Line&)>;

    /// `most`: how many are wanted; nothing: all.
    LastLines(std::optional<size_t> most, Print print) : m_most(most), m_print(std::move(print)) {}

    void take(Line line)
    {
        if (!m_most)
            return m_print(line);
        m_held.push_back(std::move(line));
        if (m_held.size() > *m_most)
            m_held.pop_front();
    }

    /// Those that are held; what comes from now on is handed on at once.
    void release()
    {
        m_most.reset();
        for (const Line& line : std::exchange(m_held, {}))
            m_print(line);
    }

private:
    std::optional<size_t> m_most;
    Print m_print;
    std::deque<Line> m_held;
};

} // namespace ringmaster
