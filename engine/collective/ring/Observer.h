#pragma once

#include "engine/collective/ring/Types.h"

namespace ringmaster::ring {

/// One chunk that arrived at this rank, as the Learn page draws it.
struct ChunkStep
{
    /// Values of tensors of up to so many bytes are shown; of larger ones there are none.
    static constexpr size_t LargestShown = 4096;

    Operation operation = Operation::None;
    Algorithm algorithm = Algorithm::Auto; ///< The one that was taken, never Auto.
    DataType type = DataType::Bytes;
    std::uint64_t sequence = 0; ///< Of the operation in its group.
    int step = 0;               ///< Hop round the ring, level of the tree …
    std::uint64_t chunk = 0;    ///< Which part of the tensor, or of the step.
    int from = -1;
    int to = -1;
    size_t bytes = 0;
    ConstBytes before{};      ///< What this rank held there; valid during the call only.
    ConstBytes arrived{};     ///< What came.
    ConstBytes after{};       ///< What it holds now.
    bool isCorrupted = false; ///< On its way, because the observer wanted it so.
};

/// Is told of every chunk, on the thread that runs the operation, before what was made of the chunk
/// goes on to anybody: so an observer of all ranks hears nothing before its cause. Without one
/// nothing is paid.
class Observer
{
public:
    virtual ~Observer() = default;
    virtual void arrived(const ChunkStep& step) = 0;
    /// Asked of each chunk: whether it is to arrive with a bit flipped, as by a broken wire.
    virtual bool corruptsNext() { return false; }
};

} // namespace ringmaster::ring
