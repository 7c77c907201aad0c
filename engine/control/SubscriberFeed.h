#pragma once

#include "engine/base/EventLoop.h"
#include "engine/control/EventHistory.h"
#include "engine/control/RecordingReads.h"

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
    /// `reads` outlives this. `patience`: for a run file that lags behind.
    SubscriberFeed(EventLoop& loop, RecordingReads& reads, size_t eventsInMemory,
                   std::chrono::milliseconds patience)
        : m_loop(loop), m_reads(reads), m_patience(patience), m_history(eventsInMemory)
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
    /// Nothing can be sent any more, and no loop runs: those who still wait for the run file.
    void letAllGo();

private:
    /// One that needs what the run file doesn't have yet.
    struct Wait
    {
        std::chrono::steady_clock::time_point since{};
        EventLoop::Registration retry{};
    };

    void feedAll();
    void feedFromRecording(SubscribeCall& subscriber);
    void waitForRecording(SubscribeCall& subscriber, bool isLastRead);

    EventLoop& m_loop;
    RecordingReads& m_reads;
    const std::chrono::milliseconds m_patience;
    EventHistory m_history;
    std::set<SubscribeCall*> m_subscribers;
    std::set<SubscribeCall*> m_reading; ///< The run file is being read for them.
    std::map<SubscribeCall*, Wait> m_waiting;
    bool m_isEnding = false;
};

} // namespace ringmaster
