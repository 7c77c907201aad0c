#include "engine/event/DrillStage.h"

#include "engine/event/Codes.h"

#include <algorithm>
#include <array>
#include <span>

namespace ringmaster {

namespace {

constexpr std::array Begun{code::DrillKills, code::DrillStops, code::DrillSlows,
                           code::DrillKillsHost, code::DrillCutsHost};
constexpr std::array Back{code::DrillGoesOnAtStep,     code::DrillGoesOnWithLoss,
                          code::DrillBackAtStep,       code::DrillBackWithLoss,
                          code::DrillBackAtCollective, code::DrillBackRunning,
                          code::DrillRunsOn,           code::DrillRunFinished};
constexpr std::array NotBack{code::DrillRunEnded, code::DrillNoRestart,     code::DrillRanksMissing,
                             code::DrillNoStep,   code::DrillNoCollective,  code::DrillHangs,
                             code::DrillHostAway, code::DrillHostNoRestart, code::DrillHostIdle};
constexpr std::array NotBegun{code::DrillNotBegunCounter, code::DrillNotBegunTime};

bool has(std::span<const Code> codes, Code code)
{
    return std::ranges::find(codes, code) != codes.end();
}

} // namespace

DrillStage drillStageOf(const Message& message)
{
    if (has(Begun, message.code))
        return DrillStage::Begun;
    if (message.code == code::DrillHostCost)
        return DrillStage::Cost;
    if (has(Back, message.code))
        return DrillStage::Back;
    if (has(NotBack, message.code))
        return DrillStage::NotBack;
    return has(NotBegun, message.code) ? DrillStage::NotBegun : DrillStage::None;
}

} // namespace ringmaster
