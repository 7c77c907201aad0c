#pragma once

#include "engine/event/Event.h"

#include <QString>

namespace ringmaster::app {

/// An event as a row: what kind it is, whom it is about (-1: the run), how serious, and a sentence.
struct EventText
{
    QString kind{};
    int globalRank = -1;
    Notice::Severity severity = Notice::Severity::Info;
    QString sentence{};
};

EventText describeEvent(const Event& event);
/// Samples aren't worth a row.
bool isListed(const Event& event);

} // namespace ringmaster::app
