#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace ringmaster {

/// int(text) of Python for what fits an int: surrounding blanks, a sign and single underscores
/// between digits are fine.
std::optional<int> pythonInt(std::string_view text);
/// Of digits alone, `most` of them at the most.
std::optional<int> digitsToInt(std::string_view text, size_t most);

/// float(text) of Python, finite values only.
std::optional<double> pythonFloat(std::string_view text);

/// repr(text) of Python: the quotes and escapes that argparse's messages have.
std::string pythonRepr(std::string_view text);

/// text.strip() of Python for ASCII blanks.
std::string_view stripped(std::string_view text);

/// text.split(separator) of Python: never empty, "" gives one empty item.
std::vector<std::string> split(std::string_view text, char separator);

/// Valid UTF-8 without surrogates, as TOML and JSON need it.
bool isUtf8(std::string_view text);

std::string join(const std::vector<std::string>& items, std::string_view separator);

/// string.Template(text).safe_substitute(…): `$$`, `$name`, `${name}`; whatever `lookup` doesn't
/// know stays as it is.
std::string
substituteTemplate(std::string_view text,
                   const std::function<std::optional<std::string>(std::string_view)>& lookup);

} // namespace ringmaster
