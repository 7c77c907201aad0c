#pragma once

#include "app/bridge/EngineBridge.h"

#include <QObject>

namespace ringmaster::app {

/// Fetches what runs had been asked to do: the first event of each.
class RunJobs : public QObject
{
    Q_OBJECT

public:
    explicit RunJobs(EngineBridge& bridge, QObject* parent = nullptr);

    /// Calls `reply` once: with an empty answer where the run has no event, with the reason where
    /// it can't be read.
    void fetch(const std::string& run, const EngineBridge::Reply<RunStarted>& reply);

private:
    EngineBridge& m_bridge;
};

} // namespace ringmaster::app
