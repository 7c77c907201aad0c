#include "app/learn/MotionMenu.h"

#include "app/widget/Translated.h"

#include <QActionGroup>

namespace ringmaster::app {

namespace {

constexpr int Usual = 300;
constexpr int Choices[] = {-1, 0, 150, Usual, 600, 1200};

} // namespace

MotionMenu::MotionMenu(QWidget* parent) : QMenu(parent), m_actions(new QActionGroup(this))
{
    for (const int choice : Choices) {
        QAction* action = addAction(QString());
        action->setCheckable(true);
        action->setData(choice);
        action->setChecked(choice == m_choice);
        m_actions->addAction(action);
        connect(action, &QAction::triggered, this, [this, choice] { choose(choice); });
    }
    connect(&m_desktop, &DesktopMotion::changed, this, &MotionMenu::changed);
    translated(this, [this] { setTexts(); });
}

std::chrono::milliseconds MotionMenu::stepTime() const
{
    if (m_choice >= 0)
        return std::chrono::milliseconds(m_choice);
    return std::chrono::milliseconds(m_desktop.isWanted() ? Usual : 0);
}

void MotionMenu::choose(int choice)
{
    for (QAction* action : m_actions->actions()) {
        if (action->data().toInt() != choice)
            continue;
        action->setChecked(true);
        m_choice = choice;
        Q_EMIT changed();
    }
}

void MotionMenu::setTexts()
{
    setTitle(tr("Motion"));
    setToolTip(tr("How long what happens with a step is shown on its way"));
    for (QAction* action : m_actions->actions()) {
        const int choice = action->data().toInt();
        action->setText(choice < 0    ? tr("As the desktop wants it")
                        : choice == 0 ? tr("Off")
                                      : tr("%1 s a step").arg(choice / 1000.0));
    }
}

} // namespace ringmaster::app
