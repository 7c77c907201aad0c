#include "engine/cli/Text.h"

#include <array>
#include <cstdio>
#include <ctime>

namespace ringmaster {

namespace {

std::string decimal(const char* format, double value)
{
    std::array<char, 64> text{};
    (void)std::snprintf(text.data(), text.size(), format, value); // always fits
    return text.data();
}

bool isCharacterStart(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xc0U) != 0x80U;
}

} // namespace

std::string durationText(std::int64_t nanoseconds)
{
    const double seconds = static_cast<double>(nanoseconds) / 1e9;
    if (seconds < 10)
        return decimal("%.2f s", seconds);
    const auto whole = nanoseconds / 1'000'000'000;
    if (whole < 60)
        return std::to_string(whole) + " s";
    if (whole < 3600)
        return std::to_string(whole / 60) + " min " + std::to_string(whole % 60) + " s";
    return std::to_string(whole / 3600) + " h " + std::to_string(whole % 3600 / 60) + " min";
}

std::string sizeText(std::uint64_t bytes)
{
    if (bytes < 1024)
        return std::to_string(bytes) + " B";
    double value = static_cast<double>(bytes) / 1024;
    for (const char* unit : {"%.1f KiB", "%.1f MiB", "%.1f GiB"}) {
        if (value < 1024)
            return decimal(unit, value);
        value /= 1024;
    }
    return decimal("%.1f TiB", value);
}

std::string timeText(std::int64_t wallNs)
{
    if (wallNs == 0)
        return "";
    const std::time_t seconds = wallNs / 1'000'000'000;
    std::tm local{};
    ::localtime_r(&seconds, &local);
    std::array<char, 32> text{};
    (void)std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local); // always fits
    return text.data();
}

std::string counted(size_t count, std::string_view noun)
{
    return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

std::string padded(std::string_view text, size_t columns)
{
    std::string result;
    size_t used = 0;
    for (const char byte : text) {
        if (isCharacterStart(byte) && used++ == columns)
            return result;
        result += byte;
    }
    return used < columns ? result + std::string(columns - used, ' ') : result;
}

} // namespace ringmaster
