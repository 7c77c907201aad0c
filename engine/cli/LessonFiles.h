#pragma once

#include <string>
#include <vector>

namespace ringmaster {

/// `lesson make`: writes a lesson of a recorded run; `output`: empty is NAME.ringlesson. These
/// return exit codes.
int makeLessonOf(const std::string& run, const std::string& output);

/// `lesson answers`: what a learner has answered; `output`: empty is standard output.
int writeAnswers(const std::string& learner, const std::string& output);

/// `lesson sheet`: files of answers as one table.
enum class SheetForm { AsTable, AsCsv, AsJson };
int printSheet(const std::vector<std::string>& files, SheetForm form);

} // namespace ringmaster
