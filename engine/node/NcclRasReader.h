#pragma once

#include "engine/base/SocketQuestion.h"
#include "engine/diagnose/NcclRas.h"
#include "engine/job/JobSpec.h"

#include <map>

namespace ringmaster {

/// Where the RAS of a job's workers listens, by their environment. Nothing: it is off, or not on
/// this machine alone.
std::optional<diagnose::NcclRasAddress> ncclRasAddressOf(const JobSpec& spec);

/// Asks NCCL's RAS what the ranks of a job have launched, now and then, without waiting. All jobs
/// of a machine may share one port: an answer that is of none of the job's processes is another
/// job's, and it is asked again. What comes is bounded. One loop's.
class NcclRasReader
{
public:
    NcclRasReader(EventLoop& loop, std::optional<diagnose::NcclRasAddress> address);

    /// Another attempt: what was read is forgotten.
    void begin();
    /// Some of these processes wait in an operation of nccl.
    void want(const std::vector<int>& pids, std::int64_t nowNs);
    std::vector<diagnose::NcclMember> membersOf(int pid) const { return m_report.membersOf(pid); }

    static constexpr std::int64_t IntervalNs = 5'000'000'000;

private:
    void ask();
    void answered(const std::string& answer);
    /// An answer, as far as it is one; false: it is another job's.
    bool take(std::string_view answer);

    const std::optional<diagnose::NcclRasAddress> m_address;
    std::vector<int> m_pids;
    std::int64_t m_askedNs = 0;
    int m_foreign = 0; ///< Answers of other jobs, one after the other.
    diagnose::NcclRasReport m_report;
    SocketQuestion m_question;
};

} // namespace ringmaster
