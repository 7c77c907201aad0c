#pragma once

#include "app/bridge/EngineBridge.h"

#include <QToolButton>

class QMenu;

namespace ringmaster::app {

/// What a job may begin with, instead of an empty form: an example, or a job that ran before.
class StartFromButton : public QToolButton
{
    Q_OBJECT

public:
    static constexpr size_t MostRecent = 8;

    explicit StartFromButton(EngineBridge& bridge, QWidget* parent = nullptr);

Q_SIGNALS:
    /// By the name of its file.
    void exampleChosen(const QString& name);
    void runChosen(const QString& run);

private:
    /// Its list is made anew each time that it is opened.
    void fill();
    void addRecent();

    EngineBridge& m_bridge;
    QMenu* m_menu;
};

} // namespace ringmaster::app
