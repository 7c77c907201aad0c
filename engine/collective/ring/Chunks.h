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

/// Part `number` of `parts` nearly equal ones that begin on cache lines.
template <class Buffer>
Buffer blockOf(Buffer whole, int number, int parts)
{
    constexpr size_t Line = 64;
    const size_t lines = chunksIn(whole.size(), Line);
    return chunkOf(whole, static_cast<size_t>(number),
                   std::max<size_t>(1, chunksIn(lines, static_cast<size_t>(parts))) * Line);
}

} // namespace ringmaster::ring
