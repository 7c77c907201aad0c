#pragma once

#include "engine/base/Result.h"

#include <QString>

#include <string>
#include <vector>

namespace ringmaster::app {

/// Arguments as one line of a form, quoted as for a shell; nothing is expanded.
QString lineOf(const std::vector<std::string>& words);
Result<std::vector<std::string>> wordsOf(const QString& line);

} // namespace ringmaster::app
