#pragma once

#include "engine/base/Codes.h"
#include "engine/base/Result.h"

#include <atomic>
#include <functional>
#include <memory>

namespace ringmaster {

/// An answer that is given exactly once: whoever drops the last copy without having answered
/// answers code::Cancelled.
template <class T>
class Once
{
public:
    Once(std::function<void(Result<T>)> answer, std::string what)
        : m_state(std::make_shared<State>(std::move(answer), std::move(what)))
    {
    }

    void operator()(Result<T> result) const { m_state->give(std::move(result)); }

private:
    struct State
    {
        State(std::function<void(Result<T>)> call, std::string text)
            : answer(std::move(call)), what(std::move(text))
        {
        }
        State(const State&) = delete;
        State& operator=(const State&) = delete;
        ~State() { give(fail(code::Cancelled, {{"what", what}})); }

        void give(Result<T> result)
        {
            if (!isGiven.exchange(true))
                answer(std::move(result));
        }

        std::function<void(Result<T>)> answer;
        std::string what;
        std::atomic<bool> isGiven = false;
    };

    std::shared_ptr<State> m_state;
};

} // namespace ringmaster
