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

/// What is asked before something goes that isn't saved.
struct SaveQuestion
{
    QString objectName{}; ///< For tests.
    QString title{};
    QString text{}; ///< Shown in bold.
};

/// Without blocking. Neither is called where nothing is to go.
void askToSave(QWidget* parent, const SaveQuestion& question, std::function<void()> save,
               std::function<void()> discard);

} // namespace ringmaster::app
