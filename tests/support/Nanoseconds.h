#pragma once

#include <cstdint>

constexpr std::int64_t Millisecond = 1'000'000;
constexpr std::int64_t Second = 1'000 * Millisecond;
