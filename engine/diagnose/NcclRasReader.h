#pragma once

#include "engine/base/SocketQuestion.h"
#include "engine/diagnose/NcclRas.h"

#include <chrono>
#include <functional>
#include <optional>
#include <vector>

namespace ringmaster::diagnose {

/// Asks NCCL's RAS what the ranks of a job have launched, now and then, without waiting. All jobs
/// of a machine may share one port: an answer that is of none of the job's processes is another
/// job's, and it is asked again. What comes is bounded. One loop's.
class NcclRasReader
{
public:
    /// `settled`: nothing is asked any more, whatever came of it; it may ask again.
    NcclRasReader(EventLoop& loop, std::optional<NcclRasAddress> address,
                  std::chrono::milliseconds patience = std::chrono::seconds(10),
                  std::function<void()> settled = {});

    /// Another attempt: what was read is forgotten.
    void begin();
    /// Some of these processes wait in an operation of nccl.
    void want(const std::vector<int>& pids, std::int64_t nowNs);
    /// Asks now, unless it does; false: nobody can be asked, or it isn't known where.
    bool askOf(const std::vector<int>& pids);
    bool isAsking() const { return m_question.isOpen(); }
    std::vector<NcclMember> membersOf(int pid) const { return m_report.membersOf(pid); }

    static constexpr std::int64_t IntervalNs = 5'000'000'000;

private:
    void ask();
    void answered(const std::string& answer);
    /// An answer, as far as it is one; false: it is another job's.
    bool take(std::string_view answer);

    const std::optional<NcclRasAddress> m_address;
    const std::function<void()> m_settled;
    std::vector<int> m_pids;
    std::int64_t m_askedNs = 0;
    int m_foreign = 0; ///< Answers of other jobs, one after the other.
    NcclRasReport m_report;
    SocketQuestion m_question;
};

} // namespace ringmaster::diagnose
