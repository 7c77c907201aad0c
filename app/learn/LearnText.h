#pragma once

#include "engine/event/Command.h"
#include "engine/lesson/Questions.h"

#include <QString>

namespace ringmaster::app {

/// What the Learn page says of a recording, in the language of the dashboard.
QString word(lesson::Outcome outcome);
QString word(lesson::PeerMessage::Phase phase);
QString word(InjectFault::Kind kind);
QString text(const lesson::Choice& choice);

/// "[1.0, 2.0, …]", or a scalar as it is.
QString valueText(const LessonValue& value);
/// "send → rank 1", "wait for isend", "all_reduce SUM"
QString callText(const LessonCall& call);
/// What one step of the recording was: "reaches line 12", "enters recv ← rank 0" …
QString stepText(const LessonStep& step);
/// What follows when nothing else comes: whom the rank waits for.
QString waitText(const lesson::Wait& wait);
QString hazardText(const lesson::Hazard& hazard);
/// What the members don't agree about, in torch's words.
QString disagreementText(const lesson::Collective& collective);
/// "rank 0 (line 12) waits for rank 1 (line 12) …"
QString deadlockText(const lesson::Deadlock& deadlock);

} // namespace ringmaster::app
