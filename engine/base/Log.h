#pragma once

#include <filesystem>
#include <string_view>

namespace ringmaster {
class Console;
}

namespace ringmaster::log {

/// What Ringmaster says about itself, one category a folder. Never a worker's output, never an
/// environment's values.
enum class Level { Debug, Info, Warning, Error };

/// Until this is called messages of Warning and above go to standard error. Thread-safe afterwards.
void toFile(const std::filesystem::path& path, Level level = Level::Info);
void toStandardError(Level level);
/// Until another is chosen; the console is there as long.
void toConsole(Console& console, Level level = Level::Warning);

void write(Level level, std::string_view category, std::string_view text);

inline void debug(std::string_view category, std::string_view text)
{
    write(Level::Debug, category, text);
}
inline void info(std::string_view category, std::string_view text)
{
    write(Level::Info, category, text);
}
inline void warning(std::string_view category, std::string_view text)
{
    write(Level::Warning, category, text);
}
inline void error(std::string_view category, std::string_view text)
{
    write(Level::Error, category, text);
}

} // namespace ringmaster::log
