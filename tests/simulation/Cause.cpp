#include "tests/simulation/Cause.h"

#include "engine/agent/Codes.h"
#include "engine/base/Codes.h"
#include "engine/lead/Codes.h"
#include "engine/rendezvous/Codes.h"
#include "engine/worker/Codes.h"

#include <map>

namespace ringmaster::simulation {

Cause causeOf(Code reason)
{
    static const std::map<Code, Cause> Causes{{code::DiskFull, Cause::Start},
                                              {code::FileNotReadable, Cause::Start},
                                              {code::HostCannotBegin, Cause::Begin},
                                              {code::SurvivorInKernel, Cause::Survivor},
                                              {code::WorkersSurvive, Cause::Survivor},
                                              {code::HostWorkersFailed, Cause::Workers},
                                              {code::WorkerExitedWithCode, Cause::Workers},
                                              {code::WorkerEndedBySignal, Cause::Workers},
                                              {code::RankEndedByUser, Cause::Workers},
                                              {code::FirstCauseUnsure, Cause::Workers},
                                              {code::KeeperLost, Cause::Workers},
                                              {code::RendezvousTimedOut, Cause::Join},
                                              {code::PlaceTakenBack, Cause::Place},
                                              {code::NeededHostFailedTooOften, Cause::LeftOut}};
    const auto found = Causes.find(reason);
    return found != Causes.end() ? found->second : Cause::Other;
}

} // namespace ringmaster::simulation
