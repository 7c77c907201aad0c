#include "engine/collective/ring/HalfFloat.h"

#include <bit>

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace ringmaster::ring {

namespace {

float widened(std::uint16_t half)
{
    const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16U;
    const std::uint32_t rest = half & 0x7FFFU;
    if (rest >= 0x7C00U)
        return std::bit_cast<float>(sign | 0x7F800000U | (rest & 0x3FFU) << 13U |
                                    (rest > 0x7C00U ? 0x400000U : 0U));
    if (rest >= 0x400U)
        return std::bit_cast<float>(sign | ((rest << 13U) + (112U << 23U)));
    const float tiny = static_cast<float>(rest) * 0x1p-24F;
    return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(tiny));
}

std::uint16_t narrowed(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16U & 0x8000U;
    const std::uint32_t rest = bits & 0x7FFFFFFFU;
    if (rest > 0x7F800000U)
        return static_cast<std::uint16_t>(sign | 0x7E00U | (rest >> 13U & 0x3FFU));
    if (rest >= 0x477FF000U) // 65520: rounds to infinity
        return static_cast<std::uint16_t>(sign | 0x7C00U);
    if (rest >= 0x38800000U) { // 2^-14: a normal half
        const std::uint32_t rounded = rest + 0xFFFU + (rest >> 13U & 1U);
        return static_cast<std::uint16_t>(sign | (rounded - (112U << 23U)) >> 13U);
    }
    // Adding 0.5 puts the last bit of a subnormal half where the float's last bit is.
    const float shifted = std::bit_cast<float>(rest) + 0.5F;
    return static_cast<std::uint16_t>(
        sign | (std::bit_cast<std::uint32_t>(shifted) - std::bit_cast<std::uint32_t>(0.5F)));
}

#if defined(__x86_64__)
bool hasInstructions()
{
    // clang's __builtin_cpu_supports() doesn't know f16c: bit 29 of ECX in leaf 1.
    static const bool has = [] {
        unsigned eax = 0;
        unsigned ebx = 0;
        unsigned ecx = 0;
        unsigned edx = 0;
        constexpr unsigned F16c = 1U << 29U;
        return __builtin_cpu_supports("avx") != 0 && __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 &&
               (ecx & F16c) != 0;
    }();
    return has;
}

__attribute__((target("avx,f16c"))) std::size_t widenEights(const std::uint16_t* halves,
                                                            float* floats, std::size_t count)
{
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m128i eight = _mm_loadu_si128(reinterpret_cast<const __m128i*>(halves + i));
        _mm256_storeu_ps(floats + i, _mm256_cvtph_ps(eight));
    }
    return i;
}

__attribute__((target("avx,f16c"))) std::size_t
narrowEights(const float* floats, std::uint16_t* halves, std::size_t count)
{
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        const __m128i eight =
            _mm256_cvtps_ph(_mm256_loadu_ps(floats + i), _MM_FROUND_TO_NEAREST_INT);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(halves + i), eight);
    }
    return i;
}
#else
bool hasInstructions()
{
    return false;
}
std::size_t widenEights(const std::uint16_t*, float*, std::size_t)
{
    return 0;
}
std::size_t narrowEights(const float*, std::uint16_t*, std::size_t)
{
    return 0;
}
#endif

} // namespace

void widenHalf(const std::uint16_t* halves, float* floats, std::size_t count)
{
    std::size_t i = hasInstructions() ? widenEights(halves, floats, count) : 0;
    for (; i < count; ++i)
        floats[i] = widened(halves[i]);
}

void narrowHalf(const float* floats, std::uint16_t* halves, std::size_t count)
{
    std::size_t i = hasInstructions() ? narrowEights(floats, halves, count) : 0;
    for (; i < count; ++i)
        halves[i] = narrowed(floats[i]);
}

} // namespace ringmaster::ring
