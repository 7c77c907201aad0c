#pragma once

#include <string>
#include <string_view>

namespace ringmaster {

/// What --print-completion prints: shell code that completes torchrun's options, their values and
/// files. `shell` is bash, zsh or tcsh.
std::string torchrunCompletion(std::string_view shell);

} // namespace ringmaster
