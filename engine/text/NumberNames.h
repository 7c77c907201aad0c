#pragma once

#include <string>
#include <string_view>

namespace ringmaster {

/// "train_loss", "val/acc@1", "learning_rate": numbers of that name are of a training, whatever
/// line says them. In lower case.
bool isNumberName(std::string_view name);

/// The same of a name that stands before its number without a sign between them: "loss 0.31". Each
/// part of it must be known.
bool isPlainNumberName(std::string_view name);

/// step, epoch, iteration and the like: what counts up to a total.
bool isCounterName(std::string_view name);

/// "train", "average": a word before a name that belongs to it.
bool isNumberQualifier(std::string_view word);

/// What stands beside such numbers and is none: a time, a process, a rank, a version.
bool isNoNumberName(std::string_view name);

/// In lower case; empty where it can't be a name: too long, or not of plain characters.
std::string numberName(std::string_view text);

} // namespace ringmaster
