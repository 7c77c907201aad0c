#include "engine/text/TomlText.h"

#include <array>
#include <cstdio>

namespace ringmaster {

std::string tomlText(std::string_view text)
{
    std::string result = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        std::array<char, 8> escape{};
        if (c == '"' || c == '\\')
            result += std::string("\\") + c;
        else if (c == '\n' || c == '\t')
            result += c == '\n' ? "\\n" : "\\t";
        else if (byte < 0x20 || byte == 0x7F)
            result.append(escape.data(), static_cast<size_t>(std::snprintf(
                                             escape.data(), escape.size(), "\\u%04X", byte)));
        else
            result += c;
    }
    return result + "\"";
}

} // namespace ringmaster
