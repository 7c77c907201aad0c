#include "engine/collective/ring/Reduce.h"

#include "engine/collective/ring/HalfFloat.h"

#include <array>
#include <bit>
#include <type_traits>

// One function for several processors, chosen when the program is loaded. The sanitizers' run times
// aren't there yet at that moment.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) &&                             \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_ADDRESS__)
#define RM_FOR_EACH_PROCESSOR __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define RM_FOR_EACH_PROCESSOR
#endif
#define RM_INLINE inline __attribute__((always_inline))

namespace ringmaster::ring {

namespace {

struct Add
{
    template <class T>
    static RM_INLINE T apply(T left, T right)
    {
        // Unsigned, since integers wrap round as they do in torch.
        if constexpr (std::is_integral_v<T>) {
            using Wide = std::make_unsigned_t<decltype(left + right)>;
            return static_cast<T>(static_cast<Wide>(left) + static_cast<Wide>(right));
        } else {
            return left + right;
        }
    }
};

struct Multiply
{
    template <class T>
    static RM_INLINE T apply(T left, T right)
    {
        if constexpr (std::is_integral_v<T>) {
            using Wide = std::make_unsigned_t<decltype(left * right)>;
            return static_cast<T>(static_cast<Wide>(left) * static_cast<Wide>(right));
        } else {
            return left * right;
        }
    }
};

struct Least
{
    template <class T>
    static RM_INLINE T apply(T left, T right)
    {
        return right < left ? right : left;
    }
};

struct Greatest
{
    template <class T>
    static RM_INLINE T apply(T left, T right)
    {
        return left < right ? right : left;
    }
};

struct Or
{
    static RM_INLINE std::uint8_t apply(std::uint8_t left, std::uint8_t right)
    {
        return static_cast<std::uint8_t>((left | right) != 0);
    }
};

struct And
{
    static RM_INLINE std::uint8_t apply(std::uint8_t left, std::uint8_t right)
    {
        return static_cast<std::uint8_t>((left != 0) & (right != 0));
    }
};

struct BFloat16
{
    std::uint16_t bits;
};

RM_INLINE float widened(BFloat16 value)
{
    return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits) << 16U);
}

RM_INLINE BFloat16 narrowed(float value)
{
    const auto bits = std::bit_cast<std::uint32_t>(value);
    // To the nearest, ties to even; a NaN stays one.
    const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;
    const std::uint32_t quiet = (bits >> 16U) | 0x40U;
    const bool isNan = (bits & 0x7FFFFFFFU) > 0x7F800000U;
    return {static_cast<std::uint16_t>(isNan ? quiet : rounded)};
}

template <class T, class Operator>
RM_INLINE void loop(std::byte* target, const std::byte* left, const std::byte* right, size_t bytes)
{
    auto* out = reinterpret_cast<T*>(target);
    const auto* a = reinterpret_cast<const T*>(left);
    const auto* b = reinterpret_cast<const T*>(right);
    const size_t count = bytes / sizeof(T);
    for (size_t i = 0; i < count; ++i) {
        if constexpr (std::is_same_v<T, BFloat16>)
            out[i] = narrowed(Operator::apply(widened(a[i]), widened(b[i])));
        else
            out[i] = Operator::apply(a[i], b[i]);
    }
}

using Kernel = void (*)(std::byte*, const std::byte*, const std::byte*, size_t);

// target_clones can't be given to a template, so each kernel is a function of its own.
#define RM_KERNEL(Name, Type, Operator)                                                            \
    RM_FOR_EACH_PROCESSOR void Name##Operator(std::byte* target, const std::byte* left,            \
                                              const std::byte* right, size_t bytes)                \
    {                                                                                              \
        loop<Type, Operator>(target, left, right, bytes);                                          \
    }
#define RM_KERNELS(Name, Type)                                                                     \
    RM_KERNEL(Name, Type, Add)                                                                     \
    RM_KERNEL(Name, Type, Multiply)                                                                \
    RM_KERNEL(Name, Type, Least)                                                                   \
    RM_KERNEL(Name, Type, Greatest)                                                                \
    constexpr std::array<Kernel, 4> Name##Kernels{Name##Add, Name##Multiply, Name##Least,          \
                                                  Name##Greatest};

RM_KERNELS(int8, std::int8_t)
RM_KERNELS(uint8, std::uint8_t)
RM_KERNELS(int32, std::int32_t)
RM_KERNELS(int64, std::int64_t)
RM_KERNELS(float32, float)
RM_KERNELS(float64, double)
RM_KERNELS(bfloat16, BFloat16)
RM_KERNEL(bool, std::uint8_t, Or)
RM_KERNEL(bool, std::uint8_t, And)
constexpr std::array<Kernel, 4> boolKernels{boolOr, boolAnd, boolAnd, boolOr};

template <size_t Operator>
void float16Kernel(std::byte* target, const std::byte* left, const std::byte* right, size_t bytes)
{
    constexpr size_t Block = 1024;
    alignas(64) std::array<float, Block> a;
    alignas(64) std::array<float, Block> b;
    auto* floatsA = reinterpret_cast<std::byte*>(a.data());
    const auto* floatsB = reinterpret_cast<const std::byte*>(b.data());
    for (size_t done = 0; done < bytes; done += Block * 2) {
        const size_t count = std::min(Block, (bytes - done) / 2);
        widenHalf(reinterpret_cast<const std::uint16_t*>(left + done), a.data(), count);
        widenHalf(reinterpret_cast<const std::uint16_t*>(right + done), b.data(), count);
        float32Kernels[Operator](floatsA, floatsA, floatsB, count * sizeof(float));
        narrowHalf(a.data(), reinterpret_cast<std::uint16_t*>(target + done), count);
    }
}
constexpr std::array<Kernel, 4> float16Kernels{float16Kernel<0>, float16Kernel<1>, float16Kernel<2>,
                                               float16Kernel<3>};

size_t indexOf(Reduction reduction)
{
    switch (reduction) {
    case Reduction::Sum:
    case Reduction::Average: return 0;
    case Reduction::Product: return 1;
    case Reduction::Min: return 2;
    case Reduction::Max: return 3;
    }
    return 0;
}

const std::array<Kernel, 4>* kernelsFor(DataType type)
{
    switch (type) {
    case DataType::Bytes: return nullptr;
    case DataType::Bool: return &boolKernels;
    case DataType::Int8: return &int8Kernels;
    case DataType::UInt8: return &uint8Kernels;
    case DataType::Int32: return &int32Kernels;
    case DataType::Int64: return &int64Kernels;
    case DataType::Float16: return &float16Kernels;
    case DataType::BFloat16: return &bfloat16Kernels;
    case DataType::Float32: return &float32Kernels;
    case DataType::Float64: return &float64Kernels;
    }
    return nullptr;
}

template <class T>
void divideAll(Bytes values, int by)
{
    auto* all = reinterpret_cast<T*>(values.data());
    const size_t count = values.size() / sizeof(T);
    for (size_t i = 0; i < count; ++i)
        all[i] = static_cast<T>(all[i] / static_cast<T>(by));
}

void divideHalf(Bytes values, int by)
{
    auto* all = reinterpret_cast<std::uint16_t*>(values.data());
    for (size_t i = 0; i < values.size() / 2; ++i) {
        float value = 0;
        widenHalf(all + i, &value, 1);
        value /= static_cast<float>(by);
        narrowHalf(&value, all + i, 1);
    }
}

void divideBFloat16(Bytes values, int by)
{
    auto* all = reinterpret_cast<BFloat16*>(values.data());
    for (size_t i = 0; i < values.size() / 2; ++i)
        all[i] = narrowed(widened(all[i]) / static_cast<float>(by));
}

} // namespace

bool canReduce(DataType type, Reduction reduction)
{
    return type != DataType::Bytes && !(type == DataType::Bool && reduction == Reduction::Average);
}

void combine(DataType type, Reduction reduction, std::byte* target, const std::byte* left,
             const std::byte* right, size_t bytes)
{
    if (const auto* kernels = kernelsFor(type))
        (*kernels)[indexOf(reduction)](target, left, right, bytes);
}

void divide(DataType type, Bytes values, int by)
{
    switch (type) {
    case DataType::Bytes:
    case DataType::Bool: break;
    // Wider than the type: a divisor of 200 doesn't fit into an int8.
    case DataType::Int8:
        for (std::byte& value : values)
            value = static_cast<std::byte>(static_cast<std::int8_t>(value) / by);
        break;
    case DataType::UInt8:
        for (std::byte& value : values)
            value = static_cast<std::byte>(static_cast<std::uint8_t>(value) / by);
        break;
    case DataType::Int32: divideAll<std::int32_t>(values, by); break;
    case DataType::Int64: divideAll<std::int64_t>(values, by); break;
    case DataType::Float16: divideHalf(values, by); break;
    case DataType::BFloat16: divideBFloat16(values, by); break;
    case DataType::Float32: divideAll<float>(values, by); break;
    case DataType::Float64: divideAll<double>(values, by); break;
    }
}

} // namespace ringmaster::ring
