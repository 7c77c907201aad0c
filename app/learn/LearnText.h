#pragma once

#include "engine/event/Command.h"
#include "engine/lesson/Questions.h"

#include <QStringList>

namespace ringmaster::app {

/// What the Learn page says of a recording, in the language of the dashboard.
QString word(lesson::Outcome outcome);
QString word(lesson::PeerMessage::Phase phase);
QString word(InjectFault::Kind kind);
QString text(const lesson::Choice& choice);

/// Elements as they are; of many, equal ones that follow each other as one: "2.0 ×16".
QStringList elementTexts(const std::vector<std::string>& elements);
/// "[1.0, 2.0, …]", or a scalar as it is.
QString valueText(const LessonValue& value);
/// "send → rank 1", "wait for isend", "all_reduce SUM"
QString callText(const LessonCall& call);
/// What one step of the recording was: "reaches line 12", "enters recv ← rank 0" …
QString stepText(const LessonStep& step);
/// What follows when nothing else comes: whom the rank waits for.
QString waitText(const lesson::Wait& wait);
QString hazardText(const lesson::Hazard& hazard);
QString outsiderText(const lesson::OutsiderCall& outsider);
QString skippedGroupText(const lesson::Collective& group);
QString otherSizeText(const lesson::PeerMessage& message);
QString wholeTensorRingText(const lesson::WholeTensorRing::Finding& ring);
QString brokenWaitText(const lesson::BrokenWait& broken);
/// "the data type": what Collective::disagreement() says.
QString disagreementWord(const std::string& what);
/// What the members don't agree about, in torch's words.
QString disagreementText(const lesson::Collective& collective);
/// "rank 0 (line 12, send → rank 1) → rank 1 (line 12 …"
QString deadlockText(const lesson::Deadlock& deadlock);
/// "chunk 2, reduce-scatter 1 of 3"
QString chunkText(const LessonChunk& chunk, int ranks);

} // namespace ringmaster::app
