#pragma once

#include "engine/worker/ErrorFile.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace ringmaster {

/// The last failure that a standard error tells of: a Python traceback (torch's "[rank3]:" before
/// each line is taken off), a fatal error of the interpreter, or a C++ exception that nobody
/// caught. Bounded, and content to find nothing.
std::optional<ErrorReport> lastTraceback(std::string_view standardError);

/// "ValueError: text" → {"ValueError", "text"}; without a type the whole is the text.
std::pair<std::string, std::string> splitException(std::string_view line);

/// Fills in file and line from the last frame of the report's traceback.
void locate(ErrorReport& report);

/// c10 (torch's C++) appends the C++ stack to a message: it goes from the text, and becomes the
/// traceback where there is none. A text that is nothing else stays.
void setNativeStackApart(ErrorReport& report);

/// The end of a text that is too long, cut at a line.
std::string boundedEnd(std::string_view text, std::size_t limit);

/// True for what a worker says when it lost a peer or waited for one in vain (gloo, NCCL,
/// TCPStore): something else failed first. A broken connection of the program's own isn't one.
bool isConsequence(const ErrorReport& report);

} // namespace ringmaster
