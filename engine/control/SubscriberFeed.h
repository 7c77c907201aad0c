#pragma once

#include "engine/base/EventLoop.h"
#include "engine/control/ControlServer.h"
#include "engine/control/EventHistory.h"

#include <chrono>
#include <cstddef>
#include <map>
#include <set>

namespace ringmaster {

class SubscribeCall;

/// Brings a run's events to those who follow it, each at its own pace: from memory, or from the run
/// file where one has fallen behind that. Lives on the server's loop.
class SubscriberFeed
{
public:
    /// The recording outlives this. `patience`: for a run file that lags behind.
    SubscriberFeed(EventLoop& loop, ControlServer::Recording& recording, size_t eventsInMemory,
                   std::chrono::milliseconds patience)
        : m_loop(loop), m_recording(recording), m_patience(patience), m_history(eventsInMemory)
    {
    }

    void append(const Event& event);
    void add(SubscribeCall& subscriber) { m_subscribers.insert(&subscriber); }
    void remove(SubscribeCall& subscriber);
    size_t subscribers() const { return m_subscribers.size(); }
    /// The next batch, if it has taken the last one.
    void feed(SubscribeCall& subscriber);
    /// There are no more events: whoever has all of them is told so.
    void end();

private:
    /// One that needs what the run file doesn't have yet.
    struct Wait
    {
        std::chrono::steady_clock::time_point since{};
        EventLoop::Registration retry{};
    };

    void feedAll();
    void feedFromRecording(SubscribeCall& subscriber);
    void waitForRecording(SubscribeCall& subscriber);

    EventLoop& m_loop;
    ControlServer::Recording& m_recording;
    const std::chrono::milliseconds m_patience;
    EventHistory m_history;
    std::set<SubscribeCall*> m_subscribers;
    std::map<SubscribeCall*, Wait> m_waiting;
    bool m_isEnding = false;
};

} // namespace ringmaster
