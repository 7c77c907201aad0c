#pragma once

#include "app/bridge/EngineBridge.h"

#include <QObject>

class QWidget;

namespace ringmaster::app {

class Session;

/// Whether the window may close while jobs run: asks first, and ends them first where that is the
/// answer.
class WindowClosing : public QObject
{
public:
    WindowClosing(EngineBridge& bridge, Session& session, QWidget* window);

    /// False: the window stays, and is closed once that may be. `running`: how many jobs run.
    bool mayClose(int running);

private:
    void stopJobsAndClose();
    void closeUnasked();

    EngineBridge& m_bridge;
    Session& m_session;
    QWidget* m_window;
    bool m_isAnswered = false;
};

} // namespace ringmaster::app
