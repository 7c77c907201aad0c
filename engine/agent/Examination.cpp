#include "engine/agent/Examination.h"

#include <utility>

namespace ringmaster {

void Examination::begin(const Message& why, Ending ending, std::chrono::nanoseconds patience,
                        std::function<void()> then)
{
    if (!m_look || patience.count() <= 0)
        return then();
    m_isOn = true;
    // What an examination before this one says late is about nothing.
    const auto goOn = [this, then = std::move(then), number = ++m_number] {
        if (number == m_number && std::exchange(m_isOn, false))
            then();
    };
    m_limit = m_loop.callAfter(patience, goOn);
    m_look(why, ending, goOn);
}

void Examination::cancel()
{
    m_isOn = false;
    m_limit.cancel();
}

} // namespace ringmaster
