#pragma once

#include "engine/lesson/Pack.h"
#include "engine/text/Finding.h"

#include <string>
#include <vector>

namespace ringmaster::lesson {

/// Of a place in a text, from 1 on.
int lineAt(const std::string& text, size_t at);

/// Whether this Python takes a lesson's program at all; nothing of it is executed. Without an
/// interpreter nobody knows. `packText`: of the lesson's file, in whose lines the program may
/// stand; the line of a program in a file of its own is in the message alone. Blocks.
std::vector<Finding> problemsOfProgram(const Pack& pack, const std::string& packText,
                                       const std::string& interpreter);

} // namespace ringmaster::lesson
