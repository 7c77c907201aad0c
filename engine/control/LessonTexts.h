#pragma once

#include "engine/lesson/Pack.h"

#include <string>

namespace ringmaster {

/// Title, text and the question of a lesson of a recorded job, in both languages; a teacher may
/// change them in its file. `name`: the job's.
void addTexts(lesson::Pack& pack, const std::string& name, const lesson::RecordedJob& job);

} // namespace ringmaster
