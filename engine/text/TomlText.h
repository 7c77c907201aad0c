#pragma once

#include <string>
#include <string_view>

namespace ringmaster {

/// A text as TOML writes it in one line, with its quotation marks.
std::string tomlText(std::string_view text);

} // namespace ringmaster
