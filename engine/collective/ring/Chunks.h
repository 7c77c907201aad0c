#pragma once

#include "engine/collective/ring/Types.h"

#include <algorithm>
#include <cstring>

namespace ringmaster::ring {

inline void copyBytes(Bytes target, ConstBytes source)
{
    if (!source.empty() && target.data() != source.data())
        std::memcpy(target.data(), source.data(), source.size());
}

inline size_t chunksIn(size_t bytes, size_t chunkBytes)
{
    return (bytes + chunkBytes - 1) / chunkBytes;
}

/// Chunk `number` of a buffer; empty behind its end.
template <class Buffer>
Buffer chunkOf(Buffer whole, size_t number, size_t chunkBytes)
{
    const size_t start = std::min(whole.size(), number * chunkBytes);
    return whole.subspan(start, std::min(chunkBytes, whole.size() - start));
}

constexpr size_t CacheLine = 64;

/// Part `number` of `parts` nearly equal ones that begin on cache lines; in a buffer that has fewer
/// lines than parts, on elements of `elementBytes`.
template <class Buffer>
Buffer blockOf(Buffer whole, int number, int parts, size_t elementBytes = CacheLine)
{
    const auto count = static_cast<size_t>(parts);
    const size_t unit =
        whole.size() < count * CacheLine ? std::max<size_t>(1, elementBytes) : CacheLine;
    const size_t units = chunksIn(whole.size(), unit);
    return chunkOf(whole, static_cast<size_t>(number),
                   std::max<size_t>(1, chunksIn(units, count)) * unit);
}

} // namespace ringmaster::ring
