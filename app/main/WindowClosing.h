#pragma once

#include "app/bridge/EngineBridge.h"

#include <QObject>

#include <optional>
#include <set>
#include <string>
#include <utility>

class QWidget;

namespace ringmaster::app {

class Page;
class Session;

/// Whether the window may close while something isn't saved, or jobs run: asks first, and saves or
/// ends them first where that is the answer.
class WindowClosing : public QObject
{
public:
    WindowClosing(EngineBridge& bridge, Session& session, QWidget* window);

    /// False: the window stays, and is closed once that may be. `running`: how many jobs run.
    bool mayClose(const QList<Page*>& pages, int running);

private:
    /// What is asked of the jobs, as far as it is answered.
    struct Stops
    {
        int waiting = 1;                                    ///< One more until all are asked.
        std::optional<std::pair<QString, Error>> refusal{}; ///< The job's name, and why.
    };

    void saveAndClose(const QList<Page*>& unsaved);
    void stopJobsAndClose();
    void answered(Stops& stops);
    void closeUnasked();

    EngineBridge& m_bridge;
    Session& m_session;
    QWidget* m_window;
    std::set<std::string> m_stopped; ///< Runs that have heard of their end.
    bool m_isSaved = false;          ///< Or given up: not asked once more on the way.
    bool m_isAnswered = false;
};

} // namespace ringmaster::app
