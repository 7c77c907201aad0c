#pragma once

#include "engine/event/Event.h"

namespace ringmaster {

/// Turns facts into events: numbers them from 1 without a gap and says whose they are.
class EventNumbering
{
public:
    struct Origin
    {
        std::string run{};
        std::string agent{};
        std::string node{};  ///< Name of the machine, as it is shown.
        std::string clock{}; ///< clockId()
    };

    /// `last`: of a process that numbered before as the same agent.
    explicit EventNumbering(Origin origin, std::uint64_t last = 0)
        : m_origin(std::move(origin)), m_last(last)
    {
    }

    Event next(EventBody body, const Moment& at)
    {
        return {.id = {m_origin.run, m_origin.agent, ++m_last},
                .at = at,
                .node = m_origin.node,
                .clock = m_origin.clock,
                .body = std::move(body)};
    }

    std::uint64_t last() const { return m_last; }

private:
    Origin m_origin;
    std::uint64_t m_last;
};

} // namespace ringmaster
