#pragma once

#include "engine/base/Result.h"

#include <QString>

#include <map>
#include <string>
#include <vector>

namespace ringmaster::app {

/// Arguments as one line of a form, quoted as for a shell; nothing is expanded.
QString lineOf(const std::vector<std::string>& words);
Result<std::vector<std::string>> wordsOf(const QString& line);

/// Variables as NAME=value lines. Lines that aren't one are left out and counted in `wrongLines`.
QString linesOf(const std::map<std::string, std::string>& variables);
std::map<std::string, std::string> variablesOf(const QString& lines, int* wrongLines = nullptr);

} // namespace ringmaster::app
