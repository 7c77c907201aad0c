#pragma once

#include "app/model/AttemptChoice.h"
#include "app/model/RunModel.h"
#include "app/model/TimeSpan.h"

namespace ringmaster::app {

/// A run as somebody looks at it: what is known of it, and which span of its time and which of its
/// attempts all panels show.
struct RunView
{
    explicit RunView(const std::string& name, QObject* parent = nullptr)
        : run(name), span(run, parent)
    {
    }

    RunModel run;
    TimeSpan span;
    AttemptChoice attempts{run};
};

} // namespace ringmaster::app
