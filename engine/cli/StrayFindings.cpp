#include "engine/cli/StrayFindings.h"

#include "engine/cli/Codes.h"
#include "engine/text/RankList.h"

namespace ringmaster {

std::vector<Message> strayFindings(const std::vector<DeviceUser>& users)
{
    std::vector<Message> findings;
    for (const StrayRanks& stray : strayRanks(users))
        findings.push_back({code::RanksOnOtherGpu,
                            {{"ranks", rankList(stray.ranks)},
                             {"run", stray.run},
                             {"index", std::to_string(stray.device)}},
                            {}});
    return findings;
}

} // namespace ringmaster
