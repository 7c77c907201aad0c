#pragma once

#include "engine/base/Error.h"

namespace ringmaster {

/// What a notice says of a fire drill.
enum class DrillStage {
    None, ///< It speaks of something else.
    Begun,
    Cost,    ///< What it has cost; its result follows.
    Back,    ///< Its result, as the next ones.
    NotBack, ///< Within its limit, or the run has ended.
    NotBegun ///< It was to come at a moment that never came.
};

DrillStage drillStageOf(const Message& message);

inline bool isOver(DrillStage stage)
{
    return stage >= DrillStage::Back;
}

} // namespace ringmaster
