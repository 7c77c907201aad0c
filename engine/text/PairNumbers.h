#pragma once

#include "engine/text/NumberList.h"

namespace ringmaster {

/// The numbers of an object of JSON or a dict of Python that stands in the text, whatever they are
/// called, where one of them at least has a name that isNumberName() knows. Answers where the
/// object begins; npos: nothing was found.
size_t readPairNumbers(std::string_view text, NumberList& numbers);

} // namespace ringmaster
