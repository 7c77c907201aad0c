#include "engine/worker/Survivors.h"

#include "engine/base/Files.h"
#include "engine/base/Survivor.h"
#include "engine/worker/Descendants.h"

namespace ringmaster {

namespace {

constexpr const char* KeeperName = "ringmaster-keep"; // as long as the kernel lets it be

bool isKeeper(pid_t pid)
{
    return readFile("/proc/" + std::to_string(pid) + "/comm").value_or("").starts_with(KeeperName);
}

} // namespace

std::vector<Message> describeSurvivors(pid_t root, const std::vector<pid_t>& spared)
{
    std::vector<Message> found;
    std::vector<Message> keepers;
    for (const ProcessRow& process : descendantsOf(root, spared)) {
        if (!process.isZombie)
            (isKeeper(process.pid) ? keepers : found).push_back(describeSurvivor(process.pid));
    }
    // Keeper and guard wait for the others; where there are none, they are stuck themselves.
    return found.empty() ? keepers : found;
}

} // namespace ringmaster
