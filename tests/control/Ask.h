#pragma once

#include "engine/base/Result.h"

#include <future>
#include <utility>

/// Waits for the answer to a question that is answered on another thread.
template <class T, class Ask>
ringmaster::Result<T> ask(const Ask& question)
{
    std::promise<ringmaster::Result<T>> promise;
    question([&](ringmaster::Result<T> result) { promise.set_value(std::move(result)); });
    return promise.get_future().get();
}
