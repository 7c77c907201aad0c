#pragma once

#include <QString>

#include <functional>

class QWidget;

namespace ringmaster::app {

/// What is asked before something that can't be undone.
struct Question
{
    QString objectName{}; ///< For tests.
    QString title{};
    QString text{}; ///< Rich text, shown in bold.
    QString information{};
    QString accept{}; ///< The buttons' words. What isn't destroyed is the default.
    QString keep{};
    QString skip{}; ///< Of a box to tick; empty: none.
};

/// Without blocking. `accepted` hears whether that box was ticked.
void ask(QWidget* parent, const Question& question, std::function<void(bool skips)> accepted);

} // namespace ringmaster::app
