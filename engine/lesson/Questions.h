#pragma once

#include "engine/lesson/Choices.h"
#include "engine/lesson/Pack.h"
#include "engine/lesson/Recording.h"

#include <string>
#include <vector>

namespace ringmaster::lesson {

/// A question put to one recording: exactly one of its choices is right.
struct Asked
{
    int rank = -1;         ///< That it is about; -1: all.
    size_t askedAt = 0;    ///< Step up to which the learner has seen what happened.
    size_t answeredAt = 0; ///< First step that shows the answer, and contradicts the others.
    std::vector<Choice> choices{};
    size_t right = 0;
};

/// The answer is computed from the recording alone, so it is right for whatever program was run. An
/// error says why it can't be computed: the line is gone, the run was stopped before, the backend
/// doesn't show it.
Result<Asked> ask(const Question& question, const Recording& recording);

/// What the run came to. Nothing: it was stopped before that could be seen.
std::optional<Outcome> outcomeOf(const Recording& recording);

} // namespace ringmaster::lesson
