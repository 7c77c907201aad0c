#pragma once

#include "engine/collective/ring/Types.h"

namespace ringmaster::ring {

/// Bytes can't be reduced, and booleans have no average.
bool canReduce(DataType type, Reduction reduction);

/// target[i] = left[i] op right[i], for `bytes` of each; target may be left or right. Average adds:
/// divide() comes once, at the end. Booleans are true or false: sum and max are "or", product and
/// min are "and". Vectorised for what the processor has; the same result on every one.
void combine(DataType type, Reduction reduction, std::byte* target, const std::byte* left,
             const std::byte* right, size_t bytes);

/// values[i] /= by; integers are cut off towards zero.
void divide(DataType type, Bytes values, int by);

} // namespace ringmaster::ring
