#pragma once

#include "engine/control/Cluster.h"
#include "engine/control/Gate.h"

#include <list>
#include <memory>
#include <mutex>

namespace ringmaster {

/// Those who want to be told of something, each as long as its Subscription lives.
class Listeners
{
public:
    Subscription add(std::function<void()> call)
    {
        auto listener = std::make_shared<Listener>();
        listener->call = std::move(call);
        const std::lock_guard lock(m_mutex);
        m_listeners.push_back(listener);
        return Subscription([listener] {
            listener->gate.close();
            listener->isGone = true;
        });
    }

    void tell()
    {
        std::list<std::shared_ptr<Listener>> listeners;
        {
            const std::lock_guard lock(m_mutex);
            m_listeners.remove_if([](const auto& listener) { return listener->isGone.load(); });
            listeners = m_listeners;
        }
        for (const auto& listener : listeners)
            listener->gate.pass(listener->call);
    }

private:
    struct Listener
    {
        Gate gate;
        std::function<void()> call;
        std::atomic<bool> isGone = false;
    };

    std::mutex m_mutex;
    std::list<std::shared_ptr<Listener>> m_listeners;
};

} // namespace ringmaster
