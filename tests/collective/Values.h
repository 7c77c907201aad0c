#pragma once

#include "engine/collective/ring/HalfFloat.h"
#include "engine/collective/ring/Types.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace ringmaster::ring::testing {

/// Values of any type as doubles and back: the plainest way to say what a reduction must give.
inline double valueAt(DataType type, const std::byte* bytes, size_t index)
{
    const auto read = [&]<class T>(T) {
        T value{};
        std::memcpy(&value, bytes + index * sizeof(T), sizeof(T));
        return value;
    };
    switch (type) {
    case DataType::Bytes:
    case DataType::Bool:
    case DataType::UInt8: return read(std::uint8_t{});
    case DataType::Int8: return read(std::int8_t{});
    case DataType::Int32: return read(std::int32_t{});
    case DataType::Int64: return static_cast<double>(read(std::int64_t{}));
    case DataType::Float32: return static_cast<double>(read(float{}));
    case DataType::Float64: return read(double{});
    case DataType::BFloat16:
        return static_cast<double>(
            std::bit_cast<float>(static_cast<std::uint32_t>(read(std::uint16_t{})) << 16U));
    case DataType::Float16: {
        const auto half = read(std::uint16_t{});
        float value = 0;
        widenHalf(&half, &value, 1);
        return static_cast<double>(value);
    }
    }
    return 0;
}

inline void setValue(DataType type, std::byte* bytes, size_t index, double value)
{
    const auto write = [&](auto typed) {
        std::memcpy(bytes + index * sizeof(typed), &typed, sizeof(typed));
    };
    switch (type) {
    case DataType::Bytes:
    case DataType::UInt8: write(static_cast<std::uint8_t>(value)); break;
    case DataType::Bool: write(static_cast<std::uint8_t>(value != 0)); break;
    case DataType::Int8: write(static_cast<std::int8_t>(value)); break;
    case DataType::Int32: write(static_cast<std::int32_t>(value)); break;
    case DataType::Int64: write(static_cast<std::int64_t>(value)); break;
    case DataType::Float32: write(static_cast<float>(value)); break;
    case DataType::Float64: write(value); break;
    case DataType::BFloat16:
        write(static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(value)) >>
                                         16U));
        break;
    case DataType::Float16: {
        const auto wide = static_cast<float>(value);
        std::uint16_t half = 0;
        narrowHalf(&wide, &half, 1);
        write(half);
        break;
    }
    }
}

/// Small whole numbers that every type holds exactly, and so do their sums and products.
inline double sample(int rank, size_t index)
{
    return static_cast<double>((static_cast<size_t>(rank) * 3 + index) % 3);
}

inline std::vector<std::byte> samples(DataType type, int rank, size_t count, size_t offset = 0)
{
    std::vector<std::byte> bytes(count * sizeOf(type));
    for (size_t i = 0; i < count; ++i)
        setValue(type, bytes.data(), i, sample(rank, i + offset));
    return bytes;
}

/// What `size` ranks' samples reduce to.
inline double reducedSample(DataType type, Reduction reduction, int size, size_t index)
{
    double result = sample(0, index);
    for (int rank = 1; rank < size; ++rank) {
        const double value = sample(rank, index);
        switch (reduction) {
        case Reduction::Sum:
        case Reduction::Average: result += value; break;
        case Reduction::Product: result *= value; break;
        case Reduction::Min: result = std::min(result, value); break;
        case Reduction::Max: result = std::max(result, value); break;
        }
    }
    const bool isFloat = type >= DataType::Float16;
    if (reduction == Reduction::Average)
        result = isFloat ? result / size : std::trunc(result / size);
    if (type == DataType::Bool)
        result = result != 0 ? 1 : 0;
    return result;
}

/// How far a result may be from the exact one: rounding once to the type.
inline double tolerance(DataType type, double exact)
{
    const double scale = std::max(1.0, std::abs(exact));
    if (type == DataType::BFloat16)
        return scale / 128;
    if (type == DataType::Float16)
        return scale / 1024;
    return type == DataType::Float32 ? scale * 1e-6 : 0;
}

} // namespace ringmaster::ring::testing
