#pragma once

#include "engine/base/Clock.h"

#include <functional>
#include <string>
#include <string_view>

namespace ringmaster {

/// Lines for the agent's standard error in the shape of torchrun's own log: level, date, time, pid
/// and place before every line of the message.
class AgentConsole
{
public:
    using Print = std::function<void(std::string_view)>;

    AgentConsole(const Clock& clock, Print print) : m_clock(clock), m_print(std::move(print)) {}

    void warning(std::string_view text) { line('W', text); }
    void error(std::string_view text) { line('E', text); }
    void plain(std::string_view text) { m_print(text); }

private:
    void line(char level, std::string_view text);

    const Clock& m_clock;
    Print m_print;
};

} // namespace ringmaster
