#pragma once

#include "engine/base/Result.h"
#include "engine/control/RankState.h"

namespace ringmaster {

namespace v1 {
class OperationPage;
class RankStates;
} // namespace v1

void toProto(const OperationPage& page, v1::OperationPage& proto);
OperationPage fromProto(const v1::OperationPage& proto);

void toProto(const std::vector<RankState>& ranks, v1::RankStates& proto);
Result<std::vector<RankState>> fromProto(const v1::RankStates& proto);

} // namespace ringmaster
