#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace ringmaster::app {

/// Asks before a running job is stopped, which can't be undone: says what is lost. Doesn't block;
/// `confirmed` is called at once where the user doesn't want to be asked.
void confirmStop(QWidget* parent, const QString& job, int ranks, std::int64_t durationNs,
                 std::function<void()> confirmed);

} // namespace ringmaster::app
