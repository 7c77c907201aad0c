#include "engine/text/CsvCell.h"

namespace ringmaster {

std::string csvCell(std::string_view text)
{
    std::string cell = text.find_first_of("=+-@\t\r") == 0 ? "'" : "";
    cell += text;
    if (cell.find_first_of(",\"\r\n") == std::string::npos)
        return cell;
    std::string quoted = "\"";
    for (const char c : cell)
        quoted += c == '"' ? std::string(2, c) : std::string(1, c);
    return quoted + "\"";
}

} // namespace ringmaster
