#pragma once

#include "engine/job/Checks.h"
#include "engine/job/JobOptions.h"

namespace ringmaster {

/// What is said of the job as a whole, but for its rendezvous and its devices.
class JobChecks : public Checks
{
public:
    using Checks::Checks;

    void check();

private:
    void checkRanges();
    void checkRange(const std::string& field, int value, const JobOption& option);
    void checkCounts();
    void checkRestart();
    void notNegative(const char* field, std::chrono::milliseconds value);
    void checkPattern(const char* field, const std::string& expression);
    void checkLeavingOut();
    void checkStopRules();
    void checkLogs();
    void checkStreams(const char* field, const StreamSelection& streams);
    void checkLocalRank(const char* field, int rank);
    void checkFilters();
    void checkSlurm();
    void checkContainer();
    void checkNumbers();
    void checkOthers();
};

} // namespace ringmaster
