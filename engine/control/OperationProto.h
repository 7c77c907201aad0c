#pragma once

#include "engine/base/Result.h"
#include "engine/control/RankActivity.h"

namespace ringmaster {

namespace v1 {
class OperationPage;
class RankActivities;
} // namespace v1

void toProto(const OperationPage& page, v1::OperationPage& proto);
OperationPage fromProto(const v1::OperationPage& proto);

void toProto(const std::vector<RankActivity>& ranks, v1::RankActivities& proto);
Result<std::vector<RankActivity>> fromProto(const v1::RankActivities& proto);

} // namespace ringmaster
