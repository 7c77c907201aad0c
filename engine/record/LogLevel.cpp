#include "engine/record/LogAssembler.h"

#include <algorithm>
#include <cctype>

namespace ringmaster {

namespace {

/// Levels stand near the beginning; further on the words belong to what is said.
constexpr size_t SearchedBytes = 160;

bool isWordByte(char byte)
{
    return (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
           (byte >= '0' && byte <= '9') || byte == '_' || byte == '.';
}

bool isDigits(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char byte) {
        return std::isdigit(static_cast<unsigned char>(byte)) != 0;
    });
}

/// "[rank0]: ", "[default3]:" and the like, which torch and torchrun put before a line.
std::string_view withoutPrefixes(std::string_view line)
{
    for (;;) {
        while (line.starts_with(' '))
            line.remove_prefix(1);
        const size_t close = line.find(']');
        if (!line.starts_with('[') || close == std::string_view::npos ||
            !line.substr(close + 1).starts_with(':'))
            return line;
        line.remove_prefix(close + 2);
    }
}

/// glog and torch: the level's letter, month and day, the time: "W1121 08:00:35.123 …".
LogLevel glogLevel(std::string_view line)
{
    if (line.size() < 9 || !isDigits(line.substr(1, 4)) || line[5] != ' ' ||
        !isDigits(line.substr(6, 2)) || line[8] != ':')
        return LogLevel::Info;
    switch (line.front()) {
    case 'E':
    case 'F': return LogLevel::Error;
    case 'W': return LogLevel::Warning;
    }
    return LogLevel::Info;
}

/// `isFirst`: at the line's beginning, or after "something: " as compilers write it.
LogLevel levelOfWord(std::string_view word, bool isFirst, bool isBeforeColon, bool isLast)
{
    if (word == "ERROR" || word == "CRITICAL" || word == "FATAL")
        return LogLevel::Error;
    if (word == "WARNING" || word == "WARN")
        return LogLevel::Warning;
    const bool isHeading = isFirst && isBeforeColon;
    if (isHeading && (word == "error" || word == "fatal" || word == "Error"))
        return LogLevel::Error;
    if (isFirst && (isBeforeColon || isLast) &&
        (word.ends_with("Error") || word.ends_with("Exception") || word == "KeyboardInterrupt"))
        return LogLevel::Error;
    if (isBeforeColon && (word.ends_with("Warning") || (isFirst && word == "warning")))
        return LogLevel::Warning;
    return LogLevel::Info;
}

} // namespace

LogLevel guessLevel(std::string_view line)
{
    line = withoutPrefixes(line);
    if (line.starts_with("Traceback (most recent call last)"))
        return LogLevel::Error;
    LogLevel level = glogLevel(line);
    const std::string_view searched = line.substr(0, SearchedBytes);
    bool isFirst = true;
    for (size_t at = 0; at < searched.size();) {
        if (!isWordByte(searched[at])) {
            isFirst = searched.substr(at).starts_with(": ") || (isFirst && searched[at] == ' ');
            at += isFirst && searched[at] == ':' ? 2 : 1;
            continue;
        }
        size_t end = at;
        while (end < searched.size() && isWordByte(searched[end]))
            ++end;
        level = std::max(level, levelOfWord(searched.substr(at, end - at), isFirst,
                                            line.substr(end).starts_with(':'), end == line.size()));
        isFirst = false;
        at = end;
    }
    return level;
}

} // namespace ringmaster
