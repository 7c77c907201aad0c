#include "app/main/WindowClosing.h"

#include "app/bridge/MachineBridge.h"
#include "app/main/CloseQuestion.h"
#include "app/main/MessageBoxes.h"
#include "app/main/Session.h"
#include "app/widget/Page.h"
#include "engine/base/Codes.h"

#include <QTimer>
#include <QWidget>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <memory>
#include <utility>

namespace ringmaster::app {

namespace {

constexpr std::chrono::seconds AnswerPatience{10};

} // namespace

WindowClosing::WindowClosing(EngineBridge& bridge, Session& session, QWidget* window)
    : QObject(window), m_bridge(bridge), m_session(session), m_window(window)
{
}

bool WindowClosing::mayClose(const QList<Page*>& pages, int running)
{
    QList<Page*> unsaved;
    std::ranges::copy_if(pages, std::back_inserter(unsaved), &Page::isUnsaved);
    if (!std::exchange(m_isSaved, false) && !m_isAnswered && !unsaved.isEmpty()) {
        saveAndClose(unsaved);
        return false;
    }
    if (m_isAnswered || running == 0 || m_session.onClose() != Session::OnClose::Ask)
        return true;
    askBeforeClosing(m_window, m_session, running, [this](bool stopsJobs) {
        if (stopsJobs)
            stopJobsAndClose();
        else
            closeUnasked();
    });
    return false;
}

/// One question after the other.
void WindowClosing::saveAndClose(const QList<Page*>& unsaved)
{
    if (unsaved.isEmpty()) {
        m_isSaved = true;
        m_window->close();
        return;
    }
    unsaved.front()->whenSaved([this, rest = unsaved.mid(1)] { saveAndClose(rest); });
}

/// Those of this machine. With the window goes what is on its way to agents: it stays until each
/// has heard of its end, and where one of them goes on.
void WindowClosing::stopJobsAndClose()
{
    m_window->setEnabled(false);
    const auto stops = std::make_shared<Stops>();
    for (const RunSummary& run : m_bridge.runs()) {
        // A second one would end at once what saves its last state.
        if (!run.isLive || !machineOf(run.id).isEmpty() || m_stopped.contains(run.id))
            continue;
        ++stops->waiting;
        m_bridge.ask(&Cluster::send, run.id, StopRun{})
            .then(this, [this, stops, id = run.id](const Result<void>& answer) {
                if (answer)
                    m_stopped.insert(id);
                const RunSummary* asked = m_bridge.find(id);
                // One that has ended by itself, or isn't of this machine, needs no stop.
                const bool isRefused = !answer && answer.error().code != code::RunNotRunning;
                if (isRefused && asked != nullptr && asked->isLive)
                    stops->refusal.emplace(QString::fromStdString(asked->shownName()),
                                           answer.error());
                answered(*stops);
            });
    }
    answered(*stops);
    // An agent that doesn't answer won't, however long the window waits.
    QTimer::singleShot(AnswerPatience, this, [this, stops] {
        if (stops->waiting <= 0)
            return;
        stops->waiting = 1;
        answered(*stops);
    });
}

void WindowClosing::answered(Stops& stops)
{
    if (--stops.waiting != 0)
        return;
    if (!stops.refusal)
        return closeUnasked();
    m_window->setEnabled(true);
    showStopFailure(m_window, stops.refusal->first, stops.refusal->second);
}

void WindowClosing::closeUnasked()
{
    m_isAnswered = true;
    m_window->close();
}

} // namespace ringmaster::app
