#pragma once

#include "app/widget/DesktopMotion.h"

#include <QMenu>

#include <chrono>

class QActionGroup;

namespace ringmaster::app {

/// How long a step of a lesson is shown as it happens: what the reader chooses, or as long as the
/// desktop wants animations at all.
class MotionMenu : public QMenu
{
    Q_OBJECT

public:
    explicit MotionMenu(QWidget* parent = nullptr);

    std::chrono::milliseconds stepTime() const;
    /// Milliseconds; negative: as the desktop wants it.
    int choice() const { return m_choice; }
    void choose(int choice);
    DesktopMotion& desktop() { return m_desktop; }

Q_SIGNALS:
    void changed();

private:
    void setTexts();

    DesktopMotion m_desktop;
    QActionGroup* m_actions;
    int m_choice = -1;
};

} // namespace ringmaster::app
