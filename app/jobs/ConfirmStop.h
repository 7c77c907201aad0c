#pragma once

#include <QString>

#include <chrono>
#include <functional>
#include <optional>

class QWidget;

namespace ringmaster::app {

/// What a stop would end.
struct StopQuestion
{
    QString job{};
    int ranks = 0;
    std::int64_t durationNs = 0;                     ///< For which it has run.
    std::optional<std::chrono::nanoseconds> grace{}; ///< Nothing: not known.
};

/// Asks before a running job is stopped, which can't be undone: says what is lost. Doesn't block;
/// `confirmed` is called at once where the user doesn't want to be asked.
void confirmStop(QWidget* parent, const StopQuestion& question, std::function<void()> confirmed);

} // namespace ringmaster::app
