#pragma once

#include "app/bridge/EngineBridge.h"

#include <QObject>

namespace ringmaster::app {

/// Fetches what finished runs had been asked to do: the first event of each.
class RunJobs : public QObject
{
    Q_OBJECT

public:
    using Reply = std::function<void(std::vector<RunStarted>)>;

    explicit RunJobs(EngineBridge& bridge, QObject* parent = nullptr);

    /// Calls `reply` once, with one entry a run in the same order; not at all for a run without any
    /// event.
    void fetch(const std::vector<std::string>& runs, Reply reply);

private:
    EngineBridge& m_bridge;
};

} // namespace ringmaster::app
